"""Long names of columns and releases make no page wider than the smallest window, in any language."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QTabWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.suggestions import suggest_columns
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.ui import i18n
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.release.page import ReleasePage, SafeguardsForm
from anonymizer_gui.ui.rooms.microdata.compare.page import ComparePage
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.rooms.microdata.policy_page import PolicyPage
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.rooms.microdata.utility_page import UtilityPage
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.engine_tasks import ExportSafeguards
from tests.engine.rooms.microdata.making import hospital_rows

ROOM = 842, 620
"""What is left for a page in a window of 1024x700."""
LONG = {
    "patient_identification_number": Role.EI,
    "age_of_the_person_at_the_admission": Role.QI,
    "postal_code_of_the_main_residence": Role.QI,
    "principal_diagnosis_at_the_discharge": Role.SA,
    "ward_of_the_first_week_after_admission": Role.SA,
}


def long_named(document: Document) -> Document:
    table = Table.from_rows(tuple(LONG), hospital_rows())
    trees = {
        name: Hierarchy.from_nested({"*": table.column(name).labels}) for name, role in LONG.items() if role is Role.QI
    }
    sensitive = [name for name, role in LONG.items() if role is Role.SA]
    goals = (KAnonymity(k=5), *(DistinctLDiversity(l=2, column=name) for name in sensitive))
    schema = Schema(tuple(ColumnSchema(name, role=role) for name, role in LONG.items()))
    document.set_table(table, Project(schema=schema, hierarchies=trees, goals=goals, algorithm=BottomUp()))
    document.run()
    return document


@pytest.fixture(params=["en", "de"])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    i18n.install_language(qapp, request.param)
    yield request.param
    i18n.install_language(qapp, "en")


@pytest.mark.parametrize(
    "kind", [DataPage, HierarchiesPage, ProtectPage, ComparePage, RiskPage, UtilityPage, PolicyPage, ReleasePage]
)
def test_a_page_with_long_names_fits_the_smallest_window(
    kind: type[Page], language: str, qtbot: QtBot, document: Document
) -> None:
    page = kind(long_named(document))
    qtbot.addWidget(page)
    page.resize(*ROOM)
    page.show()
    document.edit("x", suppression=0.01)
    for tabs in page.findChildren(QTabWidget):
        for place in range(tabs.count()):
            tabs.setCurrentIndex(place)
    qtbot.waitUntil(lambda: page.minimumSizeHint().width() > 0)
    needs = page.minimumSizeHint()
    assert (needs.width() <= ROOM[0], needs.height() <= ROOM[1]) == (True, True), (language, needs.toTuple())


def test_a_long_name_of_a_file_widens_nothing_and_tells_its_path(qtbot: QtBot) -> None:
    options = SafeguardsForm()
    qtbot.addWidget(options)
    options.show()
    before = options.minimumSizeHint().width()
    assert not options.no_ledger.isEnabled()
    path = "/somewhere/" + "_".join(["ledger", "of", "all", "releases", "of", "the", "hospital"] * 4) + ".ledger"
    options.chosen.connect(lambda chosen: options.show_files(ExportSafeguards(**chosen)))
    options.set_ledger_file(path)
    assert options.minimumSizeHint().width() <= before + options.fontMetrics().height() * 4
    assert options.ledger_label.toolTip() == path
    qtbot.mouseClick(options.no_ledger, Qt.MouseButton.LeftButton)
    assert (options.ledger_label.text(), options.no_ledger.isEnabled()) == ("none", False)


def test_suggestions_for_long_names_fit_the_smallest_window(language: str, qtbot: QtBot, document: Document) -> None:
    names = (
        "name_of_the_person_as_written_in_the_passport_of_the_federation",
        "Versicherungsnummernverzeichniseintrag",
    )
    table = Table.from_rows(names, [(f"A{row}", f"B{row}") for row in range(200)])
    document.set_table(table, Project(schema=Schema(tuple(ColumnSchema(name) for name in names))))
    page = DataPage(document)
    qtbot.addWidget(page)
    page.resize(*ROOM)
    page.show()
    page.suggestions.show_suggestions(suggest_columns(table))
    page.side.setTabVisible(page.side.indexOf(page.suggestions), True)
    page.side.setCurrentWidget(page.suggestions)
    assert page.minimumSizeHint().width() <= ROOM[0]
