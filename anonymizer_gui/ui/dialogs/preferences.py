"""Preferences and keyboard shortcuts."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
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
from anonymizer_gui.ui.actions import ActionRegistry
from anonymizer_gui.ui.i18n import LANGUAGES, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.settings import Settings


class PreferencesDialog(QDialog):
    """Changes take effect at once."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preferences")
        self.setWindowTitle(tr("Preferences"))
        self._settings = settings
        self.theme = name_widget(QComboBox(), "pref_theme")
        self.language = name_widget(QComboBox(), "pref_language")
        self.log_level = name_widget(QComboBox(), "pref_log")
        self.remember = name_widget(QCheckBox(tr("Remember recent files")), "pref_recent")
        self.forget = name_widget(QPushButton(tr("Forget Recent Files Now")), "pref_forget")
        self.forget.setAutoDefault(False)  # the return key forgets nothing
        self._build()
        self._connect()

    def _build(self) -> None:
        preferences = self._settings.preferences
        _fill(self.theme, {"system": tr("As the system"), "light": tr("Light"), "dark": tr("Dark")}, preferences.theme)
        _fill(self.language, {"system": tr("As the system"), **LANGUAGES}, preferences.language)
        _fill(self.log_level, {"info": tr("Everything"), "warning": tr("Warnings only")}, preferences.log_level)
        self.remember.setChecked(preferences.remember_recent)
        form = QFormLayout()
        form.addRow(tr("Colours"), self.theme)
        form.addRow(tr("Language"), self.language)
        form.addRow(tr("Log"), self.log_level)
        form.addRow(self.remember)
        form.addRow(self.forget)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        theme.strip_button_icons(buttons)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(buttons)

    def _connect(self) -> None:
        self.theme.activated.connect(lambda: self._settings.change(theme=self.theme.currentData()))
        self.language.activated.connect(lambda: self._settings.change(language=self.language.currentData()))
        self.log_level.activated.connect(lambda: self._settings.change(log_level=self.log_level.currentData()))
        self.remember.toggled.connect(self._on_remember)
        self.forget.clicked.connect(lambda: self._settings.forget_recent())

    def _on_remember(self, wanted: bool) -> None:
        self._settings.change(remember_recent=wanted)
        if not wanted:
            self._settings.forget_recent()


def _fill(box: QComboBox, words: dict[str, str], chosen: str) -> None:
    for name, text in words.items():
        box.addItem(text, name)
    box.setCurrentIndex(box.findData(chosen))


_NAME = Qt.ItemDataRole.UserRole


class ShortcutsDialog(QDialog):
    """Lists every action; choose one, press keys, set them."""

    def __init__(self, actions: ActionRegistry, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shortcuts")
        self.setWindowTitle(tr("Keyboard Shortcuts"))
        self._actions = actions
        self._settings = settings
        self.search = name_widget(QLineEdit(clearButtonEnabled=True), "shortcut_search")
        self.list = name_widget(QTreeWidget(), "shortcut_list")
        self.list.setRootIsDecorated(False)
        self.keys = name_widget(QKeySequenceEdit(), "shortcut_keys")
        self.set_button = name_widget(QPushButton(tr("Set")), "shortcut_set")
        self.reset_button = name_widget(QPushButton(tr("Default")), "shortcut_default")
        self.note = InlineMessage()
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
        theme.strip_button_icons(buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(self.search)
        layout.addWidget(self.list, 1)
        layout.addLayout(row)
        layout.addWidget(self.note)
        layout.addWidget(buttons)
        resize_in_text_lines(self, 40, 30)

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
