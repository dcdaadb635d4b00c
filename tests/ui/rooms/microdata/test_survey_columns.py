"""The columns of a survey are marked in the window, and an estimate is nowhere green."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QMenu
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.masking.noise_addition import AddNoise
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.presence import EstimatedKMap
from anonymizer_gui.ui.rooms.microdata.data.column_list import publication_text
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage, column_menu
from anonymizer_gui.ui.rooms.microdata.figures import release_figures
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.test_untruthful import released
from tests.ui.rooms.microdata.protect_documents import hospital_document, made_pages

Made = Callable[..., tuple[DataPage, Document]]


@pytest.fixture
def made(qtbot: QtBot) -> Iterator[Made]:
    yield from made_pages(qtbot, DataPage, run=False)


def entry(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text() == text).trigger()


def test_weight_and_household_are_marked_in_the_menu_of_a_column_and_undone(made: Made) -> None:
    page, document = made()
    entry(column_menu(page, "ward"), "Sampling Weight")
    entry(column_menu(page, "name"), "Household")
    assert (document.project.sampling_weight, document.project.household) == ("ward", "name")
    schema = document.project.schema
    assert publication_text(document.project, schema.column("ward")) == "unchanged, agreed; sampling weight"
    assert publication_text(document.project, schema.column("name")) == "removed; household"
    document.undo_stack.undo()
    assert document.project.household == ""
    entry(column_menu(page, "ward"), "Sampling Weight")
    assert document.project.sampling_weight == ""


def test_the_target_of_the_classification_metric_is_chosen_among_the_columns_that_leave(qtbot: QtBot) -> None:
    document = hospital_document(algorithm=BottomUp(objective="classification"))
    page = ProtectPage(document)
    qtbot.addWidget(page)
    box = page.findChild(QComboBox, "param_target")
    assert box is not None
    offered = [box.itemData(place) for place in range(box.count())]
    assert offered == ["", "disease", "ward", "age", "zip"]
    box.setCurrentIndex(1)
    assert document.project.algorithm == BottomUp(objective="classification", target="disease")
    document.close()


def test_a_goal_that_is_met_by_estimate_is_not_green() -> None:
    document = hospital_document(goals=(KAnonymity(5), EstimatedKMap(5, fraction=0.5)))
    document.run()
    figures = {figure.name: figure for figure in release_figures(document.releases[-1], None)}
    assert figures["promise_estimated-k-map"].tone == "info"
    assert (figures["goals"].text, figures["goals"].tone) == ("2/2", "info")
    assert figures["goals"].words == "All goals are met, 1 by estimate only."
    document.close()


def test_a_column_that_steps_have_changed_is_not_called_unchanged(tmp_path: Path) -> None:
    project = released(tmp_path, AddNoise(columns=("cost",), seed=3))[0].project
    assert publication_text(project, project.schema.column("cost")) == "masked, not protected"
    freed = project.agreeing_to(["cost"]).with_roles({"cost": Role.OTHER})
    assert publication_text(freed, freed.schema.column("cost")) == "masked, not yet agreed"
