"""The help pages, offline, beside the window; a search over all of them."""

from PySide6.QtCore import QEvent, QObject, QRegularExpression, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeyEvent, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.help_pages import help_pages, page_of_link, search
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines

_NAME = Qt.ItemDataRole.UserRole
_LONGEST = 60
START = "start"


class HelpWindow(QDialog):
    """A list of pages and the page; links lead from page to page, and what is searched for is marked."""

    def __init__(self, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("help")
        self.setWindowTitle(tr("Help"))
        self._pages = help_pages(language)
        self.search = name_widget(QLineEdit(clearButtonEnabled=True), "help_search", spoken=tr("Search the help"))
        self.hits = name_widget(QLabel(), "help_hits")
        self.list = name_widget(QListWidget(), "help_list", spoken=tr("Help pages"))
        self.page = name_widget(QTextBrowser(), "help_page", spoken=tr("Help page"))
        self.back = name_widget(QToolButton(autoRaise=True), tip=tr("Back"), spoken=tr("Back"))
        self._past: list[str] = []
        self.current = ""
        """The name of the page in sight."""
        self._build()
        self._fill(list(self._pages))
        self._connect()

    def show_page(self, name: str) -> None:
        """Show a page; one that does not exist leads to the first."""
        wanted = name if name in self._pages else START
        if self._row_of(wanted) < 0:
            self.search.clear()
        self.list.setCurrentRow(self._row_of(wanted))

    def start_search(self) -> None:
        """Put the cursor into the search."""
        self.search.setFocus()
        self.search.selectAll()

    def next_hit(self) -> None:
        """Go to the next place on the page that is searched for; after the last one to the first."""
        if not self._find_from(self.page.textCursor()):
            self._find_from(QTextCursor(self.page.document()))

    def _build(self) -> None:
        theme.set_icon(self.back, "undo")
        self.search.setPlaceholderText(tr("Search the help"))
        self.search.setToolTip(tr("Ctrl+F leads here, Return to the page, F3 to the next place"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setWordWrap(True)
        splitter = QSplitter()
        splitter.addWidget(self.list)
        splitter.addWidget(self.page)
        splitter.setStretchFactor(1, 1)
        line = self.fontMetrics().height()
        splitter.setSizes([line * 15, line * 40])
        top = QHBoxLayout()
        top.addWidget(self.back)
        top.addWidget(self.search, 1)
        top.addWidget(self.hits)
        layout = QVBoxLayout(self)
        layout.addLayout(top)
        layout.addWidget(splitter, 1)
        resize_in_text_lines(self, 52, 36)

    def _connect(self) -> None:
        self.page.setOpenLinks(False)
        self.page.anchorClicked.connect(self._on_link)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.back.clicked.connect(self._on_back)
        self.search.textChanged.connect(self._on_typed)
        self.search.installEventFilter(self)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.start_search)
        QShortcut(QKeySequence(QKeySequence.StandardKey.FindNext), self, self.next_hit)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Return open the best page, Down lead into the list, and Escape first clear the search."""
        if watched is not self.search or not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_return()
            return True
        if event.key() == Qt.Key.Key_Down:
            self.list.setFocus()
            self.list.setCurrentRow(max(self.list.currentRow(), 0))
            return True
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
            return True
        return False

    def _fill(self, names: list[str], lines: dict[str, str] | None = None) -> None:
        """List pages, each with the line that was found; the page in sight stays chosen where it is among them."""
        was_blocked = self.list.blockSignals(True)
        self.list.clear()
        for name in names:
            title, line = self._pages[name].title, (lines or {}).get(name, "")
            shown = line if len(line) <= _LONGEST else line[:_LONGEST].rstrip() + "…"
            item = QListWidgetItem(f"{title}\n{shown}" if shown else title)
            item.setData(_NAME, name)
            self.list.addItem(item)
        self.list.setCurrentRow(self._row_of(self.current))
        self.list.blockSignals(was_blocked)

    def _row_of(self, name: str) -> int:
        rows = range(self.list.count())
        return next((row for row in rows if self.list.item(row).data(_NAME) == name), -1)

    def _on_typed(self, typed: str) -> None:
        found = search(self._pages, typed)
        if typed.strip():
            self._fill([each.name for each in found], {each.name: each.line for each in found})
            self.hits.setText(tr("{pages:page|pages}", pages=len(found)) if found else tr("Nothing found"))
        else:
            self._fill(list(self._pages))
            self.hits.clear()
        self._mark()

    def _on_return(self) -> None:
        """Open the best page; once it is open, go from place to place on it."""
        if self.list.count() and self._row_of(self.current) < 0:
            self.list.setCurrentRow(0)
        elif self.search.text().strip():
            self.next_hit()

    def _on_chosen(self, item: QListWidgetItem | None, _before: QListWidgetItem | None = None) -> None:
        if item is None or item.data(_NAME) == self.current:
            return
        if self.current:
            self._past.append(self.current)
        self._read(str(item.data(_NAME)))

    def _read(self, name: str) -> None:
        self.current = name
        self.page.setMarkdown(self._pages[name].read())
        self.back.setEnabled(bool(self._past))
        self._mark()
        if self.search.text().strip():
            self._find_from(QTextCursor(self.page.document()))

    def _mark(self) -> None:
        """Mark every place of the page that is searched for."""
        marks, pattern = [], self._pattern()
        at = QTextCursor(self.page.document())
        while pattern is not None and not (at := self.page.document().find(pattern, at)).isNull():
            mark = QTextEdit.ExtraSelection()
            mark.cursor = at
            mark.format.setBackground(theme.color("changed"))
            marks.append(mark)
        self.page.setExtraSelections(marks)

    def _find_from(self, start: QTextCursor) -> bool:
        pattern = self._pattern()
        found = self.page.document().find(pattern, start) if pattern is not None else QTextCursor()
        if found.isNull():
            return False
        self.page.setTextCursor(found)
        self.page.ensureCursorVisible()
        return True

    def _pattern(self) -> QRegularExpression | None:
        words = self.search.text().split()
        if not words:
            return None
        either = "|".join(QRegularExpression.escape(word) for word in words)
        return QRegularExpression(either, QRegularExpression.PatternOption.CaseInsensitiveOption)

    def _on_back(self) -> None:
        if self._past:
            name = self._past.pop()
            self.current = ""  # going back is no step to come back from
            self.show_page(name)
            self.back.setEnabled(bool(self._past))

    def _on_link(self, address: QUrl) -> None:
        if address.scheme() in ("http", "https"):
            QDesktopServices.openUrl(address)
        else:
            self.show_page(page_of_link(address.path(), self.current))
