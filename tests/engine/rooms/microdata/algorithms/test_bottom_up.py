"""Bottom-up finds the optimum, and says so truthfully."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp, ChosenLevels
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import CHOSEN, PRUNED, SATISFIED, VIOLATED, Lattice
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice_search import NodeChecker, check_limit, search_downwards
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import TopDown
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity, EntropyLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.algorithms.adult import adult
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table, goals_of, tables
from tests.made_adult import make_adult

PLACE = Hierarchy.from_nested({"*": {"north": ["a", "b"], "south": ["c", "d"]}})
SEX = Hierarchy.from_nested({"person": ["f", "m"]})
LIMITS = st.sampled_from([0.0, 0.1, 0.3, 1.0])
OTHERS: list[PrivacyModel | None] = [None, DistinctLDiversity(2), EntropyLDiversity(1.8), TCloseness(0.3)]


@st.composite
def several_goals(draw: st.DrawFn) -> tuple[PrivacyModel, ...]:
    other = draw(st.sampled_from(OTHERS))
    return (KAnonymity(draw(st.integers(1, 5))), *(() if other is None else (other,)))


def every_node(
    encoded: EncodedTable, models: tuple[PrivacyModel, ...], limit: float
) -> dict[tuple[int, ...], Recoding]:
    """Publish every node of the lattice that satisfies, one by one."""
    found = {}
    for node in itertools.product(*(range(qi.hierarchy.height + 1) for qi in encoded.qis)):
        chosen = tuple(zip((qi.name for qi in encoded.qis), node, strict=True))
        try:
            found[node] = ChosenLevels(chosen).run(encoded, goals_of(encoded, *models), SearchLimits(limit), SILENT)
        except Infeasible:
            continue
    return found


@given(tables(max_rows=25, max_columns=3), several_goals(), LIMITS)
def test_no_node_of_the_lattice_loses_less(
    encoded: EncodedTable, models: tuple[PrivacyModel, ...], limit: float
) -> None:
    losses = [recoding_loss(encoded, recoding) for recoding in every_node(encoded, models, limit).values()]
    try:
        result = BottomUp().run(encoded, goals_of(encoded, *models), SearchLimits(limit), SILENT)
    except Infeasible:
        assert losses == []
    else:
        assert recoding_loss(encoded, result) == pytest.approx(min(losses), abs=1e-12)


def levels_climbed(encoded: EncodedTable, recoding: Recoding) -> int:
    """Count MD row by row: from the leaf to the published node, for a suppressed row to the root."""
    climbed = 0
    for row, number in zip(encoded.tuple_of_row.tolist(), recoding.class_of_row.tolist(), strict=True):
        for j, qi in enumerate(encoded.qis):
            tree = qi.hierarchy
            depth = 0 if number < 0 else int(tree.depths[recoding.node[number, j]])
            climbed += int(tree.depths[tree.leaves[encoded.tuples[row, j]]]) - depth
    return climbed


@given(tables(max_rows=25, max_columns=3), several_goals(), LIMITS)
def test_of_nodes_that_lose_the_same_the_one_that_climbs_least_is_taken_then_the_lowest(
    encoded: EncodedTable, models: tuple[PrivacyModel, ...], limit: float
) -> None:
    found = every_node(encoded, models, limit)
    if not found:
        return
    least = min(recoding_loss(encoded, recoding) for recoding in found.values())
    ties = [node for node, recoding in found.items() if recoding_loss(encoded, recoding) <= least + 1e-9]
    expected = min(ties, key=lambda node: (levels_climbed(encoded, found[node]), sum(node), node))
    lattice = BottomUp().run(encoded, goals_of(encoded, *models), SearchLimits(limit), SILENT).search
    assert isinstance(lattice, Lattice)
    assert tuple(lattice.levels[lattice.chosen].tolist()) == expected


@pytest.mark.parametrize("algorithm", [BottomUp(), BottomUp("first-level"), TopDown("full-domain")], ids=str)
def test_a_raw_table_that_is_anonymous_stays_as_it_is(algorithm: Algorithm) -> None:
    chains = Hierarchy.from_nested({"*": {"1*": ["1"], "2*": ["2"], "3*": ["3"]}})
    encoded = encoded_table([[0], [0], [1], [1], [2], [2]], [chains])
    result = algorithm.run(encoded, goals_of(encoded, KAnonymity(2)), SearchLimits(), SILENT)
    assert [chains.labels[node] for node in result.node[:, 0]] == ["1", "2", "3"]


@given(tables(max_rows=25, max_columns=3), several_goals(), LIMITS)
def test_the_first_level_is_the_lowest_and_its_best_node_is_taken(
    encoded: EncodedTable, models: tuple[PrivacyModel, ...], limit: float
) -> None:
    found = every_node(encoded, models, limit)
    if not found:
        return
    lowest = min(sum(node) for node in found)
    result = BottomUp("first-level").run(encoded, goals_of(encoded, *models), SearchLimits(limit), SILENT)
    assert isinstance(result.search, Lattice)
    assert result.search.levels[result.search.chosen].sum() == lowest
    expected = min(recoding_loss(encoded, recoding) for node, recoding in found.items() if sum(node) == lowest)
    assert recoding_loss(encoded, result) == pytest.approx(expected, abs=1e-12)


@given(tables(max_rows=25, max_columns=3), several_goals(), LIMITS)
def test_the_lattice_tells_the_truth_about_every_node(
    encoded: EncodedTable, models: tuple[PrivacyModel, ...], limit: float
) -> None:
    found = every_node(encoded, models, limit)
    if not found:
        return
    lattice = BottomUp().run(encoded, goals_of(encoded, *models), SearchLimits(limit), SILENT).search
    assert isinstance(lattice, Lattice)
    for node, state, lm, k, suppressed in zip(
        map(tuple, lattice.levels.tolist()), lattice.state, lattice.lm, lattice.k, lattice.suppressed, strict=True
    ):
        if state in (SATISFIED, CHOSEN):
            classes = found[node].class_of_row
            assert lm == pytest.approx(recoding_loss(encoded, found[node]), abs=1e-12)
            assert suppressed == np.count_nonzero(classes < 0)
            assert k == np.bincount(classes[classes >= 0]).min(initial=encoded.n_rows)
        if state == VIOLATED:
            assert node not in found
        if state == PRUNED and node in found:
            assert recoding_loss(encoded, found[node]) >= lm - 1e-12


@pytest.mark.parametrize(
    ("limit", "lm", "suppressed", "classes"), [(0.0, 0.635544, 0, 24), (0.05, 0.269635, 1346, 397)]
)
def test_adult_has_the_optimum_another_program_proved(
    shared_data: Path, limit: float, lm: float, suppressed: int, classes: int
) -> None:
    table, project = adult(shared_data)
    release = run(table, replace(project, goals=(KAnonymity(5),), algorithm=BottomUp(), suppression=limit))
    assert release.measured.lm == pytest.approx(lm, abs=5e-7)
    assert (release.suppressed, release.measured.classes) == (suppressed, classes)


def test_few_nodes_of_adult_are_checked(tmp_path: Path) -> None:
    make_adult(tmp_path / "adult", rows=3000)
    table, project = adult(tmp_path)
    release = run(table, replace(project, goals=(KAnonymity(5),), algorithm=BottomUp()))
    lattice = release.recoding.search
    assert isinstance(lattice, Lattice)
    assert len(lattice.state) == 12_960
    assert np.count_nonzero(lattice.state != PRUNED) < 200


def test_the_lattice_of_zip_sex_and_birth_has_twelve_nodes() -> None:
    encoded = encoded_table([[0, 0, 0], [1, 1, 1]], [PLACE, SEX, SEX])
    lattice = BottomUp().run(encoded, goals_of(encoded, KAnonymity(1)), SearchLimits(), SILENT).search
    assert isinstance(lattice, Lattice)
    assert sorted(lattice.levels.sum(axis=1).tolist()) == [0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4]


def test_levels_outside_the_bounds_are_not_in_the_lattice() -> None:
    encoded = encoded_table([[0, 0], [1, 1], [2, 0], [3, 1]], [PLACE, SEX], bounds=[(1, 1), (0, 0)])
    result = BottomUp().run(encoded, goals_of(encoded, KAnonymity(1)), SearchLimits(), SILENT)
    assert isinstance(result.search, Lattice)
    assert result.search.levels.tolist() == [[1, 0]]


def test_a_lattice_above_the_budget_is_searched_in_part_and_says_so() -> None:
    random = np.random.default_rng(5)
    trees = [PLACE] * 7
    encoded = encoded_table(random.integers(0, 4, (60, 7)), trees)
    goals = goals_of(encoded, KAnonymity(3))
    whole = BottomUp().run(encoded, goals, SearchLimits(0.1), SILENT)
    part = BottomUp(nodes=10, checks=50).run(encoded, goals, SearchLimits(0.1), SILENT)
    assert isinstance(part.search, Lattice)
    assert not part.search.complete
    assert part.search.bound <= recoding_loss(encoded, whole) <= recoding_loss(encoded, part)
    assert "searched in part" in part.notes[0]


def test_a_search_out_of_checks_gives_the_best_so_far_with_a_bound_below_it() -> None:
    random = np.random.default_rng(6)
    encoded = encoded_table(random.integers(0, 4, (60, 5)), [PLACE] * 5)
    goals = goals_of(encoded, KAnonymity(3))
    result = BottomUp(checks=3).run(encoded, goals, SearchLimits(0.2), SILENT)
    assert isinstance(result.search, Lattice)
    assert result.search.bound < recoding_loss(encoded, result)


def test_a_search_in_part_ends_after_its_checks_and_after_fewer_on_large_tables() -> None:
    encoded = encoded_table(np.random.default_rng(6).integers(0, 4, (60, 5)), [PLACE] * 5)
    assert check_limit(10_000, encoded) == 10_000
    large = replace(encoded, tuples=np.broadcast_to(encoded.tuples[0], (2_000_000, 5)))
    assert check_limit(10_000, large) == 250
    assert check_limit(10_000, replace(large, tuples=np.broadcast_to(encoded.tuples[0], (10**8, 5)))) == 100
    checker = NodeChecker(encoded, goals_of(encoded, KAnonymity(3)), 12)
    assert not search_downwards(checker, 20, SILENT)
    assert 20 <= len(checker.seen) <= 25


def test_narrowing_keeps_the_optimum() -> None:
    random = np.random.default_rng(7)
    encoded = encoded_table(random.integers(0, 4, (40, 4)), [PLACE] * 4)
    goals = goals_of(encoded, KAnonymity(12))
    whole = BottomUp().run(encoded, goals, SearchLimits(), SILENT)
    narrowed = BottomUp(nodes=80).run(encoded, goals, SearchLimits(), SILENT)
    assert narrowed.notes == ()
    assert recoding_loss(encoded, narrowed) == recoding_loss(encoded, whole)


def test_a_lattice_above_the_budget_that_is_searched_to_its_end_has_the_optimum() -> None:
    random = np.random.default_rng(8)
    encoded = encoded_table(random.integers(0, 4, (60, 5)), [PLACE] * 5)
    goals = goals_of(encoded, KAnonymity(4))
    whole = BottomUp().run(encoded, goals, SearchLimits(), SILENT)
    other = BottomUp(nodes=1).run(encoded, goals, SearchLimits(), SILENT)
    assert other.notes == ()
    assert recoding_loss(encoded, other) == recoding_loss(encoded, whole)


def test_levels_by_hand_publish_the_node_that_was_picked() -> None:
    encoded = encoded_table([[0, 0], [1, 1], [2, 0], [3, 1]], [PLACE, SEX])
    result = ChosenLevels((("a", 1),)).run(encoded, goals_of(encoded, KAnonymity(2)), SearchLimits(), SILENT)
    labels = [[PLACE.labels[place], SEX.labels[sex]] for place, sex in result.node.tolist()]
    assert labels == [["north", "person"], ["south", "person"]]


@pytest.mark.parametrize("levels", [(("a", 3),), (("zip", 1),)])
def test_levels_that_do_not_exist_are_refused(levels: tuple[tuple[str, int], ...]) -> None:
    encoded = encoded_table([[0, 0]], [PLACE, SEX])
    with pytest.raises(BadParameter):
        ChosenLevels(levels).run(encoded, goals_of(encoded, KAnonymity(1)), SearchLimits(), SILENT)
