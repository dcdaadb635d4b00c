"""The options of the import dialog: the preview follows each of them, and only those that count are asked."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QComboBox, QLineEdit, QProxyStyle, QStyle, QStyleOption, QStyleOptionHeader, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.data.tables.io import read_table, write_table
from anonymizer_gui.engine.data.tables.table import ColumnType
from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog
from tests.ui.dialogs.import_dialogs import choose, first_row, names, pick_type, put, write


def test_the_preview_follows_the_delimiter(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "a,b;c\n1,2;3\n4,5;6\n"))
    choose(qtbot, dialog, "delimiter", "semicolon")
    assert names(dialog) == ["a,b", "c"]
    choose(qtbot, dialog, "delimiter", ",")
    assert names(dialog) == ["a", "b;c"]


def test_the_preview_follows_the_header(qtbot: QtBot, opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "name,age\nAda,36\n"))
    choose(qtbot, dialog, "header", False)
    assert first_row(dialog) == ["name", "age"]


def test_the_preview_follows_the_encoding(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "name\nJosé\nZoë\n", "cp1252"))
    choose(qtbot, dialog, "encoding", "utf-8")
    assert "utf-8" in dialog.note.label.text()
    assert not dialog.open_button.isEnabled()
    choose(qtbot, dialog, "encoding", "cp1252")
    assert first_row(dialog) == ["José"]
    assert dialog.open_button.isEnabled()


def test_the_preview_follows_what_means_missing(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "a,b\n?,1\nx,2\n"))
    choose(qtbot, dialog, "missing", "?")
    assert first_row(dialog) == ["(missing)", "1"]
    assert "chosen to mean missing" in dialog.note.label.text()


def test_the_decimal_mark_decides_what_is_a_number(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "charge;n\n1,5;1\n2,25;2\n3,75;3\n"))
    choose(qtbot, dialog, "decimal", ".")
    assert dialog.model.headerData(0, Qt.Orientation.Horizontal).endswith("category")
    choose(qtbot, dialog, "decimal", ",")
    assert dialog.model.headerData(0, Qt.Orientation.Horizontal).endswith("decimal")


def test_a_wrong_option_is_told_at_its_field(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "a,b\n1,2\n"))
    put(qtbot, dialog, "skip_lines", "many")
    assert dialog.side.form.rules["skip_lines"].text() == "Must be a whole number of at least 0."
    assert not dialog.open_button.isEnabled()


def test_a_single_column_makes_one_look_at_the_delimiter(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "a;b\n1;2\n"))
    assert dialog.note.label.text() == "The rows shown are read without repairs."
    choose(qtbot, dialog, "delimiter", ",")
    assert "choose another delimiter" in dialog.note.label.text()


def test_the_types_are_offered_under_their_column(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "name;age\nAnn;36\nBen;41\n"))
    head = dialog.view.horizontalHeader()
    head.sectionClicked.emit(1)
    menu = dialog.menu
    assert menu.pos().x() == head.viewport().mapToGlobal(QPoint(head.sectionViewportPosition(1), 0)).x()
    assert [entry.text() for entry in menu.actions() if entry.isChecked()] == ["integer"]
    menu.hide()


def shown_options(dialog: ImportTableDialog) -> list[str]:
    return [name for name, field in dialog.side.form.fields.items() if field.widget.isVisible()]


@pytest.mark.parametrize(
    ("suffix", "options"),
    [(".xlsx", ["header", "skip_lines", "decimal", "missing"]), (".parquet", ["decimal", "missing"])],
)
def test_only_what_the_format_heeds_is_asked(
    opened: Callable[..., ImportTableDialog], tmp_path: Path, suffix: str, options: list[str]
) -> None:
    path = tmp_path / f"lecture{suffix}"
    write_table(read_table(resource_path("samples", "lecture.csv"))[0], path)
    dialog = opened(path)
    assert shown_options(dialog) == options
    assert not dialog.side.query.isVisible()
    assert dialog.side.part.isVisible() == (suffix == ".xlsx")


def test_every_option_is_asked_for_delimited_text(opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,b\n1,2\n"))
    assert shown_options(dialog) == list(dialog.side.form.fields)


def test_a_database_in_a_file_is_asked_for_table_and_query(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], tmp_path: Path
) -> None:
    with sqlite3.connect(tmp_path / "people.db") as base:
        base.execute("CREATE TABLE patients (name TEXT, age INTEGER)")
        base.execute("CREATE TABLE stays (ward TEXT)")
        base.execute("INSERT INTO patients VALUES ('Ada', 36)")
    base.close()
    dialog = opened(tmp_path / "people.db")
    assert dialog.side.part.isVisible()
    with qtbot.waitSignal(dialog.model.modelReset):
        qtbot.keyClicks(dialog.side.query, "SELECT age FROM patients")
    assert names(dialog) == ["age"]
    with qtbot.waitSignal(dialog.model.modelReset):
        qtbot.keyClicks(dialog.side.query, " WHERE wage")
    assert dialog.note.label.text().startswith("“people.db” has no column “wage”.")
    assert not dialog.open_button.isEnabled()
    assert dialog.isVisible()


def test_a_type_that_does_not_fit_is_told_with_its_rows(
    opened: Callable[..., ImportTableDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "name,age\nAda,36\nBen,41\n"))
    pick_type(dialog, "name", ColumnType.INTEGER)
    assert "2 cells of “name” do not fit the type integer (rows 1, 2)." in dialog.note.label.text()
    pick_type(dialog, "name", ColumnType.TEXT)
    assert dialog.note.label.text() == "The rows shown are read without repairs."


def test_a_date_is_read_in_the_format_one_chooses(opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "day\n31/12/2024\n01/02/2024\n"))
    pick_type(dialog, "day", ColumnType.TEXT)
    pick_type(dialog, "day", ColumnType.DATE)
    assert "do not fit" in dialog.note.label.text()
    formats = dialog.side.type.format
    formats.setCurrentIndex(formats.findData("%d/%m/%Y"))
    formats.activated.emit(formats.currentIndex())
    assert "do not fit" not in dialog.note.label.text()


def test_no_word_of_the_options_is_cut_off(opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,b\n1,2\n"))
    for field in dialog.side.form.fields.values():
        box = field.widget
        if isinstance(box, QComboBox):
            longest = max(box.fontMetrics().horizontalAdvance(box.itemText(place)) for place in range(box.count()))
            assert box.width() > longest
        elif isinstance(box, QLineEdit):
            assert box.width() > box.fontMetrics().horizontalAdvance(box.placeholderText())


class NotingStyle(QProxyStyle):
    """Paints as ever and notes the heads that were painted."""

    def __init__(self) -> None:
        super().__init__()
        self.heads: set[str] = set()

    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        /,
        widget: QWidget | None = None,
    ) -> None:
        if isinstance(option, QStyleOptionHeader):
            self.heads.add(option.text)
        super().drawControl(element, option, painter, widget)


def test_name_and_type_of_a_column_are_readable_in_its_head(opened: Callable[..., ImportTableDialog]) -> None:
    dialog = opened(resource_path("samples", "lecture.csv"))
    style = NotingStyle()
    dialog.view.horizontalHeader().setStyle(style)
    dialog.grab()
    assert {"Zip\ninteger", "Nationality\ncategory"} <= style.heads
