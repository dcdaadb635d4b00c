"""The page one sees first: open a file, try a sample, go on where one stopped."""

import random
from html import escape
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.room_view import all_views
from anonymizer_gui.ui.widgets.layout_pieces import emptied
from anonymizer_gui.ui.widgets.link_button import LinkButton
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.plain_text import plain
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.settings import Settings

TIPS = (
    ("Press {keys} to find any command by typing a few letters.", "tools.palette"),
    ("In the table, E, Q, S and N give the selected columns a role.", ""),
    ("Every step can be undone with {keys}; the history shows them all.", "edit.undo"),
    ("Drop a table, a project or a hierarchy anywhere on this window.", ""),
    ("Press {keys} for help on the page you are on.", "help.page"),
    ("Your project never holds the data itself, only where it is and its checksum.", ""),
)

_HEAD = 1
"""How high the words above the samples of a room are, beside a sample."""


class WelcomePage(Page):
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
        text, action = TIPS[random.Random().randrange(len(TIPS)) if choice is None else choice]
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
        grid.addWidget(headline, 0, 0, 1, 2)
        self._start = QVBoxLayout()
        self._recent = QVBoxLayout()
        self._samples = (QVBoxLayout(), QVBoxLayout())
        grid.addLayout(self._start, 1, 0)
        grid.addLayout(self._recent, 1, 1)
        grid.addWidget(_headline(tr("Try a sample")), 2, 0, 1, 2)
        for column, samples in enumerate(self._samples):
            grid.addLayout(samples, 3, column)
        grid.setRowStretch(4, 1)
        self.tip = named(QLabel(wordWrap=True), "tip")
        self.tip.setForegroundRole(self.tip.foregroundRole().PlaceholderText)
        grid.addWidget(self.tip, 5, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        body.setMaximumWidth(line * 90)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        self.set_tip({}, 1)

    def _show(self, changed: frozenset[str]) -> None:
        if "*" in changed:
            self._show_start()
            self._show_recent()
            self._show_samples()

    def _show_start(self) -> None:
        emptied(self._start)
        self._start.addWidget(_headline(tr("Start")))
        words = tr("A table (CSV, Excel, Parquet, …) or a project")
        opens = LinkButton(tr("Open a File…"), words, "open", "welcome_open")
        opens.clicked.connect(lambda: self.do.emit("file.open"))
        base = LinkButton(tr("Open a Database…"), tr("A table or a query of SQLite, PostgreSQL and others"), "database")
        base.clicked.connect(lambda: self.do.emit("file.open_database"))
        self._start.addWidget(opens)
        self._start.addWidget(base)
        self._start.addStretch()

    def _show_samples(self) -> None:
        """Offer every room with its samples, in two columns of about the same height."""
        for column in self._samples:
            emptied(column)
        views = all_views()
        heights = [_HEAD + len(view.samples) for view in views]
        for place, view in enumerate(views):
            column = self._samples[2 * sum(heights[:place]) >= sum(heights)]
            column.addWidget(_named(tr(view.title), tr(view.summary)))
            for sample in view.samples:
                link = LinkButton(tr(sample.title), tr(sample.words), view.icon, f"sample_{sample.name}")
                link.clicked.connect(lambda _=False, file=sample.file: self.open_sample.emit(file))
                column.addWidget(link)
        for column in self._samples:
            column.addStretch()

    def _show_recent(self) -> None:
        emptied(self._recent)
        self._recent.addWidget(_headline(tr("Recent")))
        names = self._settings.preferences.recent
        for name in names:
            path = Path(name)
            link = LinkButton(path.name, str(path.parent), "report", "recent")
            link.setToolTip(plain(name))
            link.setEnabled(path.exists())
            link.clicked.connect(lambda _=False, name=name: self.open_path.emit(name))
            self._recent.addWidget(link)
        if names:
            forget = LinkButton(tr("Forget These"), tr("Clear the list of recent files"), "close", "forget_recent")
            forget.clicked.connect(self._settings.forget_recent)
            self._recent.addWidget(forget)
        else:
            nothing = QLabel(tr("Projects you save and tables you open appear here."), wordWrap=True)
            nothing.setForegroundRole(nothing.foregroundRole().PlaceholderText)
            self._recent.addWidget(nothing)
        self._recent.addStretch()

    def _on_settings(self, changed: frozenset[str]) -> None:
        if "recent" in changed:
            self._show_recent()


def _named(title: str, summary: str) -> QLabel:
    label = QLabel(f"<b>{escape(title)}</b><br>{escape(summary)}", wordWrap=True)
    label.setForegroundRole(label.foregroundRole().PlaceholderText)
    return label


def _headline(text: str, scale: float = 1.2) -> QLabel:
    label = QLabel(text)
    font = QFont(label.font())
    font.setPointSizeF(font.pointSizeF() * scale)
    font.setBold(True)
    label.setFont(font)
    return label
