"""A record as people read it: JSON with a line for each entry, or XML."""

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit

from anonymizer_gui.engine.data.trees.trees import FileForm, Vertex
from anonymizer_gui.engine.data.trees.writing import element_text, json_text
from anonymizer_gui.ui.widgets.accessibility import name_widget


def record_text(record: Vertex, form: FileForm) -> str:
    """Give the text of one record."""
    return element_text(record, record.tag) if form.is_xml else json_text(record, indent=2)


def fixed_text(name: str, spoken: str) -> QPlainTextEdit:
    """Make a field that shows records, in letters of one width."""
    text = name_widget(QPlainTextEdit(readOnly=True), name, spoken=spoken)
    text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    return text
