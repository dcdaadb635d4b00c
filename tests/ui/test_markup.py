"""Markup in names of the user is shown as it is written: in tooltips, labels and questions."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex
from PySide6.QtCore import Qt as Core
from PySide6.QtGui import Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel, QMessageBox, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.bottom_up import BottomUp
from anonymizer_gui.engine.rooms.microdata.privacy.distinct_l import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.privacy.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.shapes.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.ui.dialogs.file_questions import ask_stop, ask_unsaved
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.release.safeguards_form import SafeguardsForm
from anonymizer_gui.ui.rooms.microdata.compare.page import ComparePage
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.rooms.microdata.risk.page import RiskPage
from anonymizer_gui.ui.rooms.microdata.utility.page import UtilityPage
from anonymizer_gui.ui.widgets.plain_text import plain
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.safeguards import SafeguardFiles
from tests.engine.rooms.microdata.making import hospital_rows

MARKUP = "<b>x{}</b>"
ROLES = (Role.EI, Role.QI, Role.QI, Role.SA, Role.OTHER)
MOST = 30


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
    "kind", [DataPage, HierarchiesPage, ProtectPage, ComparePage, RiskPage, UtilityPage, ReleasePage]
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


def test_no_question_takes_a_name_for_markup(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    ask_unsaved(window, "<b>x</b>", lambda _answer: None)
    ask_stop(window, "<b>x</b>", lambda: None)
    boxes = window.findChildren(QMessageBox)
    assert len(boxes) == 2
    assert {box.textFormat() for box in boxes} == {Core.TextFormat.PlainText}
    for box in boxes:
        box.reject()


def test_no_name_of_a_file_is_taken_for_markup(qtbot: QtBot, tmp_path: Path) -> None:
    form = SafeguardsForm()
    qtbot.addWidget(form)
    form.show_files(SafeguardFiles(key_file=f"{tmp_path}/<b>x<b>"))
    assert rendered(form) == []


def test_what_is_no_markup_stays_as_it_is() -> None:
    assert plain("a < b & c") == "a < b & c"
    assert plain("<b>x</b>\ny") == "<span>&lt;b&gt;x&lt;/b&gt;<br>y</span>"
