"""The line above the editor: which column this is, how its hierarchy stands, and where hierarchies come from."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies.columns_model import ColumnState
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.plain_text import plain


class ElidedLabel(QLabel):
    """A line of text that ends in dots where there is no room for all of it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as much of the text as fits."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


class HierarchyToolRow(QWidget):
    """Name and state of the column with buttons for proposing, building, importing, exporting and reusing."""

    wanted = Signal(str)
    """The id of the page's action somebody asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("hierarchy_tools")
        self.column = named(ElidedLabel(), "hierarchy_column_name")
        self.state = named(ElidedLabel(), "hierarchy_column_state")
        self.buttons: dict[str, QToolButton] = {}
        self.entries: dict[str, QAction] = {}
        self._build()

    def show_state(self, state: ColumnState | None, has_hierarchy: bool, has_any: bool) -> None:
        """Show the column that is looked at; some things need its hierarchy, some that of any column."""
        self.column.setText(state.name if state else "")
        words = " · ".join(text for text in (state.words, state.note) if text) if state else ""
        self.state.setText(words)
        self.state.setToolTip(plain(words))
        for name in ("propose", "build", "import", "library"):
            self.buttons[name].setEnabled(state is not None)
        self.buttons["export"].setEnabled(has_any)
        for name in ("export_file", "library_save", "remove"):
            self.entries[name].setEnabled(has_hierarchy)

    def show_icons(self) -> None:
        """Draw the icons in the colours of the present theme."""
        icons = {"propose": "suggest"}
        for name, button in self.buttons.items():
            button.setIcon(theme.icon(icons.get(name, name)))

    def _build(self) -> None:
        font = self.column.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.2)
        self.column.setFont(font)
        self.column.setTextFormat(Qt.TextFormat.PlainText)
        self.state.setForegroundRole(self.state.foregroundRole().PlaceholderText)
        for label in (self.column, self.state):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout()
        row.addWidget(self.column, 1)
        row.addWidget(self._button("propose", tr("Propose"), tr("Propose a hierarchy from the values of the column")))
        row.addWidget(self._button("build", tr("Build…"), tr("Build a hierarchy by a rule, with a preview")))
        row.addWidget(self._menu_button("import", tr("Import"), _imports()))
        row.addWidget(self._menu_button("export", tr("Export"), _exports()))
        row.addWidget(self._menu_button("library", tr("Library"), _library()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.state)

    def _button(self, name: str, title: str, tip: str) -> QToolButton:
        button = named(QToolButton(), f"hierarchy_{name}", tip=tip)
        button.setText(title)
        button.setStatusTip(tip)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        side = round(1.1 * self.fontMetrics().height())
        button.setIconSize(QSize(side, side))
        button.setAccessibleName(title)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda: self.wanted.emit(name))
        self.buttons[name] = button
        return button

    def _menu_button(self, name: str, title: str, entries: tuple[tuple[str, str], ...]) -> QToolButton:
        button = self._button(name, title, title)
        menu = QMenu(button)
        for entry, words in entries:
            action = menu.addAction(words)
            action.setObjectName(f"hierarchy_{entry}")
            self.entries[entry] = action
            action.triggered.connect(lambda _checked=False, chosen=entry: self.wanted.emit(chosen))
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button


def _imports() -> tuple[tuple[str, str], ...]:
    return ("import_file", tr("Hierarchy File for This Column…")), ("import_folder", tr("Folder for All Columns…"))


def _exports() -> tuple[tuple[str, str], ...]:
    return ("export_file", tr("This Hierarchy…")), ("export_folder", tr("All Hierarchies into a Folder…"))


def _library() -> tuple[tuple[str, str], ...]:
    return (
        ("library_open", tr("Use a Saved Hierarchy…")),
        ("library_save", tr("Save This Hierarchy to the Library…")),
        ("remove", tr("Remove the Hierarchy of This Column")),
    )
