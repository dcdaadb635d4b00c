"""Goals that compare with the rows that remain: the right rows are left out, and no more is said than is known."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp, ChosenLevels
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import Lattice
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import (
    cheapest_suppression,
    is_exhaustive,
    remaining_table,
    suppress_groups,
)
from anonymizer_gui.engine.rooms.microdata.models.contract import ClassGroups, GoalSet, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.likeness import BasicBetaLikeness, DeltaDisclosure
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table, goals_of, tables

LETTERS = Hierarchy.from_nested({"*": list("ABCDEFGHIJKL")})
COMPARING: list[PrivacyModel] = [
    TCloseness(0.1),
    TCloseness(0.25, "kl"),
    BasicBetaLikeness(0.5),
    DeltaDisclosure(0.7),
]


def groups_and_goals(counts: list[list[int]], *models: PrivacyModel) -> tuple[ClassGroups, GoalSet]:
    """Make a group of each list of counts of sensitive values."""
    rows = [[place] for place, values in enumerate(counts) for _ in range(sum(values))]
    values = [value for of_group in counts for value, many in enumerate(of_group) for _ in range(many)]
    encoded = encoded_table(rows, [LETTERS], values)
    return encoded.groups(np.arange(len(encoded.tuples)), len(encoded.tuples)), goals_of(encoded, *models)


def holds(groups: ClassGroups, goals: GoalSet, kept: np.ndarray) -> bool:
    fine = replace(goals, whole=remaining_table(goals.whole, groups, kept)).satisfied(groups)
    return bool((fine | ~kept).all())


def least_rows_dropped(groups: ClassGroups, goals: GoalSet) -> int:
    """Try every choice of groups."""
    choices = (np.array(kept, dtype=np.bool_) for kept in itertools.product((True, False), repeat=len(groups)))
    return min(int(groups.sizes[~kept].sum()) for kept in choices if holds(groups, goals, kept))


COUNTS = st.lists(st.integers(0, 6), min_size=2, max_size=2).filter(any)


@pytest.mark.parametrize("model", COMPARING, ids=str)
@given(counts=st.lists(COUNTS, min_size=1, max_size=6))
def test_of_few_groups_the_fewest_rows_are_dropped(model: PrivacyModel, counts: list[list[int]]) -> None:
    groups, goals = groups_and_goals(counts, KAnonymity(2), model)
    price = groups.sizes.astype(np.float64)
    kept = cheapest_suppression(groups, goals, int(groups.sizes.sum()), price)
    assert is_exhaustive(groups, goals)
    assert kept is not None
    assert holds(groups, goals, kept)
    assert int(groups.sizes[~kept].sum()) == least_rows_dropped(groups, goals)


@pytest.mark.parametrize("model", COMPARING, ids=str)
@given(counts=st.lists(COUNTS, min_size=9, max_size=12), limit=st.integers(0, 60))
def test_of_many_groups_what_is_kept_holds_within_the_limit(
    model: PrivacyModel, counts: list[list[int]], limit: int
) -> None:
    groups, goals = groups_and_goals(counts, model)
    settled = suppress_groups(groups, goals, limit)
    if settled is not None:
        assert holds(groups, goals, settled.kept)
        assert settled.suppressed <= limit


def three_groups() -> tuple[Table, Project]:
    """A and B are spread evenly, C is all y: without C the rest is spread as the whole."""
    rows = [("A", "x")] * 5 + [("A", "y")] * 5 + [("B", "x")] * 5 + [("B", "y")] * 5 + [("C", "y")] * 8
    schema = Schema((ColumnSchema("q", role=Role.QI), ColumnSchema("s", role=Role.SA)))
    goals = (KAnonymity(5), TCloseness(0.1))
    project = Project(schema=schema, goals=goals, suppression=0.3, bounds={"q": (0, 0)})
    return Table.from_rows(["q", "s"], rows), project


@pytest.mark.parametrize("name", ALGORITHMS.names())
def test_the_one_group_in_the_way_is_left_out(name: str) -> None:
    table, project = three_groups()
    algorithm = ChosenLevels((("q", 0),)) if name == "levels" else ALGORITHMS.get(name)()
    release = run(table, replace(project, algorithm=algorithm))
    assert sorted(set(release.table.column("q").labels)) == ["A", "B"]
    assert release.suppressed == 8
    assert release.measured.goals[1][1].value == 0


def test_what_was_not_found_is_not_called_out_of_reach() -> None:
    table, project = three_groups()
    tight = replace(project, suppression=0.2, algorithm=BottomUp())
    with pytest.raises(Infeasible, match="was not reached"):
        run(table, tight)
    with pytest.raises(Infeasible, match="cannot be reached"):
        run(table, replace(tight, suppression=0.0))
    with pytest.raises(Infeasible, match="cannot be reached"):
        run(table, replace(tight, goals=(KAnonymity(11),)))


def least_loss(encoded: EncodedTable, goals: GoalSet, allowed: int) -> float:
    """Try every node and every choice of classes to leave out."""
    least = np.inf
    for node in itertools.product(*(range(qi.hierarchy.height + 1) for qi in encoded.qis)):
        levels = [qi.levels()[level] for qi, level in zip(encoded.qis, node, strict=True)]
        cells = np.stack([of_level[encoded.tuples[:, j]] for j, of_level in enumerate(levels)])
        ids = np.unique(cells, axis=1, return_inverse=True)[1].reshape(-1)
        groups = encoded.groups(ids, int(ids.max()) + 1)
        lost = sum(qi.weight * qi.hierarchy.loss[cells[j]] for j, qi in enumerate(encoded.qis))
        for choice in itertools.product((True, False), repeat=len(groups)):
            kept = np.array(choice, dtype=np.bool_)
            if groups.sizes[~kept].sum() <= allowed and holds(groups, goals, kept):
                least = min(least, float((encoded.counts * np.where(kept[ids], lost, 1.0)).sum()) / encoded.n_rows)
    return least


@given(tables(max_rows=9, max_columns=2), st.sampled_from(COMPARING), st.sampled_from([0.2, 0.5, 1.0]))
def test_only_what_no_other_choice_undercuts_is_called_proven(
    encoded: EncodedTable, model: PrivacyModel, limit: float
) -> None:
    goals = goals_of(encoded, KAnonymity(2), model)
    least = least_loss(encoded, goals, int(encoded.n_rows * limit + 1e-9))
    if least == np.inf:
        with pytest.raises(Infeasible):
            BottomUp().run(encoded, goals, SearchLimits(limit), SILENT)
        return
    found = BottomUp().run(encoded, goals, SearchLimits(limit), SILENT)
    assert isinstance(found.search, Lattice)
    assert found.search.bound <= least + 1e-9
    is_proven = found.search.lm[found.search.chosen] <= found.search.bound + 1e-9
    assert is_proven or "not proven" in found.notes[0]


def test_a_search_among_many_groups_says_that_it_is_not_proven() -> None:
    random = np.random.default_rng(3)
    encoded = encoded_table(random.integers(0, 12, (200, 2)), [LETTERS, LETTERS], random.integers(0, 3, 200))
    found = BottomUp().run(encoded, goals_of(encoded, KAnonymity(2), TCloseness(0.2)), SearchLimits(0.9), SILENT)
    assert isinstance(found.search, Lattice)
    assert found.search.bound < found.search.lm[found.search.chosen]
    assert "not proven" in found.notes[0]
