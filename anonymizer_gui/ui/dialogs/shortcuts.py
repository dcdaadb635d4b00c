"""All actions with their keys: searchable, and each key can be changed."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.shell.action_set import ActionSet
from anonymizer_gui.ui.widgets.layout_pieces import resize_in_lines
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.note import Note
from anonymizer_gui.workspace.settings import Settings

_NAME = Qt.ItemDataRole.UserRole


class ShortcutsDialog(QDialog):
    """Lists every action; choose one, press keys, set them."""

    def __init__(self, actions: ActionSet, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shortcuts")
        self.setWindowTitle(tr("Keyboard Shortcuts"))
        self._actions = actions
        self._settings = settings
        self.search = named(QLineEdit(clearButtonEnabled=True), "shortcut_search")
        self.list = named(QTreeWidget(), "shortcut_list")
        self.list.setRootIsDecorated(False)
        self.keys = named(QKeySequenceEdit(), "shortcut_keys")
        self.set_button = named(QPushButton(tr("Set")), "shortcut_set")
        self.reset_button = named(QPushButton(tr("Default")), "shortcut_default")
        self.note = Note()
        self._items: list[QTreeWidgetItem] = []
        self._build()
        self._connect()
        self._fill()

    def _build(self) -> None:
        self.search.setPlaceholderText(tr("Search"))
        self.search.setAccessibleName(tr("Search"))
        self.list.setHeaderLabels([tr("Action"), tr("Keys"), tr("Menu")])
        self.list.setAccessibleName(tr("Actions"))
        self.keys.setMaximumSequenceLength(1)
        self.keys.setAccessibleName(tr("New keys"))
        row = QHBoxLayout()
        label = QLabel(tr("New keys"))
        label.setBuddy(self.keys)
        for widget in (label, self.keys, self.set_button, self.reset_button):
            row.addWidget(widget)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        theme.plain_buttons(buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(self.search)
        layout.addWidget(self.list, 1)
        layout.addLayout(row)
        layout.addWidget(self.note)
        layout.addWidget(buttons)
        resize_in_lines(self, 40, 30)

    def _connect(self) -> None:
        self.search.textChanged.connect(self._on_search)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.set_button.clicked.connect(self._on_set)
        self.reset_button.clicked.connect(self._on_default)

    def _fill(self) -> None:
        for name, action in self._actions.table.items():
            keys = self._actions.shortcut(name).toString(QKeySequence.SequenceFormat.NativeText)
            item = QTreeWidgetItem([tr(action.title), keys, tr(action.menu) if action.menu else ""])
            item.setData(0, _NAME, name)
            self._items.append(item)
            self.list.addTopLevelItem(item)
        for column in (0, 1):
            self.list.resizeColumnToContents(column)
        if self._items:
            self.list.setCurrentItem(self._items[0])

    def _on_search(self, text: str) -> None:
        for item in self._items:
            words = " ".join(item.text(column) for column in range(3)).casefold()
            item.setHidden(text.casefold() not in words)

    def _on_chosen(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self.keys.setKeySequence(self._actions.shortcut(item.data(0, _NAME)))
            self.note.show_note("info", "")

    def _on_set(self) -> None:
        name = self._chosen()
        keys = self.keys.keySequence().toString()
        taken = self._holder_of(keys, name)
        if taken:
            self.note.show_note("bad", tr("These keys belong to “{action}”.", action=taken))
            return
        self._store({**self._settings.preferences.shortcuts, name: keys})

    def _on_default(self) -> None:
        name = self._chosen()
        self._store({key: keys for key, keys in self._settings.preferences.shortcuts.items() if key != name})

    def _store(self, shortcuts: dict[str, str]) -> None:
        self._settings.change(shortcuts=shortcuts)
        self._actions.set_shortcuts(shortcuts)
        keys = self._actions.shortcut(self._chosen())
        item = self.list.currentItem()
        if item is not None:
            item.setText(1, keys.toString(QKeySequence.SequenceFormat.NativeText))
        self.keys.setKeySequence(keys)
        self.note.show_note("good", tr("Set."))

    def _chosen(self) -> str:
        item = self.list.currentItem()
        return "" if item is None else str(item.data(0, _NAME))

    def _holder_of(self, keys: str, but: str) -> str:
        for name, action in self._actions.table.items():
            if keys and name != but and self._actions.shortcut(name).toString() == keys:
                return tr(action.title)
        return ""
