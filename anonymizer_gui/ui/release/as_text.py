"""A text to be copied or saved: the command line, or the script, for what is on screen."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QPlainTextEdit, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.storage.saving import write_text
from anonymizer_gui.engine.storage.sources import refuse_overwrite
from anonymizer_gui.ui.i18n import told, tr
from anonymizer_gui.ui.widgets.layout_pieces import resize_in_lines
from anonymizer_gui.ui.widgets.note import Note


class AsTextDialog(QDialog):
    """Shows a text with Copy and Save."""

    def __init__(
        self, title: str, text: str, suggested: str, parent: QWidget | None = None, own: Sequence[Path] = ()
    ) -> None:
        """Show a text; `own` are files that it may not be saved over."""
        super().__init__(parent)
        self._own = own
        self.setObjectName("as_text")
        self.setWindowTitle(title)
        self._suggested = suggested
        self.text = QPlainTextEdit(text, readOnly=True)
        self.text.setAccessibleName(title)
        self.note = Note()
        self._build()
        self.finished.connect(self.deleteLater)

    def copy(self) -> None:
        """Put the text on the clipboard."""
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.note.show_note("good", tr("Copied."))

    def save(self, path: str) -> None:
        """Write the text to a file; a failure is told here."""
        try:
            refuse_overwrite([Path(path)], self._own)
            write_text(Path(path), self.text.toPlainText())
        except AnonymizerError as error:
            self.note.show_note("bad", told(error))
        else:
            self.note.show_note("good", tr("Saved."))

    def _build(self) -> None:
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = QDialogButtonBox()
        buttons.addButton(tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole).clicked.connect(self.copy)
        buttons.addButton(tr("Save…"), QDialogButtonBox.ButtonRole.ActionRole).clicked.connect(self._on_save)
        buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.note)
        layout.addWidget(buttons)
        resize_in_lines(self, 44, 22)

    def _on_save(self) -> None:
        dialog = QFileDialog(self, tr("Save"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(self._suggested)
        dialog.fileSelected.connect(self.save)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
