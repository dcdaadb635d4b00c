"""Views of a release say the same as its measures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp, ChosenLevels
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import Lattice
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import TopDown
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.engine.rooms.microdata.release.release import Release, compare_release
from anonymizer_gui.engine.rooms.microdata.utility.query_error import QueryError
from anonymizer_gui.engine.rooms.microdata.views.equivalence_classes import class_sizes, list_classes
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import (
    most_divided,
    order_by_published,
    pareto_front,
    partition_map,
    query_error,
    release_figure,
    side_by_side,
)
from anonymizer_gui.engine.rooms.microdata.views.search_trace import (
    count_states,
    example_of_level,
    has_steps,
    is_specialization,
    layout_lattice,
    node_with,
    search_facts,
    split_steps,
)
from tests.engine.rooms.microdata.making import hospital_release


@pytest.fixture(scope="module")
def released() -> tuple[Release, Table]:
    return hospital_release(41, goals=(KAnonymity(k=6),))


def suppressing(**changes: object) -> tuple[Release, Table]:
    """Make a release at the lowest levels: all rows but the class of six are suppressed."""
    levels = ChosenLevels(levels=(("age", 0), ("zip", 0)))
    return hospital_release(41, suppression=0.9, goals=(KAnonymity(k=6),), algorithm=levels, **changes)


def lattice_of(release: Release) -> Lattice:
    assert isinstance(release.recoding.search, Lattice)
    return release.recoding.search


def test_the_classes_listed_have_the_measured_k_l_and_t(released: tuple[Release, Table]) -> None:
    release, _ = released
    classes = list_classes(release, "disease")
    found = (int(classes.classes.sizes.min()), int(classes.l.min()), float(classes.t.max()))
    measured = release.measured
    assert found == (measured.k, measured.l["distinct"], pytest.approx(measured.t["emd"]))


def test_a_goal_names_the_distance_of_the_class_list() -> None:
    release, _ = hospital_release(goals=(TCloseness(t=0.9, distance="kl"),))
    assert list_classes(release, "disease").t.max() == pytest.approx(release.measured.t["kl"])


def test_the_rows_of_a_class_share_their_published_cells(released: tuple[Release, Table]) -> None:
    release, _ = released
    classes = list_classes(release)
    place = {int(row): at for at, row in enumerate(release.rows)}
    for number in range(len(classes)):
        for row in classes.rows_of(number).tolist():
            cells = tuple(c.labels[c.codes[place[row]]] for c in classes.quasi)
            assert cells == classes.cells(number)


@pytest.mark.parametrize("by", ["size", "l", "t"])
def test_the_worst_class_comes_first(released: tuple[Release, Table], by: str) -> None:
    classes = list_classes(released[0], "disease")
    figures = {"size": classes.classes.sizes, "l": classes.l, "t": -classes.t}[by][classes.worst_first(by)]
    assert (np.diff(figures) >= 0).all()


def test_without_a_sensitive_column_classes_come_by_size(released: tuple[Release, Table]) -> None:
    classes = list_classes(released[0])
    assert classes.worst_first("t").tolist() == classes.worst_first("size").tolist()


def test_shares_of_a_class_and_of_the_whole_add_up_to_one(released: tuple[Release, Table]) -> None:
    shares = list_classes(released[0], "disease").shares(0, most=2)
    assert (sum(shares.in_class), sum(shares.in_whole), shares.others) == (pytest.approx(1), pytest.approx(1), 2)


def test_cells_beside_each_other_add_up_to_the_measured_loss() -> None:
    release, original = suppressing()
    both = side_by_side(release, original)
    lost = [both.lost[name].loss[release.table.column(name).codes].sum() for name in ("age", "zip")]
    total = sum(lost) / 2 + release.suppressed
    assert release.suppressed == int((both.published_row < 0).sum()) > 0
    assert total / original.n_rows == pytest.approx(release.measured.lm)


def test_rows_published_as_stars_count_as_suppressed() -> None:
    release, original = suppressing(publishing=Publishing(suppressed_as_stars=True))
    both = side_by_side(release, original)
    assert sum(both.is_suppressed(row) for row in range(original.n_rows)) == release.suppressed == 35


def test_sorting_by_what_was_published_puts_left_out_rows_last() -> None:
    release, original = suppressing()
    both = side_by_side(release, original)
    order = order_by_published(both, "age", False, SILENT)
    assert sorted(order.tolist()) == list(range(original.n_rows))
    assert (both.published_row[order[-release.suppressed :]] < 0).all()


def test_the_boxes_of_a_map_hold_all_published_rows() -> None:
    release, original = hospital_release(algorithm=Mondrian())
    found = partition_map(release, original, "age", "zip")
    assert (int(found.rows.sum()), found.left_out) == (release.table.n_rows, 0)
    assert ((found.boxes[:, 2] > found.boxes[:, 0]) & (found.boxes[:, 3] > found.boxes[:, 1])).all()


def test_rows_that_may_have_any_value_are_not_painted_over_the_values() -> None:
    levels = ChosenLevels(levels=(("age", 1), ("zip", 2)))
    release, original = hospital_release(algorithm=levels, goals=(KAnonymity(k=1),))
    found = partition_map(release, original, "age", "zip")
    n_zips = len(set(original.column("zip").texts()))
    assert {cell[1] for cell in found.cells} == {"*"}
    assert found.boxes[:, 1].min() > n_zips
    assert "*" in found.y_ticks.values()
    assert "*" not in found.x_ticks.values()


def test_the_shade_of_a_box_is_its_rows_for_each_pair_of_values() -> None:
    levels = ChosenLevels(levels=(("age", 1), ("zip", 0)))
    release, original = hospital_release(algorithm=levels, goals=(KAnonymity(k=1),))
    found = partition_map(release, original, "age", "zip")
    left, bottom, right, top = found.boxes.T
    assert found.density.tolist() == (found.rows / ((right - left) * (top - bottom))).tolist()


def test_a_map_tells_how_many_boxes_it_leaves_out() -> None:
    release, original = hospital_release(algorithm=Mondrian())
    whole, part = (partition_map(release, original, "age", "zip", most=most) for most in (100, 1))
    assert (len(part.boxes), part.left_out) == (1, len(whole.boxes) - 1)


def test_a_map_starts_with_two_columns_of_the_release(released: tuple[Release, Table]) -> None:
    assert most_divided(released[0]) == ("age", "zip")


@pytest.mark.parametrize("algorithm", [Mondrian(), TopDown()], ids=lambda algorithm: algorithm.name)
def test_the_ends_of_the_splits_are_the_classes(algorithm: Mondrian | TopDown) -> None:
    release, original = hospital_release(algorithm=algorithm)
    steps = split_steps(release, original)
    ends = np.flatnonzero(steps.published >= 0)
    sizes = np.bincount(release.class_of_row, minlength=release.recoding.n_classes)
    assert steps.rows[ends].tolist() == sizes[steps.published[ends]].tolist()
    assert int(steps.rows[steps.roots].sum()) == original.n_rows


@pytest.mark.parametrize("algorithm", [Mondrian(), TopDown()], ids=lambda algorithm: algorithm.name)
def test_a_part_has_the_rows_of_its_parts(algorithm: Mondrian | TopDown) -> None:
    release, original = hospital_release(algorithm=algorithm)
    steps = split_steps(release, original)
    inner = [part for part in range(len(steps.parent)) if len(steps.children_of(part))]
    assert inner
    assert [steps.rows[steps.children_of(part)].sum() for part in inner] == [steps.rows[part] for part in inner]
    assert all(steps.labels[child] for part in inner for child in steps.children_of(part).tolist())


def test_only_runs_that_split_leave_a_tree() -> None:
    kinds = [hospital_release(algorithm=algorithm)[0] for algorithm in (BottomUp(), Mondrian(), TopDown())]
    assert [has_steps(release) for release in kinds] == [False, True, True]
    assert [is_specialization(release) for release in kinds] == [False, False, True]


def test_every_node_of_a_lattice_has_one_place(released: tuple[Release, Table]) -> None:
    lattice = lattice_of(released[0])
    found = layout_lattice(lattice, only_checked=False)
    assert sorted(found.nodes.tolist()) == list(range(len(lattice.state)))
    for row in range(len(found.height)):
        nodes = found.in_row(row)
        assert (lattice.levels[nodes].sum(axis=1) == found.height[row]).all()
        assert (np.diff(lattice.lm[nodes]) >= 0).all()
        assert found.place[nodes].tolist() == list(range(len(nodes)))
    assert found.widest == max(len(found.in_row(row)) for row in range(len(found.height)))


def test_neighbours_differ_in_one_level_of_one_column(released: tuple[Release, Table]) -> None:
    lattice = lattice_of(released[0])
    found = layout_lattice(lattice, only_checked=False)
    for node in found.nodes.tolist():
        above = found.neighbours(node, 1)
        assert (lattice.levels[above].sum(axis=1) == lattice.levels[node].sum() + 1).all()
        assert all(node in found.neighbours(int(other), -1) for other in above)
    assert len(found.neighbours(node_with(lattice, {}), 1)) == 0


def test_nodes_that_were_not_checked_can_be_left_out(released: tuple[Release, Table]) -> None:
    lattice = lattice_of(released[0])
    found = layout_lattice(lattice, only_checked=True)
    counts = count_states(lattice)
    assert len(found.nodes) == search_facts(lattice).checked == len(lattice.state) - counts["pruned"]
    pruned = np.flatnonzero(found.row < 0)
    assert len(pruned) == counts["pruned"] > 0
    drawn = [int(other) for node in found.nodes for other in found.neighbours(int(node), 1)]
    assert not set(drawn) & set(pruned.tolist())


def test_facts_count_what_the_search_saw(released: tuple[Release, Table]) -> None:
    lattice = lattice_of(released[0])
    found, counts = search_facts(lattice), count_states(lattice)
    assert found.satisfied == counts["satisfied"] + 1
    assert found.proven
    assert found.second < 0 or lattice.lm[found.second] >= lattice.lm[lattice.chosen]


def test_levels_by_hand_are_found_in_the_lattice(released: tuple[Release, Table]) -> None:
    lattice = lattice_of(released[0])
    levels = dict(zip(lattice.columns, lattice.levels[3].tolist(), strict=True))
    assert node_with(lattice, levels) == 3
    assert node_with(lattice, {lattice.columns[0]: 99}) == lattice.chosen


def test_a_level_is_shown_by_one_of_its_labels(released: tuple[Release, Table]) -> None:
    tree = released[0].project.hierarchies["age"]
    assert [example_of_level(tree, level) for level in (0, 1, 2)] == ["24", "24-27", "*"]
    assert example_of_level(None, 1) == "*"


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_no_point_beats_one_of_the_front_and_every_other_is_beaten(points: list[tuple[int, int]]) -> None:
    best = pareto_front([x for x, _ in points], [y for _, y in points])

    def beaten(at: int) -> bool:
        x, y = points[at]
        return any(a <= x and b <= y and (a, b) != (x, y) for a, b in points)

    assert [at for at in range(len(points)) if not beaten(at)] == list(best)


def test_more_of_some_figures_is_better() -> None:
    assert pareto_front([2, 5], [0.1, 0.1], more_x=True) == (1,)


def test_figures_are_those_of_the_measures(released: tuple[Release, Table]) -> None:
    release, _ = released
    measured = release.measured
    names = ("k", "l", "t", "lm", "md", "classes", "suppressed", "risk", "average-risk")
    assert [release_figure(release, name) for name in names] == [
        measured.k,
        measured.l["distinct"],
        measured.t["emd"],
        measured.lm,
        measured.md,
        measured.classes,
        release.suppressed,
        measured.risk.highest,
        measured.risk.average,
    ]
    assert release_figure(release, "seconds") == sum(release.seconds.values())


def test_the_query_error_is_that_of_the_metric(released: tuple[Release, Table]) -> None:
    release, original = released
    assert (
        query_error(release, original, SILENT) == QueryError().measure(compare_release(release, original), SILENT).value
    )


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=200))
def test_sizes_are_counted_whatever_the_ranges(sizes: list[int]) -> None:
    found = class_sizes(np.array(sizes, dtype=np.int64))
    assert sum(found.classes) == len(sizes)
    for label, classes in zip(found.labels, found.classes, strict=True):
        low, _, high = label.partition("-")
        assert sum(int(low) <= size <= int(high or low) for size in sizes) == classes
