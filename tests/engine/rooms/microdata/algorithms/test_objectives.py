"""Objectives of the lattice search: for each the best of all nodes, counted by hand on small lattices."""

import itertools
import math
from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp, ChosenLevels
from anonymizer_gui.engine.rooms.microdata.algorithms.objectives import OBJECTIVES
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release, compare_release
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS

TREES = {
    "a": Hierarchy.from_nested({"*": {"x": ["0", "1"], "y": ["2", "3"]}}),
    "b": Hierarchy.from_nested({"*": {"u": {"w": ["0", "1"]}, "v": ["2"]}}),
}
ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=3, max_size=22)
Row = tuple[int, int, int]


def project_of(k: int, suppression: float) -> Project:
    schema = Schema(
        (ColumnSchema("a", role=Role.QI), ColumnSchema("b", role=Role.QI), ColumnSchema("s", role=Role.OTHER))
    )
    return Project(schema=schema, hierarchies=TREES, goals=(KAnonymity(k),), suppression=suppression)


def table_of(rows: list[Row]) -> Table:
    return Table.from_rows(["a", "b", "s"], [list(map(str, row)) for row in rows])


def cost_by_hand(objective: str, release: Release, rows: list[Row]) -> float:
    """Give what a release costs, from the published texts and the original rows alone."""
    published = list(zip(*(release.table.column(name).texts().tolist() for name in "ab"), strict=True))
    lost, n = len(rows) - len(published), len(rows)
    by_class = defaultdict(list)
    for cells, row in zip(published, release.rows.tolist(), strict=True):
        by_class[cells].append(rows[row])
    if objective == "discernibility":
        return float(sum(len(members) ** 2 for members in by_class.values()) + lost * n)
    if objective == "classification":
        errors = sum(len(each) - max(Counter(row[2] for row in each).values()) for each in by_class.values())
        return float(errors + lost)
    metric = METRICS.get({"lm": "lm", "precision": "precision", "entropy": "entropy"}[objective])()
    found = metric.measure(compare_release(release, table_of(rows)), SILENT)
    return {"lm": found.value, "precision": 1 - found.value, "entropy": found.details.get("bits", 0.0)}[objective]


@pytest.mark.parametrize("objective", OBJECTIVES)
@settings(max_examples=12)
@given(rows=ROWS, k=st.integers(2, 3), suppression=st.sampled_from([0.0, 0.2]))
def test_no_node_of_the_lattice_is_better_by_its_objective(
    objective: str, rows: list[Row], k: int, suppression: float
) -> None:
    """Every node is published by hand and priced by hand; the search finds the cheapest of them."""
    table, project = table_of(rows), project_of(k, suppression)
    costs = []
    for a, b in itertools.product(range(3), range(4)):
        try:
            made = run(table, replace(project, algorithm=ChosenLevels(levels=(("a", a), ("b", b)))))
        except Infeasible:
            continue
        costs.append(cost_by_hand(objective, made, rows))
    search = replace(project, algorithm=BottomUp(objective=objective, target="s"))
    if not costs:
        with pytest.raises(Infeasible):
            run(table, search)
        return
    found = cost_by_hand(objective, run(table, search), rows)
    assert math.isclose(found, min(costs), rel_tol=1e-9, abs_tol=1e-9)


def test_objectives_choose_different_levels() -> None:
    """The target follows b: whoever wants to predict it keeps b, whoever counts leaves keeps a."""
    rows = [(a, b, b) for a in range(4) for b in (0, 2)] * 2
    project = project_of(4, 0.0)
    kept = {
        name: run(table_of(rows), replace(project, algorithm=BottomUp(objective=name, target="s")))
        for name in OBJECTIVES
    }
    assert set(kept["classification"].table.column("b").texts().tolist()) == {"0", "2"}
    assert "Classification metric was made as good as can be: it costs 0 per record" in kept["classification"].notes[0]
    assert kept["lm"].notes == ()


def test_the_classification_metric_asks_for_its_target() -> None:
    project = replace(project_of(2, 0.0), algorithm=BottomUp(objective="classification"))
    with pytest.raises(BadParameter, match="needs a target"):
        run(table_of([(0, 0, 0)] * 3), project)
    other = replace(project, algorithm=BottomUp(objective="classification", target="nobody"))
    with pytest.raises(BadParameter, match="no column “nobody”"):
        run(table_of([(0, 0, 0)] * 3), other)
