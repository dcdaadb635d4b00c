"""Top-down goes as far down as the goals allow, by the rules chosen."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp, ChosenLevels
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import Lattice
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import SPLIT_CHOICES, SplitTree, TopDown
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.algorithms.adult import adult
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table, goals_of, models, tables
from tests.made_adult import make_adult

PLACE = Hierarchy.from_nested({"*": {"north": ["a", "b"], "south": ["c", "d"]}})
LETTER = Hierarchy.from_nested({"any": ["x", "y", "z"]})
SEX = Hierarchy.from_nested({"person": ["f", "m"]})


def possible_splits(encoded: EncodedTable, goals: GoalSet, recoding: Recoding, *, empty_violates: bool) -> list[object]:
    """Try every class and column by itself: the splits whose children all satisfy."""
    found = []
    leaves = encoded.tuples[encoded.tuple_of_row]
    for number, nodes in enumerate(recoding.node.tolist()):
        rows = np.flatnonzero(recoding.class_of_row == number)
        for j, (qi, node) in enumerate(zip(encoded.qis, nodes, strict=True)):
            children = qi.hierarchy.children(node)
            under = [
                rows[(leaves[rows, j] >= qi.hierarchy.first_leaf[c]) & (leaves[rows, j] < qi.hierarchy.end_leaf[c])]
                for c in children
            ]
            occupied = [part for part in under if len(part)]
            if not children or (empty_violates and len(occupied) < len(children)):
                continue
            if all(satisfies(encoded, goals, part) for part in occupied):
                found.append((number, qi.name))
    return found


def satisfies(encoded: EncodedTable, goals: GoalSet, rows: np.ndarray) -> bool:
    """Ask the goals about one set of rows."""
    part = encoded_table(
        encoded.tuples[encoded.tuple_of_row[rows]],
        [qi.hierarchy for qi in encoded.qis],
        encoded.sensitive_of_row["s"][rows],
    )
    wide = replace(part, sensitive={"s": replace(part.sensitive["s"], n_values=encoded.sensitive["s"].n_values)})
    return bool(goals.satisfied(wide.groups(np.zeros(len(part.tuples), dtype=np.int64), 1)).all())


@given(tables(max_rows=30, max_columns=3), models(), st.sampled_from(list(SPLIT_CHOICES)), st.booleans())
def test_no_specialization_is_left_when_local_splitting_ends(
    encoded: EncodedTable, goals: tuple[PrivacyModel, ...], choice: str, empty_violates: bool
) -> None:
    against = goals_of(encoded, *goals)
    algorithm = TopDown("local", choice, "violates" if empty_violates else "ignored")
    try:
        result = algorithm.run(encoded, against, SearchLimits(), SILENT)
    except Infeasible:
        return
    assert possible_splits(encoded, against, result, empty_violates=empty_violates) == []


@given(tables(max_rows=30, max_columns=3), models())
def test_no_column_can_go_further_down_when_full_domain_ends(
    encoded: EncodedTable, goals: tuple[PrivacyModel, ...]
) -> None:
    against = goals_of(encoded, *goals)
    try:
        result = TopDown("full-domain").run(encoded, against, SearchLimits(), SILENT)
    except Infeasible:
        return
    assert isinstance(result.search, Lattice)
    levels = dict(zip(result.search.columns, result.search.levels[result.search.chosen].tolist(), strict=True))
    for name, level in levels.items():
        if level:
            with pytest.raises(Infeasible):
                ChosenLevels(tuple({**levels, name: level - 1}.items())).run(encoded, against, SearchLimits(), SILENT)


def split_first_on(choice: str) -> str:
    """Say which column is split first: a has two children of 4 and 2 rows, b three of 2, c two of 3."""
    rows = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1], [2, 2, 1], [3, 2, 1]]
    encoded = encoded_table(rows, [PLACE, LETTER, SEX])
    result = TopDown(split=choice).run(encoded, goals_of(encoded, KAnonymity(2)), SearchLimits(), SILENT)
    assert isinstance(result.search, SplitTree)
    return result.search.columns[result.search.split_on[0]]


def test_the_split_of_largest_gain_is_taken() -> None:
    # Gains: a 6 x 2/3, b 6 x 1, c 6 x 1: the first of the two best columns.
    assert split_first_on("lm-gain") == "b"


def test_of_the_splits_with_fewest_children_the_most_even_is_taken() -> None:
    assert split_first_on("fewest-children") == "c"


def test_the_split_with_most_children_is_taken() -> None:
    assert split_first_on("most-children") == "b"


def test_an_empty_child_forbids_a_split_when_it_is_said_to() -> None:
    encoded = encoded_table([[0], [0], [1], [1]], [LETTER])
    goals = goals_of(encoded, KAnonymity(2))
    assert TopDown().run(encoded, goals, SearchLimits(), SILENT).n_classes == 2
    assert TopDown(empty_child="violates").run(encoded, goals, SearchLimits(), SILENT).n_classes == 1


def test_the_tree_of_splits_leads_from_the_whole_table_to_the_classes() -> None:
    encoded = encoded_table([[0], [0], [1], [2], [3], [3]], [PLACE])
    tree = TopDown().run(encoded, goals_of(encoded, KAnonymity(2)), SearchLimits(), SILENT).search
    assert isinstance(tree, SplitTree)
    assert tree.parent.tolist() == [-1, 0, 0]
    assert tree.sizes.tolist() == [6, 3, 3]
    assert tree.published.tolist() == [-1, 0, 1]
    assert [PLACE.labels[node] for node in tree.nodes[:, 0]] == ["*", "north", "south"]


def test_rows_are_suppressed_where_that_gains_more_than_they_cost() -> None:
    rows = [[0]] * 20 + [[1]] * 20 + [[2]]
    encoded = encoded_table(rows, [PLACE])
    goals = goals_of(encoded, KAnonymity(5))
    kept = TopDown().run(encoded, goals, SearchLimits(0.0), SILENT)
    dropped = TopDown().run(encoded, goals, SearchLimits(0.05), SILENT)
    assert recoding_loss(encoded, kept) == 1.0
    assert np.flatnonzero(dropped.class_of_row < 0).tolist() == [40]
    assert recoding_loss(encoded, dropped) == pytest.approx(1 / 41)


def test_the_local_reading_loses_less_than_the_full_domain_optimum(tmp_path: Path) -> None:
    make_adult(tmp_path / "adult", rows=3000)
    table, project = adult(tmp_path)
    local, optimum, best = (
        run(table, replace(project, goals=(KAnonymity(5),), algorithm=way))
        for way in (TopDown(), BottomUp(), BestLoss())
    )
    assert best.measured.lm < 0.8 * local.measured.lm < 0.8 * 0.6 * optimum.measured.lm  # type: ignore[operator]
    assert (local.suppressed, optimum.suppressed, best.suppressed) == (0, 0, 0)
    assert min(each.measured.k for each in (local, optimum, best)) >= 5


def test_the_local_reading_loses_less_than_the_full_domain_optimum_on_adult(shared_data: Path) -> None:
    table, project = adult(shared_data)
    release = run(table, replace(project, goals=(KAnonymity(5),), algorithm=TopDown()))
    assert release.measured.lm is not None
    assert release.measured.lm < 0.13
    assert release.suppressed == 0
