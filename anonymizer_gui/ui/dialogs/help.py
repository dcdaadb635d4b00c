"""The help pages, offline, beside the window."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.help_pages import help_pages, page_behind
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.layout_pieces import resize_in_lines
from anonymizer_gui.ui.widgets.named import named

_NAME = Qt.ItemDataRole.UserRole
START = "start"


class HelpWindow(QDialog):
    """A list of pages and the page; links lead from page to page."""

    def __init__(self, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("help")
        self.setWindowTitle(tr("Help"))
        self._pages = help_pages(language)
        self.list = named(QListWidget(), "help_list", spoken=tr("Help pages"))
        self.page = named(QTextBrowser(), "help_page", spoken=tr("Help page"))
        self.back = named(QToolButton(autoRaise=True), tip=tr("Back"), spoken=tr("Back"))
        self._past: list[str] = []
        self._build()
        self.page.setOpenLinks(False)
        self.page.anchorClicked.connect(self._on_link)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.back.clicked.connect(self._on_back)

    @property
    def current(self) -> str:
        """The name of the page in sight."""
        item = self.list.currentItem()
        return str(item.data(_NAME)) if item is not None else ""

    def show_page(self, name: str) -> None:
        """Show a page; one that does not exist leads to the first."""
        wanted = name if name in self._pages else START
        for row in range(self.list.count()):
            if self.list.item(row).data(_NAME) == wanted:
                self.list.setCurrentRow(row)

    def _build(self) -> None:
        for name, page in self._pages.items():
            item = QListWidgetItem(page.title)
            item.setData(_NAME, name)
            self.list.addItem(item)
        theme.put_icon(self.back, "undo")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        splitter = QSplitter()
        splitter.addWidget(self.list)
        splitter.addWidget(self.page)
        splitter.setStretchFactor(1, 1)
        line = self.fontMetrics().height()
        splitter.setSizes([line * 15, line * 40])
        top = QHBoxLayout()
        top.addWidget(self.back)
        top.addStretch()
        layout = QVBoxLayout(self)
        layout.addLayout(top)
        layout.addWidget(splitter, 1)
        resize_in_lines(self, 52, 36)

    def _on_chosen(self, item: QListWidgetItem | None, before: QListWidgetItem | None = None) -> None:
        if item is None:
            return
        if before is not None:
            self._past.append(before.data(_NAME))
        self.page.setMarkdown(self._pages[item.data(_NAME)].read())
        self.back.setEnabled(bool(self._past))

    def _on_back(self) -> None:
        if self._past:
            name = self._past.pop()
            self.show_page(name)
            self._past.pop()
            self.back.setEnabled(bool(self._past))

    def _on_link(self, address: QUrl) -> None:
        if address.scheme() in ("http", "https"):
            QDesktopServices.openUrl(address)
        else:
            self.show_page(page_behind(address.path(), self.current))
