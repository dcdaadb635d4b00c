"""The log of the program, with Copy."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.layout_pieces import resize_in_lines
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.workspace.messages import LogBuffer


class LogDialog(QDialog):
    """Shows what the program wrote down; new lines appear as they come."""

    def __init__(self, book: LogBuffer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("log")
        self.setWindowTitle(tr("Log"))
        self.lines = named(QPlainTextEdit("\n".join(book.lines), readOnly=True), spoken=tr("Log"))
        self.copy_button = QPushButton(tr("Copy"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        theme.plain_buttons(buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(tr("The log never holds cells of your tables.")))
        layout.addWidget(self.lines)
        layout.addWidget(buttons)
        resize_in_lines(self, 45, 25)
        self.copy_button.clicked.connect(self._on_copy)
        book.written.connect(self.lines.appendPlainText)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.lines.toPlainText())
