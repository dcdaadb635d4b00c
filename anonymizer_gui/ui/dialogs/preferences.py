"""What can be set: language, colours, what is remembered."""

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import LANGUAGES, tr
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.workspace.settings import Settings


class PreferencesDialog(QDialog):
    """Changes take effect at once."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preferences")
        self.setWindowTitle(tr("Preferences"))
        self._settings = settings
        self.theme = named(QComboBox(), "pref_theme")
        self.language = named(QComboBox(), "pref_language")
        self.log_level = named(QComboBox(), "pref_log")
        self.remember = named(QCheckBox(tr("Remember recent files")), "pref_recent")
        self.forget = named(QPushButton(tr("Forget Recent Files Now")), "pref_forget")
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
        theme.plain_buttons(buttons)
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
