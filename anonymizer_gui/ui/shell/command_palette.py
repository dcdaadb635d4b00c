"""Everything that can be done, found by typing a few letters."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QKeySequence, QPixmap
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from anonymizer_gui.ui.actions import ActionRegistry
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines

_NAME = Qt.ItemDataRole.UserRole
_MOVES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}


class CommandPalette(QDialog):
    """A field and a list; Return does the chosen action, a disabled one says why it is."""

    def __init__(self, actions: ActionRegistry, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("command_palette")
        self.setWindowTitle(tr("Commands"))
        self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        self._actions = actions
        side = self.fontMetrics().height()
        nothing = QPixmap(side, side)
        nothing.fill(Qt.GlobalColor.transparent)
        self._blank = QIcon(nothing)
        self.field = name_widget(QLineEdit(placeholderText=tr("What do you want to do?")), "palette_text")
        self.list = name_widget(QTreeWidget(), "palette_list", spoken=tr("Commands"))
        self.list.setRootIsDecorated(False)
        self.field.setAccessibleName(tr("Search commands"))
        self.list.setHeaderHidden(True)
        self.list.setColumnCount(2)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.list.setIconSize(QSize(side, side))
        layout = QVBoxLayout(self)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self._actions.draw(self._actions.table)
        self._fill("")
        self._place(parent)
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._on_chosen)
        self.list.itemActivated.connect(self._on_chosen)
        self.field.installEventFilter(self)

    def _place(self, parent: QWidget) -> None:
        line = self.fontMetrics().height()
        resize_in_text_lines(self, 36, 24)
        top = parent.mapToGlobal(parent.rect().topLeft())
        self.move(top.x() + (parent.width() - self.width()) // 2, top.y() + line * 3)

    def _fill(self, text: str) -> None:
        self.list.clear()
        words = text.casefold().split()
        found: list[tuple[bool, bool, int, str]] = []
        for name, action in self._actions.table.items():
            title = self._actions.qt[name].iconText()
            haystack = f"{title} {tr(action.menu) if action.menu else ''}".casefold()
            if all(word in haystack for word in words):
                starts = bool(words) and title.casefold().startswith(words[0])
                found.append((not starts, not self._actions.qt[name].isEnabled(), len(found), name))
        for *_, name in sorted(found):
            self._add(name)
        self._go_to(0)

    def _add(self, name: str) -> None:
        made = self._actions.qt[name]
        keys = self._actions.shortcut(name).toString(QKeySequence.SequenceFormat.NativeText)
        item = QTreeWidgetItem([made.iconText(), keys if made.isEnabled() else self._actions.reason(name)])
        item.setIcon(0, made.icon() if not made.icon().isNull() else self._blank)
        item.setData(0, _NAME, name)
        item.setToolTip(0, made.statusTip())
        item.setDisabled(not made.isEnabled())
        self.list.addTopLevelItem(item)

    def _on_chosen(self) -> None:
        item = self.list.currentItem()
        if item is not None and not item.isDisabled():
            self.accept()
            self._actions.qt[item.data(0, _NAME)].trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while the cursor stays in the field."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            move = _MOVES.get(Qt.Key(event.key()))
            if move is not None:
                self._go_to(self.list.currentIndex().row() + move)
                return True
        return super().eventFilter(watched, event)

    def _go_to(self, row: int) -> None:
        item = self.list.topLevelItem(min(max(row, 0), self.list.topLevelItemCount() - 1))
        if item is not None:
            self.list.setCurrentItem(item)
