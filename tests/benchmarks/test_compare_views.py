"""The Compare page with a million rows and large lattices, against the same with few, in one run."""

import sys
import time
from collections.abc import Callable

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, Role, Schema, Table, smallest_codes
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import CHOSEN, Lattice
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.views.search_trace import layout_lattice
from anonymizer_gui.ui.rooms.microdata.compare.lattice_view import LatticeView
from anonymizer_gui.ui.rooms.microdata.compare.page import ComparePage
from anonymizer_gui.workspace.document import Document

pytestmark = pytest.mark.bench


def told(text: str) -> None:
    """Show a measurement to whoever runs the benchmarks."""
    sys.stdout.write(text + "\n")


def cpu(work: Callable[[], object], times: int = 5) -> float:
    """Give the least CPU time of some runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def lattice_of(*shape: int) -> Lattice:
    """Make a lattice in which a third of the nodes is in each state."""
    levels = np.indices(shape).reshape(len(shape), -1).T.astype(np.int32)
    state = (np.arange(len(levels)) % 3).astype(np.uint8)
    chosen = len(levels) // 2
    state[chosen] = CHOSEN
    names = tuple(f"q{j}" for j in range(len(shape)))
    known = np.full(len(levels), 5)
    return Lattice(names, levels, state, levels.sum(axis=1) / levels.sum(axis=1).max(), known, known, chosen, 0.1, True)


def painting(qtbot: QtBot, lattice: Lattice) -> float:
    view = LatticeView()
    qtbot.addWidget(view)
    view.resize(1600, 900)
    view.show()
    view.show_map(layout_lattice(lattice, only_checked=False), lattice.chosen)
    return cpu(lambda: view.viewport().grab())


def test_a_lattice_of_13000_nodes_is_drawn_nearly_as_fast_as_one_of_81(qtbot: QtBot) -> None:
    small, large = painting(qtbot, lattice_of(3, 3, 3, 3)), painting(qtbot, lattice_of(6, 6, 6, 6, 10))
    told(f"drawing 81 nodes {small * 1000:.1f} ms, 12,960 nodes {large * 1000:.1f} ms")
    assert large < 12 * small


def page_of(qtbot: QtBot, rows: int) -> tuple[ComparePage, Document]:
    rng = np.random.default_rng(3)
    trees = {f"q{j}": _tree(f"q{j}", j) for j in range(4)}
    columns = [_column(rng, name, tree.leaf_labels, rows) for name, tree in trees.items()]
    columns.append(_column(rng, "s", tuple(f"s{i}" for i in range(20)), rows))
    entries = [ColumnSchema(name, role=Role.QI) for name in trees]
    schema = Schema((*entries, ColumnSchema("s", role=Role.SA)))
    document = Document(inline_jobs=True)
    project = Project(schema=schema, hierarchies=trees, goals=(KAnonymity(k=10),), algorithm=Mondrian())
    document.set_table(Table(tuple(columns)), project)
    document.run()
    page = ComparePage(document)
    qtbot.addWidget(page)
    page.resize(1600, 900)
    page.tabs.setCurrentWidget(page.side)
    page.show()
    return page, document


def _tree(name: str, j: int) -> Hierarchy:
    return Hierarchy.from_nested({"*": {f"{name}-{g}": [f"{name}-{g}-{i}" for i in range(5)] for g in range(3 + j)}})


def _column(rng: np.random.Generator, name: str, labels: tuple[str, ...], rows: int) -> Column:
    return Column(name, smallest_codes(rng.integers(0, len(labels), rows), len(labels)), labels)


def test_a_million_rows_side_by_side_come_to_the_front_as_fast_as_a_thousand(qtbot: QtBot) -> None:
    times = []
    for rows in (1_000, 1_000_000):
        page, document = page_of(qtbot, rows)

        def there_and_back(page: ComparePage = page) -> None:
            page.tabs.setCurrentIndex(0)
            page.tabs.setCurrentIndex(2)
            page.side.grab()

        times.append(cpu(there_and_back))
        document.close()
    told(f"tab with 1,000 rows {times[0] * 1000:.0f} ms, with 1,000,000 rows {times[1] * 1000:.0f} ms")
    assert times[1] < 3 * times[0]


def test_showing_one_class_of_a_million_rows_takes_less_than_sorting_them(qtbot: QtBot) -> None:
    page, document = page_of(qtbot, 1_000_000)
    key = np.random.default_rng(0).integers(0, 1 << 40, 1_000_000)
    sorting = cpu(lambda: np.argsort(key, kind="stable"))

    def one_class() -> None:
        page.side.classes.view.clearSelection()
        page.side.classes.view.selectRow(0)

    page.side.classes.chart.chart.show_plot = lambda plot: None  # type: ignore[method-assign]
    filtering = cpu(one_class)
    told(f"sorting a million rows {sorting * 1000:.0f} ms, showing one class {filtering * 1000:.0f} ms")
    document.close()
    assert filtering < sorting
