"""A row of large figures with words: how a release stands, before anything leaves."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import breakable, plain_text

_ICONS = {"good": "check", "warn": "warning", "bad": "error", "info": "info"}
_LARGE = 1.55
_FEWEST_PER_ROW = 4
_NARROWEST = 12
"""Lines of text a card is wide at least, so that its words take few lines."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One card: a name for tests and demos, title, large text, words, tone (good, warn, bad, info), before, and more.

    More is what the tooltip tells beyond the words.
    """

    name: str
    title: str
    text: str
    words: str
    tone: str
    before: str = ""
    more: str = ""


class FigureCard(QFrame):
    """One figure."""

    def __init__(self) -> None:
        super().__init__(frameShape=QFrame.Shape.StyledPanel)
        self._figure: Figure | None = None
        self._faded = False
        self._icon = QLabel()
        self.title = QLabel()
        self.text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._build()

    def show_figure(self, figure: Figure, *, faded: bool = False) -> None:
        """Show another figure; a faded one is of earlier settings, and its colours say nothing any more."""
        self._figure, self._faded = figure, faded
        self.setObjectName(f"figure_{figure.name}")
        self.title.setText(figure.title)
        # A line that is too short breaks at the arrow.
        parts = [part.replace(" ", "\N{NO-BREAK SPACE}") for part in (figure.before, figure.text) if part]
        self.text.setText(" → ".join(parts))
        self.words.setText(breakable(figure.words))
        tones = {"good": tr("good"), "warn": tr("with care"), "bad": tr("bad"), "info": tr("for information")}
        standing = tr("of earlier settings") if faded else tones[figure.tone]
        spoken = f"{figure.title}: {self.text.text()}, {figure.words} ({standing})"
        self.setAccessibleName(spoken)
        self.setToolTip(plain_text(f"{spoken}\n{figure.more}".strip()))
        self._colour()

    def fade(self, faded: bool) -> None:
        """Fade, or be bright again."""
        if self._figure is not None and faded != self._faded:
            self.show_figure(self._figure, faded=faded)

    def _build(self) -> None:
        font = self.text.font()
        font.setPointSizeF(font.pointSizeF() * _LARGE)
        font.setBold(True)
        self.text.setFont(font)
        self.words.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        head = QHBoxLayout()
        head.addWidget(self._icon)
        head.addWidget(self.title, 1)
        layout = QVBoxLayout(self)
        unit = self.fontMetrics().height()
        layout.setContentsMargins(unit // 2, unit // 3, unit // 2, unit // 3)
        layout.setSpacing(unit // 6)
        layout.addLayout(head)
        layout.addWidget(self.text)
        layout.addWidget(self.words, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAutoFillBackground(True)

    def _colour(self) -> None:
        if self._figure is None:
            return
        side = self.fontMetrics().height()
        tone = self._figure.tone
        icon = theme.icon("stale", "muted") if self._faded else theme.icon(_ICONS[tone], tone)
        self._icon.setPixmap(icon.pixmap(side, side))
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Window, theme.color("alternate" if self._faded else f"{tone}_soft"))
        self.setPalette(palette)
        ink = QPalette.ColorRole.PlaceholderText if self._faded else QPalette.ColorRole.WindowText
        for label in (self.title, self.text):
            label.setForegroundRole(ink)

    def changeEvent(self, event: QEvent) -> None:
        """Take on the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()


class CardRow(QWidget):
    """The figures of one release, in as few even rows as the width allows."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("result_figures")
        self.cards: list[FigureCard] = []
        self._shown = 0
        self._per_row = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(self.fontMetrics().height() // 2)

    def show_figures(self, figures: Sequence[Figure], *, faded: bool = False) -> None:
        """Show these figures; faded ones are of earlier settings."""
        while len(self.cards) < len(figures):
            self.cards.append(FigureCard())
            self._per_row = 0
        self._shown = len(figures)
        self._arrange()
        for place, card in enumerate(self.cards):
            card.setVisible(place < len(figures))
            if place < len(figures):
                card.show_figure(figures[place], faded=faded)

    def fade(self, faded: bool) -> None:
        """Let the figures that are shown fade, or be bright again."""
        for card in self.cards:
            card.fade(faded)

    def _arrange(self) -> None:
        """Put the cards into rows of nearly equal length; a wide window needs fewer of them."""
        room = max(self.width() // (_NARROWEST * self.fontMetrics().height()), _FEWEST_PER_ROW)
        rows = max(math.ceil(self._shown / room), 1)
        per_row = max(math.ceil(self._shown / rows), 1)
        if per_row == self._per_row:
            return
        self._per_row = per_row
        for column in range(max(self._grid.columnCount(), per_row)):
            self._grid.setColumnStretch(column, int(column < per_row))
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // per_row, place % per_row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self._arrange()

    def card(self, name: str) -> FigureCard:
        """Give the card of a figure."""
        return next(card for card in self.cards if card.objectName() == f"figure_{name}")
