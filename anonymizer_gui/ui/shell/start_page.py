"""The page one sees first: open a file, try a sample, go on where one stopped."""

import random
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.room_view import RoomView, all_views
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.ui.widgets.empty_state import CommandLinkButton
from anonymizer_gui.ui.widgets.layout import clear_layout
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.settings import Settings

START_TIPS = (
    ("Press {keys} to find any command by typing a few letters.", "tools.palette"),
    ("In the table, E, Q, S and N give the selected columns a role.", ""),
    ("Every step can be undone with {keys}; the history shows them all.", "edit.undo"),
    ("Drop a table, a project or a hierarchy anywhere on this window.", ""),
    ("Press {keys} for help on the page you are on.", "help.page"),
    ("Your project never holds the data itself, only where it is and its checksum.", ""),
)

_HEAD = 1
"""How high the words above the samples of a room are, beside a sample."""
_COLUMN = 40
"""So many times the height of a line a column of samples is wide where there is room for one more."""
_FEWEST, _MOST = 2, 3
"""How many columns of samples there are."""


class StartPage(Page):
    """Open, samples, recent files, and a tip that knows one's own shortcuts."""

    name: ClassVar[str] = "welcome"
    title: ClassVar[str] = "Welcome"
    order: ClassVar[int] = 0
    icon: ClassVar[str] = "home"
    help: ClassVar[str] = "start"
    is_everywhere: ClassVar[bool] = True

    open_path = Signal(str)
    open_sample = Signal(str)

    def __init__(self, document: Document, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        super().__init__(document)
        self._settings.changed.connect(self._on_settings)

    def set_tip(self, keys_of: dict[str, str], choice: int | None = None) -> None:
        """Show a tip with the keys the user really has."""
        text, action = START_TIPS[random.Random().randrange(len(START_TIPS)) if choice is None else choice]
        self.tip.setText(tr("Tip: {tip}", tip=tr(text).replace("{keys}", keys_of.get(action, ""))))

    def _build(self) -> None:
        body = QWidget()
        grid = QGridLayout(body)
        line = self.fontMetrics().height()
        grid.setContentsMargins(line * 2, line * 2, line * 2, line)
        grid.setHorizontalSpacing(line * 2)
        grid.setVerticalSpacing(line)
        headline = _headline(tr("Turn data about people into a release you can defend."), 1.7)
        headline.setWordWrap(True)
        grid.addWidget(headline, 0, 0, 1, _MOST)
        self._start = QVBoxLayout()
        self._recent = QVBoxLayout()
        self._rooms: list[tuple[int, QWidget]] = []
        self._samples = tuple(QVBoxLayout() for _ in range(_MOST))
        self._n_columns = 0
        grid.addLayout(self._start, 1, 0)
        grid.addLayout(self._recent, 1, 1, 1, _MOST - 1)
        grid.addWidget(_headline(tr("Try a sample")), 2, 0, 1, _MOST)
        for column, samples in enumerate(self._samples):
            samples.setSpacing(line)
            grid.addLayout(samples, 3, column)
        grid.setRowStretch(4, 1)
        self.tip = name_widget(QLabel(wordWrap=True), "tip")
        self.tip.setForegroundRole(self.tip.foregroundRole().PlaceholderText)
        grid.addWidget(self.tip, 5, 0, 1, _MOST)
        self._grid = grid
        body.setMaximumWidth(line * 45 * _MOST)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        self.set_tip({}, 1)

    def _show(self, changed: frozenset[str]) -> None:
        if Change.EVERYTHING in changed:
            self._show_start()
            self._show_recent()
            self._show_samples()

    def _show_start(self) -> None:
        clear_layout(self._start)
        self._start.addWidget(_headline(tr("Start")))
        words = tr("A table (CSV, Excel, Parquet, …) or a project")
        opens = CommandLinkButton(tr("Open a File…"), words, "open", "welcome_open")
        opens.clicked.connect(lambda: self.do.emit("file.open"))
        base = CommandLinkButton(
            tr("Open a Database…"), tr("A table or a query of SQLite, PostgreSQL and others"), "database"
        )
        base.clicked.connect(lambda: self.do.emit("file.open_database"))
        self._start.addWidget(opens)
        self._start.addWidget(base)
        self._start.addStretch()

    def _show_samples(self) -> None:
        """Offer every room with its samples."""
        for column in self._samples:
            clear_layout(column)
        self._rooms = [(_HEAD + len(view.samples), self._offer(view)) for view in all_views()]
        self._n_columns = 0
        self._place_samples()

    def _offer(self, view: RoomView) -> QWidget:
        offer = QWidget()
        layout = QVBoxLayout(offer)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(_headline(tr(view.title), 1.0))
        words = QLabel(tr(view.summary), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        words.setForegroundRole(words.foregroundRole().PlaceholderText)
        layout.addWidget(words)
        for sample in view.samples:
            link = CommandLinkButton(tr(sample.title), tr(sample.words), view.icon, f"sample_{sample.name}")
            link.clicked.connect(lambda _=False, file=sample.file: self.open_sample.emit(file))
            layout.addWidget(link)
        return offer

    def _place_samples(self) -> None:
        """Put the rooms into columns of about the same height, as many as there is room for."""
        n_columns = min(max(self.width() // (self.fontMetrics().height() * _COLUMN), _FEWEST), _MOST)
        if n_columns == self._n_columns:
            return
        self._n_columns = n_columns
        for place, column in enumerate(self._samples):
            while column.count():
                column.takeAt(0)
            self._grid.setColumnStretch(place, int(place < n_columns))
        heights = [height for height, _ in self._rooms]
        for place, (_, offer) in enumerate(self._rooms):
            middle = sum(heights[:place]) + heights[place] / 2
            self._samples[int(n_columns * middle / sum(heights))].addWidget(offer)
        for column in self._samples[:n_columns]:
            column.addStretch()

    def _show_recent(self) -> None:
        clear_layout(self._recent)
        self._recent.addWidget(_headline(tr("Recent")))
        names = self._settings.preferences.recent
        for name in names:
            path = Path(name)
            link = CommandLinkButton(path.name, str(path.parent), "report", "recent")
            link.setToolTip(plain_text(name))
            link.setEnabled(path.exists())
            link.clicked.connect(lambda _=False, name=name: self.open_path.emit(name))
            self._recent.addWidget(link)
        if names:
            forget = CommandLinkButton(
                tr("Forget These"), tr("Clear the list of recent files"), "close", "forget_recent"
            )
            forget.clicked.connect(self._settings.forget_recent)
            self._recent.addWidget(forget)
        else:
            nothing = QLabel(tr("Projects you save and tables you open appear here."), wordWrap=True)
            nothing.setForegroundRole(nothing.foregroundRole().PlaceholderText)
            self._recent.addWidget(nothing)
        self._recent.addStretch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use a further column where the window has become wide enough for it."""
        super().resizeEvent(event)
        self._place_samples()

    def _on_settings(self, changed: frozenset[str]) -> None:
        if "recent" in changed:
            self._show_recent()


def _headline(text: str, scale: float = 1.2) -> QLabel:
    label = QLabel(text, textFormat=Qt.TextFormat.PlainText)
    font = QFont(label.font())
    font.setPointSizeF(font.pointSizeF() * scale)
    font.setBold(True)
    label.setFont(font)
    return label
