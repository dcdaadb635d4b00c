"""Which hierarchies may leave although they list values of the table: none unless it is said."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines, scroll_column


class PublicValuesDialog(QDialog):
    """A box for each hierarchy; what is ticked is kept with all of its values."""

    chosen = Signal(object)
    """Carries the columns whose values are public."""

    def __init__(
        self, columns: Sequence[str], title: str, words: str, done: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("public_values")
        self.setWindowTitle(title)
        self._words, self._done = words, done
        self.boxes = {name: name_widget(QCheckBox(_as_text(name)), f"public_{name}") for name in columns}
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._build()

    def ticked(self) -> list[str]:
        """Name the columns whose values are public."""
        return [name for name, box in self.boxes.items() if box.isChecked()]

    def accept(self) -> None:
        """Tell the choice."""
        super().accept()
        self.chosen.emit(self.ticked())

    def _build(self) -> None:
        words = QLabel(self._words, wordWrap=True)
        inside = QWidget()
        rows = QVBoxLayout(inside)
        for box in self.boxes.values():
            rows.addWidget(box, 0, Qt.AlignmentFlag.AlignTop)
        rows.addStretch(1)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(self._done)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(words)
        layout.addWidget(scroll_column(inside), 1)
        layout.addWidget(self.buttons)
        resize_in_text_lines(self, 32, 18)


def _as_text(name: str) -> str:
    """Show an ampersand as it is: a box would take it for the letter it is reached by."""
    return name.replace("&", "&&")
