"""Questions about databases: whether to call one up that a project names, and its password. None of them blocks."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLabel, QLineEdit, QMessageBox, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.data.tables.io import database_servers
from anonymizer_gui.engine.data.tables.io.read_write import engine_of
from anonymizer_gui.engine.scale.contract import is_for_cluster
from anonymizer_gui.engine.storage.sources import Address, Source, is_address, parse_address, without_password
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget

_SHOWN = 400


def ask_connect(parent: QWidget, sources: Mapping[str, Source], then: Callable[[], None]) -> None:
    """Ask whether the databases a project names may be called up; say where they are and what they are asked."""
    box = QMessageBox(
        QMessageBox.Icon.Question,
        tr("Call Up the Database?"),
        tr("This project takes its data from a database or a cluster. Call it up only if you know it."),
        QMessageBox.StandardButton.Cancel,
        parent,
    )
    box.setObjectName("call_up_database")
    # A project may come from anybody: none of its words may look like ours.
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText("\n\n".join(_described(source) for source in sources.values()))
    connect = box.addButton(tr("Call It Up"), QMessageBox.ButtonRole.AcceptRole)
    for button in box.buttons():
        button.setIcon(QIcon())
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    box.finished.connect(lambda _code: then() if box.clickedButton() is connect else None)
    box.finished.connect(box.deleteLater)
    box.open()


def ask_password(parent: QWidget, address: Address, then: Callable[[], None]) -> None:
    """Ask for the password of a database; it is kept while the program runs, in the keyring if that is wished."""
    dialog = PasswordDialog(address, parent)
    dialog.accepted.connect(then)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def address_without_password(text: str) -> str:
    """Give an address without the password in it, which is kept in mind; nobody needs to read it on the screen."""
    if not is_address(text) or without_password(text) == text:
        return text
    try:
        database_servers.keep_password(parse_address(text))
    except UnreadableFile:
        return text  # whoever opens it says what is wrong
    return without_password(text)


class PasswordDialog(QDialog):
    """One field, hidden letters, and whether the keyring of the computer shall keep it."""

    def __init__(self, address: Address, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("database_password")
        self.setWindowTitle(tr("Password of the Database"))
        self._address = address
        self.field = name_widget(QLineEdit(), "password", spoken=tr("Password"))
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.remember = name_widget(QCheckBox(tr("Keep it in the keyring of this computer")), "remember_password")
        self.remember.setVisible(database_servers.has_keyring())
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        label = QLabel(tr("“{place}” asks for a password. No file of this program keeps it.", place=address.place))
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        layout = QVBoxLayout(self)
        for widget in (label, self.field, self.remember, self.buttons):
            layout.addWidget(widget)
        theme.strip_button_icons(self.buttons)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def accept(self) -> None:
        """Keep the password for this run, and in the keyring if that is wished."""
        known = self._address.with_password(self.field.text())
        database_servers.keep_password(known)
        if self.remember.isVisible() and self.remember.isChecked():
            database_servers.remember_password(known)
        self.field.clear()
        super().accept()


def _described(source: Source) -> str:
    """Say where a source is and what it will be asked, in words of ours around those of the project."""
    try:
        place = parse_address(source.path).place
    except UnreadableFile:
        place = source.path
    if (cluster := engine_of(source)) and is_for_cluster(source.path):
        return tr("“{place}”, read by the cluster {address}", place=source.path[:_SHOWN], address=cluster[:_SHOWN])
    query, part = (str(source.options.get(name, "")) for name in ("query", "part"))
    if query:
        return tr("“{place}”, asked: {query}", place=place[:_SHOWN], query=query[:_SHOWN])
    return tr("“{place}”, table {part}", place=place[:_SHOWN], part=part[:_SHOWN] or tr("the first one"))
