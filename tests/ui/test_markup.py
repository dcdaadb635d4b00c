"""Markup in names of the user is shown as it is written: in tooltips, labels and questions."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex
from PySide6.QtCore import Qt as Core
from PySide6.QtGui import Qt
from PySide6.QtWidgets import QAbstractItemView, QDialog, QLabel, QMessageBox, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui import ui
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.files import FolderMatch, read_hierarchies
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question
from anonymizer_gui.engine.storage.sources import Source, parse_address
from anonymizer_gui.ui.dialogs.database_dialogs import PasswordDialog, ask_connect
from anonymizer_gui.ui.dialogs.file_dialogs import ask_room, ask_stop, ask_unsaved
from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog
from anonymizer_gui.ui.hierarchies.builder_dialog import BuilderDialog
from anonymizer_gui.ui.hierarchies.library import HierarchyLibrary, LibraryDialog, SaveDialog
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.hierarchies.sources import FolderImportDialog
from anonymizer_gui.ui.hierarchies.tree_commands import NodeSelection
from anonymizer_gui.ui.hierarchies.tree_editor import SplitIntervalDialog
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.release.page import ReleasePage, SafeguardsForm, ScriptDialog
from anonymizer_gui.ui.release.release_history import ReleaseHistoryDialog
from anonymizer_gui.ui.release.verify_dialog import VerifyDialog
from anonymizer_gui.ui.room_view import all_views, view_of
from anonymizer_gui.ui.rooms.microdata.compare.page import ComparePage
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.rooms.microdata.output_panel import ApproveColumnsDialog
from anonymizer_gui.ui.rooms.microdata.policy_page import PolicyPage
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.rooms.microdata.recipes import PublicValuesDialog
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.rooms.microdata.utility_page import UtilityPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.widgets.accessibility import plain_text
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.engine_tasks import ExportSafeguards
from tests.engine.rooms.microdata.making import hospital_rows
from tests.ui.test_dialogs import MAKERS

MARKUP = "<b>x{}</b>"
ROLES = (Role.EI, Role.QI, Role.QI, Role.SA, Role.OTHER)
MOST = 30
UI = Path(ui.__path__[0])
SOURCES = {path.relative_to(UI).as_posix(): path.read_text(encoding="utf-8") for path in sorted(UI.rglob("*.py"))}


def marked(document: Document) -> Document:
    names = [MARKUP.format(place) for place in range(len(ROLES))]
    rows = [[f"<b>x{cell}</b>" for cell in row] for row in hospital_rows()]
    table = Table.from_rows(names, rows)
    trees = {name: Hierarchy.from_nested({"*": table.column(name).labels}) for name in names[1:3]}
    schema = Schema(tuple(ColumnSchema(name, role=role) for name, role in zip(names, ROLES, strict=True)))
    goals = KAnonymity(k=5), DistinctLDiversity(l=2, column=names[3])
    project = Project("<b>xp</b>", schema=schema, hierarchies=trees, goals=goals, algorithm=BottomUp())
    document.set_table(table, project)
    document.run(name="<b>xr</b>")
    return document


def tips(model: QAbstractItemModel) -> Iterator[str]:
    """Give the tooltips of the first columns and rows; models that are lists know their own width only inside."""
    tip = Core.ItemDataRole.ToolTipRole
    is_list = isinstance(model, QAbstractListModel)
    for column in range(1 if is_list else min(model.columnCount(QModelIndex()), MOST)):
        yield model.headerData(column, Core.Orientation.Horizontal, tip) or ""
        for row in range(min(model.rowCount(QModelIndex()), MOST)):
            index = model.index(row, column, QModelIndex())
            yield model.data(index, tip) or ""
            for child in range(0 if is_list else min(model.rowCount(index), MOST)):
                yield model.data(model.index(child, 0, index), tip) or ""


def rendered(widget: QWidget) -> list[str]:
    """List the texts below a widget that hold a name of the user as markup."""
    found = [(part, part.toolTip()) for part in [widget, *widget.findChildren(QWidget)]]
    for view in widget.findChildren(QAbstractItemView):
        if view.model() is not None:
            found += [(view, tip) for tip in tips(view.model())]
    for label in widget.findChildren(QLabel):
        if label.textFormat() != Core.TextFormat.PlainText:
            found.append((label, label.text()))
    places = {f"{part.parent()} {part} {text}" for part, text in found if "<b>x" in text and Qt.mightBeRichText(text)}
    return sorted(places)


@pytest.mark.parametrize(
    "kind", [DataPage, HierarchiesPage, ProtectPage, ComparePage, RiskPage, UtilityPage, PolicyPage, ReleasePage]
)
def test_no_page_takes_a_name_for_markup(kind: type[Page], qtbot: QtBot, document: Document) -> None:
    page = kind(marked(document))
    qtbot.addWidget(page)
    page.show()
    document.edit("x", suppression=0.01)
    for tabs in page.findChildren(QTabWidget):
        for place in range(tabs.count()):
            tabs.setCurrentIndex(place)
    assert rendered(page) == []


@pytest.mark.parametrize("kind", view_of("statistics").pages(), ids=lambda kind: kind.__name__)
def test_no_page_of_statistics_takes_a_name_for_markup(
    kind: type[Page], qtbot: QtBot, document: Document, tmp_path: Path
) -> None:
    rows = [f"<b>x{'FM'[number % 2]}</b>,{20 + number}" for number in range(40)]
    path = marked_file(tmp_path, "<b>x<b>.csv", "\n".join(["<b>xsex</b>,<b>xage</b>", *rows]) + "\n")
    document.open_table(path, room="statistics")
    asked = ("count", "histogram <b>xsex</b> <b>xF</b>,<b>xM</b>", "mean <b>xage</b> 0 100")
    document.edit("Ask", questions=tuple(map(parse_question, asked)), rows=40)
    document.run(name="<b>xr</b>")
    assert document.releases
    page = kind(document)
    qtbot.addWidget(page)
    page.show()
    document.edit("Less", rows=39)
    assert rendered(page) == []


OTHER_ROOMS = {
    "baskets": "".join(f"<b>x{number % 2}</b>,<b>xbread</b>,<b>xmilk</b>\n" for number in range(40)),
    "graphs": "<b>xfrom</b>,<b>xto</b>\n"
    + "".join(f"<b>x{number}</b>,<b>x{(number * 7 + 1) % 30}</b>\n" for number in range(30)),
}


@pytest.mark.parametrize("room", OTHER_ROOMS)
def test_no_page_of_another_room_takes_a_name_for_markup(
    room: str, qtbot: QtBot, document: Document, tmp_path: Path
) -> None:
    document.open_table(marked_file(tmp_path, "<b>x<b>.csv", OTHER_ROOMS[room]), room=room)
    document.run(name="<b>xr</b>")
    assert document.files
    for kind in view_of(room).pages():
        page = kind(document)
        qtbot.addWidget(page)
        page.show()
        assert rendered(page) == []


def test_no_question_takes_a_name_for_markup(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    ask_unsaved(window, "<b>x</b>", lambda _answer: None)
    ask_stop(window, "<b>x</b>", lambda: None)
    ask_connect(window, {"table": Source("sqlite:///<b>x</b>", options={"part": "<b>x</b>"})}, lambda: None)
    boxes = window.findChildren(QMessageBox)
    assert len(boxes) == 3
    assert {box.textFormat() for box in boxes} == {Core.TextFormat.PlainText}
    ask_room(window, "<b>x</b>", all_views(), lambda _view: None)
    question = window.findChild(QDialog, "ask_room")
    assert question is not None
    assert rendered(question) == []
    for box in (*boxes, question):
        box.reject()


def test_every_message_box_shows_plain_text() -> None:
    """What is asked may hold names some day: none may guess."""
    boxes = {name: len(re.findall(r"QMessageBox\([\nQ]", source)) for name, source in SOURCES.items()}
    plain_ones = "setTextFormat(Qt.TextFormat.PlainText)"
    assert any(boxes.values())
    assert [name for name, count in boxes.items() if SOURCES[name].count(plain_ones) < count] == []
    ready_made = r"QMessageBox\.(?:about|critical|information|question|warning)\("
    assert [name for name, source in SOURCES.items() if re.search(ready_made, source)] == []


def test_every_model_that_has_tooltips_shows_them_as_plain_text() -> None:
    """Models of every room: a file that speaks of tooltips wraps its models, or wraps the texts itself."""
    models = r"\(QAbstract\w+Model\)"
    with_tips = {name: text for name, text in SOURCES.items() if re.search(models, text) and "ToolTipRole" in text}
    assert with_tips
    assert [
        name for name, text in with_tips.items() if "@plain_tooltips" not in text and "plain_text(" not in text
    ] == []


def marked_file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def marked_library(window: MainWindow, folder: Path) -> HierarchyLibrary:
    library = HierarchyLibrary(folder)
    library.save("<b>x<b>", next(iter(window.document.project.hierarchies.values())))
    return library


def marked_folder(window: MainWindow, folder: Path) -> FolderMatch:
    """Give hierarchies found for columns with markup in their names, one that does not fit and one for nothing."""
    tree = "<b>x1;*\n<b>x20</b>;*\n"
    marked_file(folder, "<b>x1<b>.csv", tree)
    marked_file(folder, "<b>x2<b>.csv", "<b>x</b>\n<b>x</b>;<b>xa</b>;*\n<b>x</b>;*\n")
    marked_file(folder, "<b>xnobody<b>.csv", tree)
    columns = ["<b>x1<b>", "<b>x2<b>", "<b>x3<b>"]
    table = Table.from_rows(columns, [["<b>x20</b>"] * 3, ["<b>x21</b>"] * 3])
    return read_hierarchies(folder, columns, table)


def marked_split(window: MainWindow) -> SplitIntervalDialog:
    tree = Hierarchy(["*", "<b>x10-20</b>", "10", "15"], [-1, 0, 1, 1], {1: Interval(10, 20)})
    return SplitIntervalDialog(NodeSelection(MARKUP, tree, (1,)), window)


def first_column(window: MainWindow) -> Column:
    assert window.document.table is not None
    return window.document.table.columns[1]


def kept_before(window: MainWindow, folder: Path) -> ReleaseHistoryDialog:
    window.document.save(folder / "p.anon")
    window.document.open_project(folder / "p.anon")
    return ReleaseHistoryDialog(window.document, window)


DIALOGS: dict[type[QDialog], Callable[[MainWindow, Path], QDialog]] = {
    **MAKERS,
    ApproveColumnsDialog: lambda window, _: ApproveColumnsDialog(["<b>x1</b>"], {"<b>x1</b>": "Look."}, window),
    ScriptDialog: lambda window, _: ScriptDialog("As Script", "<b>x</b>", "<b>x</b>", window),
    BuilderDialog: lambda window, _: BuilderDialog(window.document, first_column(window), window),
    ReleaseHistoryDialog: kept_before,
    FolderImportDialog: lambda window, folder: FolderImportDialog(marked_folder(window, folder), "<b>x</b>", window),
    ImportTableDialog: lambda window, folder: ImportTableDialog(
        window.document, str(marked_file(folder, "<b>x<b>.csv", "<b>xa</b>,<b>xb</b>\n<b>x1</b>,2\n")), window
    ),
    LibraryDialog: lambda window, folder: LibraryDialog(
        window.document, marked_library(window, folder), first_column(window), window
    ),
    PasswordDialog: lambda window, _: PasswordDialog(parse_address("postgresql://x@db/<b>x<b>"), window),
    PublicValuesDialog: lambda window, _: PublicValuesDialog(["<b>x1</b>"], "Public", "Tick.", "OK", window),
    SaveDialog: lambda window, folder: SaveDialog(marked_library(window, folder), "<b>x<b>", window),
    SplitIntervalDialog: lambda window, _: marked_split(window),
    VerifyDialog: lambda window, folder: VerifyDialog(window.document, folder / "<b>x<b>.csv", window),
}


@pytest.mark.parametrize("kind", DIALOGS, ids=lambda kind: kind.__name__)
def test_no_dialog_takes_a_name_for_markup(
    kind: type[QDialog], document: Document, make_window: Callable[[Document], MainWindow], tmp_path: Path
) -> None:
    window = make_window(marked(document))
    dialog = DIALOGS[kind](window, tmp_path)
    dialog.show()
    assert rendered(dialog) == []


def test_nothing_around_the_pages_takes_a_name_for_markup(
    document: Document, make_window: Callable[[Document], MainWindow], tmp_path: Path
) -> None:
    window = make_window(marked(document))
    document.save(tmp_path / "<b>x<b>.anon")
    window.settings.add_recent(tmp_path / "<b>x<b>.anon")
    document.messages.error("“<b>x</b>” is wrong.", "Look at <b>x</b>.", details="<b>x</b>")
    document.messages.success("“<b>x</b>” is saved.", "Look at <b>x</b>.")
    window.show_page("welcome")
    assert rendered(window) == []


def test_no_name_of_a_file_is_taken_for_markup(qtbot: QtBot, tmp_path: Path) -> None:
    form = SafeguardsForm()
    qtbot.addWidget(form)
    form.show_files(ExportSafeguards(key_file=f"{tmp_path}/<b>x<b>"))
    assert rendered(form) == []


def test_what_is_no_markup_stays_as_it_is() -> None:
    assert plain_text("a < b & c") == "a < b & c"
    assert plain_text("<b>x</b>\ny") == "<span>&lt;b&gt;x&lt;/b&gt;<br>y</span>"
