"""Every model of ours keeps the rules of models with the data of a finished project; none is forgotten."""

import importlib
import pkgutil
from collections.abc import Callable

from PySide6.QtCore import QAbstractItemModel, QAbstractProxyModel
from PySide6.QtWidgets import QAbstractItemView
from pytestqt.modeltest import ModelTester

from anonymizer_gui import ui
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document


def model_classes() -> set[type]:
    """Find the models of the pages, each in a file of its own."""
    found: set[type] = set()
    for entry in pkgutil.walk_packages(ui.__path__, f"{ui.__name__}."):
        # The tests of the other rooms look at their models, and at the one that several of them share.
        is_elsewhere = ".rooms." in entry.name and ".rooms.microdata." not in entry.name
        is_elsewhere = is_elsewhere or entry.name.endswith(".widgets.rows_model")
        if not entry.name.endswith("_model") or is_elsewhere:
            continue
        members = vars(importlib.import_module(entry.name)).values()
        ours = (kind for kind in members if isinstance(kind, type) and kind.__module__ == entry.name)
        found |= {kind for kind in ours if issubclass(kind, QAbstractItemModel)}
    return found


def with_sources(model: QAbstractItemModel) -> list[QAbstractItemModel]:
    """Give a model, and those it filters or sorts."""
    return [model, *(with_sources(model.sourceModel()) if isinstance(model, QAbstractProxyModel) else [])]


def test_every_model_keeps_the_rules_with_real_data(
    lecture_document: Document, make_window: Callable[[Document], MainWindow], qtmodeltester: ModelTester
) -> None:
    lecture_document.edit("Go down", algorithm=ALGORITHMS.get("top-down")())
    lecture_document.run()
    window = make_window(lecture_document)
    checked: set[type] = set()
    for name in window.rail.names():
        page = window.show_page(name)
        shown = {view.model() for view in page.findChildren(QAbstractItemView)}
        for model in {each for view_model in shown for each in with_sources(view_model)}:
            if type(model) in model_classes():
                qtmodeltester.check(model)
                checked.add(type(model))
    assert {kind.__name__ for kind in model_classes()} == {kind.__name__ for kind in checked}
