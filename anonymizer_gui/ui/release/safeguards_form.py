"""Which keys and which ledger an export is given; the document holds them, the project never does."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.releases.signing import make_signing_key
from anonymizer_gui.engine.storage.keys import make_key
from anonymizer_gui.ui.dialogs.file_questions import ask_any
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.layout_pieces import name_file
from anonymizer_gui.workspace.engine_tasks import ExportSafeguards


class SafeguardsForm(QWidget):
    """Key file, ledger and signing key, each chosen or made."""

    chosen = Signal(object)
    """Carries what is chosen of key_file, ledger_file and signing_file."""
    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.key_label, self.ledger_label, self.signing_label = (QLabel(tr("none")) for _ in range(3))
        choose, make, none = tr("Choose…"), tr("Make…"), tr("Clear")
        key, ledger = tr("Key file"), tr("Ledger of releases")
        self.choose_key = _button(choose, key, lambda: ask_any(self, tr("Choose the Key File"), self.set_key_file))
        self.make_key = _button(make, key, lambda: ask_any(self, tr("Make a Key File"), self.new_key, new=True))
        self.choose_ledger = _button(
            choose, ledger, lambda: ask_any(self, tr("Choose or Make the Ledger"), self.set_ledger_file, new=True)
        )
        self.no_ledger = _button(none, ledger, lambda: self.set_ledger_file(""))
        self.no_ledger.setEnabled(False)
        signing = tr("Signing key")
        self.choose_signing = _button(
            choose, signing, lambda: ask_any(self, tr("Choose the Signing Key"), self.set_signing_file)
        )
        self.make_signing = _button(
            make, signing, lambda: ask_any(self, tr("Make a Signing Key"), self.new_signing_key, new=True)
        )
        self.no_signing = _button(none, signing, lambda: self.set_signing_file(""))
        rows = QFormLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        rows.addRow(key, _row(self.key_label, self.choose_key, self.make_key))
        rows.addRow(ledger, _row(self.ledger_label, self.choose_ledger, self.no_ledger))
        rows.addRow(signing, _row(self.signing_label, self.choose_signing, self.make_signing, self.no_signing))

    def show_files(self, files: ExportSafeguards) -> None:
        """Show which key and ledger are used."""
        name_file(self.key_label, files.key_file)
        name_file(self.ledger_label, files.ledger_file)
        self.no_ledger.setEnabled(bool(files.ledger_file))
        name_file(self.signing_label, files.signing_file)
        self.no_signing.setEnabled(bool(files.signing_file))

    def set_key_file(self, path: str) -> None:
        """Use this key file."""
        self.chosen.emit({"key_file": path})

    def set_ledger_file(self, path: str) -> None:
        """Use this ledger."""
        self.chosen.emit({"ledger_file": path})

    def set_signing_file(self, path: str) -> None:
        """Sign what leaves with this key; with none nothing is signed."""
        self.chosen.emit({"signing_file": path})

    def new_signing_key(self, path: str) -> None:
        """Make a key to sign with and use it."""
        try:
            make_signing_key(Path(path))
        except AnonymizerError as error:
            self.failed.emit(error)
            return
        self.set_signing_file(path)

    def new_key(self, path: str) -> None:
        """Make a key and use it."""
        try:
            make_key(Path(path))
        except AnonymizerError as error:
            self.failed.emit(error)
            return
        self.set_key_file(path)


def _button(text: str, about: str, action: Callable[[], None]) -> QPushButton:
    button = QPushButton(text)
    button.setAccessibleName(f"{about}: {text}")
    button.clicked.connect(lambda: action())
    return button


def _row(label: QLabel, *buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(label, 1)
    for button in buttons:
        row.addWidget(button)
    return row
