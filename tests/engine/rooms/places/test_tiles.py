"""Sparse visits as tiles and slots: whoever knows a few finds k people."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Infeasible, PromiseBroken
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.algorithms import trajectories
from anonymizer_gui.engine.rooms.places.algorithms.contract import PlaceDemands
from anonymizer_gui.engine.rooms.places.algorithms.trajectories import TileGeneralisation, parent_tile, tile_tree
from anonymizer_gui.engine.rooms.places.independent.recount import count_tiles
from anonymizer_gui.engine.rooms.places.project import PLACES, Project
from anonymizer_gui.engine.rooms.places.run import run
from anonymizer_gui.engine.rooms.places.sweep import tile_costs
from anonymizer_gui.engine.rooms.places.trajectories import TiledVisits
from anonymizer_gui.engine.sets.apriori import AprioriResult, anonymise_without_root

visit = st.tuples(st.integers(0, 9), st.integers(0, 2000), st.integers(0, 2000), st.integers(0, 23))


def visits(rows: list[tuple[int, int, int, int]]) -> Places:
    return Places.of(
        [f"{r[0]}" for r in rows], [r[1] for r in rows], [r[2] for r in rows], [3600.0 * r[3] for r in rows]
    )


def tiled(algorithm: TileGeneralisation, rows: list[tuple[int, int, int, int]], k: int) -> TiledVisits:
    """Make tiles; of too few visits nothing is left, and nothing has to hold."""
    try:
        return algorithm.run(visits(rows), PlaceDemands(k), SILENT)
    except Infeasible:
        return TiledVisits(0, np.empty((0, 2), dtype=np.int64), (), 1.0, 1.0, "day", 1, 0, 0, 0.0, 0)


@given(st.lists(visit, min_size=1, max_size=40), st.integers(1, 4), st.integers(1, 2))
def test_any_few_visits_are_those_of_k_people(rows: list[tuple[int, int, int, int]], k: int, known: int) -> None:
    made = tiled(TileGeneralisation(known=known, delete=1.0), rows, k)
    for nodes in made.sets:
        for size in range(1, known + 1):
            for some in combinations(nodes, size):
                assert sum(set(some) <= set(other) for other in made.sets) >= k


@given(st.lists(visit, min_size=1, max_size=20))
def test_a_tile_that_is_told_holds_the_visits_it_stands_for(rows: list[tuple[int, int, int, int]]) -> None:
    made = tiled(TileGeneralisation(delete=1.0), rows, 2)
    for node in {node for nodes in made.sets for node in nodes}:
        west, south, east, north = made.box(node)
        begin, end = made.span(node)
        assert any(west <= x < east and south <= y < north and begin <= 3600 * t < end for _who, x, y, t in rows)


def test_a_step_up_grows_tiles_and_then_slots() -> None:
    assert parent_tile((0, 5, 3, 9)) == (1, 2, 1, 9)
    assert parent_tile((1, 2, 1, 9)) == (2, 1, 0, 2)
    tree, number = tile_tree([(0, 0, 0, 0), (0, 1, 1, 0), (0, 90, 90, 20)])
    assert tree.n_leaves == 3
    assert sorted(number.tolist()) == [0, 1, 2]


def test_too_many_deletions_are_refused_with_how_many_it_takes() -> None:
    alone = visits([(number, 200_000 * number, 0, number) for number in range(8)])
    with pytest.raises(Infeasible) as told:
        TileGeneralisation(delete=0.0).run(alone, PlaceDemands(3), SILENT)
    assert "100%" in told.value.message


def test_code_that_raises_nothing_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    places = visits([tuple(random.integers(0, high) for high in (10, 2000, 2000, 24)) for _ in range(60)])  # type: ignore[misc]
    project = Project(k=3, algorithm=TileGeneralisation(known=1, delete=0.9))
    assert run(project, {PLACES: places}).promises[0].value >= 3

    def lazy(data: object, wanted: object, delete: float, progress: object) -> AprioriResult:
        return anonymise_without_root(data, type(wanted)(k=1, m=1), delete, progress)  # type: ignore[arg-type,call-arg]

    monkeypatch.setattr(trajectories, "anonymise_without_root", lazy)
    with pytest.raises(PromiseBroken):
        run(project, {PLACES: places})


def test_the_recount_counts_sets_one_by_one() -> None:
    rows = [["1", "a"], ["1", "b"], ["2", "a"], ["2", "b"], ["3", "a"]]
    assert (count_tiles(rows, 1).smallest, count_tiles(rows, 2).smallest, count_tiles(rows, 2).people) == (2, 2, 3)
    assert count_tiles([*rows, ["3", "c"]], 2).smallest == 1
    with pytest.raises(ValueError, match=r"^$"):
        count_tiles([*rows, rows[0]], 1)


def test_a_larger_k_costs_more() -> None:
    random = np.random.default_rng(2)
    places = visits([tuple(random.integers(0, high) for high in (60, 1500, 1500, 12)) for _ in range(600)])  # type: ignore[misc]
    losses = [cost.loss for cost in tile_costs(places, TileGeneralisation(known=1, delete=1.0), SILENT)]
    assert len(losses) >= 3
    assert losses[0] <= losses[-1]
