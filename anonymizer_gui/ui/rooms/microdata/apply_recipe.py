"""Applying a recipe: which of its columns is which of this table."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.data.tables.table import Schema
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recipe import match_columns
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines, scroll_column
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.role_chip import role_name


class ApplyRecipeDialog(QDialog):
    """A box for each column of the recipe, set to the column it seems to be."""

    chosen = Signal(object)
    """Carries the column of the table for each column of the recipe."""

    def __init__(self, recipe: Project, schema: Schema, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("apply_recipe")
        self.setWindowTitle(tr("Apply Recipe"))
        self.boxes: dict[str, QComboBox] = {}
        self.note = InlineMessage()
        self._build(recipe, schema)
        self._show_note()

    def columns(self) -> dict[str, str]:
        """Give the choice: the column of the table, or nothing, for each column of the recipe."""
        return {name: box.currentData() for name, box in self.boxes.items()}

    def accept(self) -> None:
        """Tell the choice."""
        super().accept()
        self.chosen.emit(self.columns())

    def _build(self, recipe: Project, schema: Schema) -> None:
        likely = match_columns(recipe, schema)
        inside = QWidget()
        rows = QFormLayout(inside)
        for entry in recipe.schema.columns:
            box = name_widget(QComboBox(), f"column_{entry.name}")
            box.addItem(tr("(none)"), "")
            for column in schema.columns:
                box.addItem(column.name, column.name)
            box.setCurrentIndex(box.findData(likely[entry.name]))
            box.setAccessibleName(tr("Column for {column}", column=entry.name))
            box.currentIndexChanged.connect(lambda _place: self._show_note())
            label = QLabel(f"{entry.name} ({role_name(entry.role)})", textFormat=Qt.TextFormat.PlainText)
            label.setBuddy(box)
            rows.addRow(label, box)
            self.boxes[entry.name] = box
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Apply"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(tr("Each column of the recipe takes its role and hierarchy to:"), wordWrap=True))
        layout.addWidget(scroll_column(inside), 1)
        layout.addWidget(self.note)
        layout.addWidget(self.buttons)
        resize_in_text_lines(self, 32, 28)

    def _show_note(self) -> None:
        used = [name for name in self.columns().values() if name]
        twice = len(used) > len(set(used))
        without = sum(1 for name in self.columns().values() if not name)
        if twice:
            self.note.show_note("bad", tr("Two columns of the recipe go to the same column."))
        else:
            text = tr(
                "{n:column of the recipe has no counterpart and is|columns of the recipe have no counterpart and are} "
                "left out.",
                n=without,
            )
            self.note.show_note("warn", text if without else "")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(used) and not twice)
