"""Every model of ours keeps the rules of models with the data of a finished project; none is forgotten."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractProxyModel
from PySide6.QtWidgets import QAbstractItemView
from pytestqt.modeltest import ModelTester

from anonymizer_gui import ui
from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.ui.dialogs.import_table import PreviewModel
from anonymizer_gui.ui.room_view import RoomView, all_views
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.widgets.text_table import MarkedTableModel, TextTableModel
from anonymizer_gui.workspace.document import Document


def model_classes() -> Iterator[type[QAbstractItemModel]]:
    """Find the models of the window."""
    for entry in pkgutil.walk_packages(ui.__path__, f"{ui.__name__}."):
        members = vars(importlib.import_module(entry.name)).values()
        ours = (kind for kind in members if isinstance(kind, type) and kind.__module__ == entry.name)
        yield from (kind for kind in ours if issubclass(kind, QAbstractItemModel))


MODELS = set(model_classes())
SHARED = {kind for kind in MODELS if ".rooms." not in kind.__module__}


def models_of(view: RoomView) -> set[type]:
    """Give the models to be looked at in a room: its own, and of those all may use what no other room shows."""
    of_others = {"trees": {TextTableModel}, "survey": {MarkedTableModel}}
    elsewhere = {TextTableModel, MarkedTableModel, PreviewModel}  # the last is in the dialog that imports a table
    shared = {"microdata": SHARED - elsewhere, **of_others}
    return {kind for kind in MODELS if f".rooms.{view.name}." in kind.__module__} | shared.get(view.name, set())


def with_sources(model: QAbstractItemModel) -> list[QAbstractItemModel]:
    """Give a model, and those it filters or sorts."""
    return [model, *(with_sources(model.sourceModel()) if isinstance(model, QAbstractProxyModel) else [])]


def released(document: Document, view: RoomView) -> Document:
    """Open a sample of a room and make a release; in the first one by a search that has a tree to show."""
    lecture = next((sample for sample in view.samples if sample.name == "lecture"), view.samples[0])
    document.open_project(resource_path("samples", lecture.file), as_copy=True)
    if view.name == "microdata":
        document.edit("Go down", algorithm=ALGORITHMS.get("top-down")())
    document.run()
    assert document.releases
    return document


@pytest.mark.parametrize("view", [*filter(models_of, all_views())], ids=lambda view: view.name)
def test_every_model_keeps_the_rules_with_real_data(
    view: RoomView, document: Document, make_window: Callable[[Document], MainWindow], qtmodeltester: ModelTester
) -> None:
    window = make_window(released(document, view))
    checked: set[type] = set()
    for name in window.rail.names():
        shown = {each.model() for each in window.show_page(name).findChildren(QAbstractItemView)}
        for model in {each for view_model in shown for each in with_sources(view_model)}:
            if type(model) in MODELS:
                qtmodeltester.check(model)
                checked.add(type(model))
    assert {kind.__name__ for kind in models_of(view) - checked} == set()


def test_rows_that_are_shown_anew_keep_the_rules(qtmodeltester: ModelTester) -> None:
    rows = TextTableModel(("a", "b"), (1,))
    qtmodeltester.check(rows)
    rows.show_rows([("x", "1"), ("y", "2")])
    assert (rows.rowCount(), rows.index(1, 1).data()) == (2, "2")
    qtmodeltester.check(rows)
