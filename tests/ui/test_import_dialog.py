"""The import dialog: a live preview, errors inside it, and a table at the end."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QStyleOptionHeader
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.projects import opening
from anonymizer_gui.engine.projects.opening import Opened
from anonymizer_gui.engine.shapes.tables.io import read_table, write_table
from anonymizer_gui.engine.shapes.tables.table import ColumnType
from anonymizer_gui.ui.dialogs import file_questions
from anonymizer_gui.ui.dialogs.import_table import ImportDialog
from anonymizer_gui.ui.widgets.column_head import ColumnHead
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def opened(qtbot: QtBot, document: Document) -> Callable[[Path | str], ImportDialog]:
    """Give a function that opens the dialog on a source."""

    def make(source: Path | str) -> ImportDialog:
        dialog = ImportDialog(document, str(source))
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return make


def names(dialog: ImportDialog) -> list[str]:
    heads = range(dialog.model.columnCount())
    return [dialog.model.headerData(place, Qt.Orientation.Horizontal).split("\n")[0] for place in heads]


def first_row(dialog: ImportDialog) -> list[str]:
    return [dialog.model.index(0, place).data() for place in range(dialog.model.columnCount())]


def write(tmp_path: Path, text: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))
    return path


def choose(qtbot: QtBot, dialog: ImportDialog, name: str, value: object) -> None:
    """Change one option as a person would and wait until the preview follows."""
    widget = dialog.side.form.fields[name].widget
    if isinstance(widget, QComboBox) and widget.isEditable():
        widget.setEditText(str(value))
    elif isinstance(widget, QComboBox):
        widget.setCurrentIndex(widget.findData(value))
    elif isinstance(widget, QLineEdit):
        widget.selectAll()
        qtbot.keyClicks(widget, str(value))
    else:
        widget.click()
    if dialog._pause.isActive():
        with qtbot.waitSignal(dialog._pause.timeout):
            pass


def pick_type(dialog: ImportDialog, column: str, column_type: ColumnType) -> None:
    """Choose the type of a column in the lists beside the preview."""
    for box, place in (
        (dialog.side.column, dialog.side.column.findText(column)),
        (dialog.side.type.types, dialog.side.type.types.findData(column_type)),
    ):
        box.setCurrentIndex(place)
        box.activated.emit(place)


def test_the_proposed_options_are_set_and_the_rows_shown(opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "zip;age\n01234;36\n01235;41\n"))
    assert names(dialog) == ["zip", "age"]
    assert first_row(dialog) == ["01234", "36"]
    assert dialog.side.form.value().delimiter == ";"
    assert dialog.open_button.isEnabled()


def test_the_preview_follows_the_delimiter(qtbot: QtBot, opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,b;c\n1,2;3\n4,5;6\n"))
    choose(qtbot, dialog, "delimiter", "semicolon")
    assert names(dialog) == ["a,b", "c"]
    choose(qtbot, dialog, "delimiter", ",")
    assert names(dialog) == ["a", "b;c"]


def test_the_preview_follows_the_header(qtbot: QtBot, opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "name,age\nAda,36\n"))
    choose(qtbot, dialog, "header", False)
    assert first_row(dialog) == ["name", "age"]


def test_the_preview_follows_the_encoding(qtbot: QtBot, opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "name\nJosé\nZoë\n", "cp1252"))
    choose(qtbot, dialog, "encoding", "cp1252")
    assert first_row(dialog) == ["José"]
    choose(qtbot, dialog, "encoding", "utf-8")
    assert "utf-8" in dialog.note.label.text()
    assert not dialog.open_button.isEnabled()


def test_the_preview_follows_what_means_missing(
    qtbot: QtBot, opened: Callable[..., ImportDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "a,b\n?,1\nx,2\n"))
    choose(qtbot, dialog, "missing", "?")
    assert first_row(dialog) == ["(missing)", "1"]
    assert "chosen to mean missing" in dialog.note.label.text()


def test_the_decimal_mark_decides_what_is_a_number(
    qtbot: QtBot, opened: Callable[..., ImportDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "charge;n\n1,5;1\n2,25;2\n3,75;3\n"))
    choose(qtbot, dialog, "decimal", ".")
    assert dialog.model.headerData(0, Qt.Orientation.Horizontal).endswith("category")
    choose(qtbot, dialog, "decimal", ",")
    assert dialog.model.headerData(0, Qt.Orientation.Horizontal).endswith("decimal")


def test_a_wrong_option_is_told_at_its_field(qtbot: QtBot, opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,b\n1,2\n"))
    choose(qtbot, dialog, "skip_lines", "many")
    assert dialog.side.form.rules["skip_lines"].text() == "Must be a whole number of at least 0."
    assert not dialog.open_button.isEnabled()


def test_an_error_names_its_line_and_the_dialog_stays(opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,b\n1,2\n3,4,5\n"))
    assert dialog.note.label.text().startswith("Line 3 has 3 cells")
    assert first_row(dialog) == ["1", "2"]
    assert not dialog.open_button.isEnabled()
    assert dialog.isVisible()


def test_a_missing_file_is_told_in_the_dialog(opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(tmp_path / "missing.csv")
    assert "There is no file" in dialog.note.label.text()


def test_what_was_normalised_is_shown(opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,a\n 1 ,2\n3,4\n"))
    assert "is called" in dialog.note.label.text()
    assert "lost white space" in dialog.note.label.text()


def test_open_brings_the_table_with_the_chosen_types(
    qtbot: QtBot, opened: Callable[..., ImportDialog], document: Document, tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "age,day\n36,2024-01-31\n41,2024-02-01\n"))
    pick_type(dialog, "age", ColumnType.CATEGORY)
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert [column.type for column in document.project.schema.columns] == [ColumnType.CATEGORY, ColumnType.DATE]
    assert document.table is not None
    assert document.table.n_rows == 2


def test_an_error_deep_in_the_file_comes_back_into_the_dialog(
    qtbot: QtBot, opened: Callable[..., ImportDialog], document: Document, tmp_path: Path
) -> None:
    rows = "".join(f"{number},x\n" for number in range(5000))
    dialog = opened(write(tmp_path, f"a,b\n{rows}1,2,3\n"))
    assert dialog.open_button.isEnabled()
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert "Line 5,002 " in dialog.note.label.text()
    assert dialog.isVisible()
    assert document.table is None
    assert document.messages.open == ()


def test_a_table_of_a_database_is_chosen_and_opened(
    qtbot: QtBot, opened: Callable[..., ImportDialog], document: Document, tmp_path: Path
) -> None:
    pytest.importorskip("sqlalchemy", reason="the extra for databases is not installed")
    with sqlite3.connect(tmp_path / "people.db") as base:
        base.execute("CREATE TABLE patients (name TEXT, age INTEGER)")
        base.execute("INSERT INTO patients VALUES ('Ada', 36)")
    base.close()
    dialog = opened("")
    dialog.source.setText(f"sqlite:///{tmp_path / 'people.db'}")
    qtbot.keyClick(dialog.source, Qt.Key.Key_Return)
    assert [dialog.side.part.itemText(place) for place in range(dialog.side.part.count())] == ["patients"]
    assert first_row(dialog) == ["Ada", "36"]
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert document.table is not None
    assert document.table.names == ("name", "age")


def test_a_long_load_shows_progress_and_can_be_cancelled(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    started, pause = threading.Event(), threading.Event()

    def slow(_room: object, _source: object, progress: Progress, **_choices: object) -> None:
        started.set()
        while True:
            progress(0.5, "Reading")
            pause.wait(0.01)

    monkeypatch.setattr(opening, "begin_project", slow)
    document = Document()
    dialog = ImportDialog(document, str(resource_path("samples", "lecture.csv")))
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    qtbot.waitUntil(dialog.open_button.isEnabled)
    dialog.layout().activate()
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(started.is_set)
    qtbot.waitUntil(lambda: dialog.bar.value() == 500)
    assert dialog.bar.text() == "Reading"
    with qtbot.waitSignal(document.jobs.finished, timeout=1000):
        qtbot.mouseClick(dialog.buttons.buttons()[1], Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert dialog.open_button.isEnabled()
    dialog.reject()
    assert not dialog.isVisible()
    assert document.table is None
    document.close()


def test_a_single_column_makes_one_look_at_the_delimiter(
    qtbot: QtBot, opened: Callable[..., ImportDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "a;b\n1;2\n"))
    assert dialog.note.label.text() == "The rows shown are read without repairs."
    choose(qtbot, dialog, "delimiter", ",")
    assert "choose another delimiter" in dialog.note.label.text()


def test_the_types_are_offered_under_their_column(
    qtbot: QtBot, opened: Callable[..., ImportDialog], tmp_path: Path
) -> None:
    dialog = opened(write(tmp_path, "name;age\nAnn;36\nBen;41\n"))
    head = dialog.view.horizontalHeader()
    head.sectionClicked.emit(1)
    menu = dialog.menu
    assert menu.pos().x() == head.viewport().mapToGlobal(QPoint(head.sectionViewportPosition(1), 0)).x()
    assert [entry.text() for entry in menu.actions() if entry.isChecked()] == ["integer"]
    menu.hide()


def shown_options(dialog: ImportDialog) -> list[str]:
    return [name for name, field in dialog.side.form.fields.items() if field.widget.isVisible()]


@pytest.mark.parametrize(
    ("suffix", "options"),
    [(".xlsx", ["header", "skip_lines", "decimal", "missing"]), (".parquet", ["decimal", "missing"])],
)
def test_only_what_the_format_heeds_is_asked(
    opened: Callable[..., ImportDialog], tmp_path: Path, suffix: str, options: list[str]
) -> None:
    path = tmp_path / f"lecture{suffix}"
    write_table(read_table(resource_path("samples", "lecture.csv"))[0], path)
    dialog = opened(path)
    assert shown_options(dialog) == options
    assert not dialog.side.query.isVisible()
    assert dialog.side.part.isVisible() == (suffix == ".xlsx")


def test_every_option_is_asked_for_delimited_text(opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,b\n1,2\n"))
    assert shown_options(dialog) == list(dialog.side.form.fields)


def test_a_database_in_a_file_is_asked_for_table_and_query(
    qtbot: QtBot, opened: Callable[..., ImportDialog], tmp_path: Path
) -> None:
    with sqlite3.connect(tmp_path / "people.db") as base:
        base.execute("CREATE TABLE patients (name TEXT, age INTEGER)")
        base.execute("CREATE TABLE stays (ward TEXT)")
        base.execute("INSERT INTO patients VALUES ('Ada', 36)")
    base.close()
    dialog = opened(tmp_path / "people.db")
    assert dialog.side.part.isVisible()
    qtbot.keyClicks(dialog.side.query, "SELECT age FROM patients")
    with qtbot.waitSignal(dialog._pause.timeout):
        pass
    assert names(dialog) == ["age"]
    qtbot.keyClicks(dialog.side.query, " WHERE wage")
    with qtbot.waitSignal(dialog._pause.timeout):
        pass
    assert dialog.note.label.text().startswith("“people.db” has no column “wage”.")
    assert not dialog.open_button.isEnabled()
    assert dialog.isVisible()


def test_a_type_that_does_not_fit_is_told_with_its_rows(opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "name,age\nAda,36\nBen,41\n"))
    pick_type(dialog, "name", ColumnType.INTEGER)
    assert "2 cells of “name” do not fit the type integer (rows 1, 2)." in dialog.note.label.text()
    pick_type(dialog, "name", ColumnType.TEXT)
    assert dialog.note.label.text() == "The rows shown are read without repairs."


def test_cells_below_the_preview_that_do_not_fit_are_told_after_opening(
    qtbot: QtBot, opened: Callable[..., ImportDialog], document: Document, tmp_path: Path
) -> None:
    numbers = "".join(f"{number}\n" for number in range(1000))
    dialog = opened(write(tmp_path, f"age\n{numbers}old\n"))
    told: list[Opened] = []
    document.opened.connect(told.append)
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert told[0].notes == ("1 cell of “age” does not fit the type integer (row 1001).",)
    assert document.table is not None
    assert document.table.column("age").texts()[1000] == "old"


def test_a_date_is_read_in_the_format_one_chooses(opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "day\n31/12/2024\n01/02/2024\n"))
    pick_type(dialog, "day", ColumnType.TEXT)
    pick_type(dialog, "day", ColumnType.DATE)
    assert "do not fit" in dialog.note.label.text()
    formats = dialog.side.type.format
    formats.setCurrentIndex(formats.findData("%d/%m/%Y"))
    formats.activated.emit(formats.currentIndex())
    assert "do not fit" not in dialog.note.label.text()


def test_browse_takes_another_file(
    qtbot: QtBot, opened: Callable[..., ImportDialog], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = resource_path("samples", "lecture.csv")
    folders: list[str] = []

    def ask(_parent: object, folder: str, then: Callable[[Path], None], tables_only: bool) -> None:
        folders.append(folder)
        then(other)

    monkeypatch.setattr(file_questions, "ask_open", ask)
    dialog = opened(write(tmp_path, "a;b\n1;2\n"))
    qtbot.mouseClick(dialog.browse_button, Qt.MouseButton.LeftButton)
    assert folders == [str(tmp_path)]
    assert dialog.source.text() == str(other)
    assert names(dialog) == ["Zip", "Age", "Nationality", "Disease"]
    assert dialog.side.form.value().delimiter == ","


def test_a_file_dropped_on_the_dialog_is_read_instead(opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a;b\n1;2\n"))
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(resource_path("samples", "lecture.csv")))])
    at = dialog.source.mapTo(dialog, dialog.source.rect().center())
    how = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(dialog.windowHandle(), QDragEnterEvent(at, *how))
    QApplication.sendEvent(dialog.windowHandle(), QDropEvent(QPointF(at), *how))
    assert names(dialog) == ["Zip", "Age", "Nationality", "Disease"]


def test_no_word_of_the_options_is_cut_off(opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,b\n1,2\n"))
    for field in dialog.side.form.fields.values():
        box = field.widget
        if isinstance(box, QComboBox):
            longest = max(box.fontMetrics().horizontalAdvance(box.itemText(place)) for place in range(box.count()))
            assert box.width() > longest
        elif isinstance(box, QLineEdit):
            assert box.width() > box.fontMetrics().horizontalAdvance(box.placeholderText())


def test_name_and_type_of_a_column_are_readable_in_its_head(
    opened: Callable[..., ImportDialog], monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[str] = []
    elided = ColumnHead._elided

    def note(head: ColumnHead, option: QStyleOptionHeader) -> str:
        painted.append(elided(head, option))
        return painted[-1]

    monkeypatch.setattr(ColumnHead, "_elided", note)
    dialog = opened(resource_path("samples", "lecture.csv"))
    dialog.grab()
    assert {"Zip\ninteger", "Nationality\ncategory"} <= set(painted)


def test_the_preview_model_keeps_qts_rules(opened: Callable[..., ImportDialog], qtmodeltester: ModelTester) -> None:
    dialog = opened(resource_path("samples", "lecture.csv"))
    qtmodeltester.check(dialog.model, force_py=True)


def test_another_name_says_how_to_look_into_it(opened: Callable[..., ImportDialog], tmp_path: Path) -> None:
    dialog = opened(write(tmp_path, "a,b\n1,2\n"))
    (tmp_path / "other.csv").write_text("c;d\n1;2\n")
    dialog.source.setText(str(tmp_path / "other.csv"))
    assert not dialog.open_button.isEnabled()
    assert dialog.note.label.text() == "Press Return to look into it."
    dialog.connect_button.click()
    assert dialog.open_button.isEnabled()
    assert "read without repairs" in dialog.note.label.text()
