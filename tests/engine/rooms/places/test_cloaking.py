"""Regions instead of points: k users in each, reciprocity, people at one spot, and users who move."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.places.layout import sniff_options
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.data.places.reading import read_places
from anonymizer_gui.engine.rooms.places.algorithms.cloaking import (
    Casper,
    HilbertCloak,
    Quadtree,
    TemporalCloaking,
    hilbert_buckets,
)
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, WAYS, Algorithm, PlaceDemands, methods_of
from anonymizer_gui.engine.rooms.places.attack import attack_by_intersection
from anonymizer_gui.engine.rooms.places.cloaking import CloakedRegions, count_users, query_positions
from anonymizer_gui.engine.rooms.places.sweep import cloak_costs

SPATIAL = (HilbertCloak, Quadtree, Casper)
users = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=40)
TABLE = {
    Quadtree: {5: 0.85, 50: 0.78},
    Casper: {5: 0.81, 50: 0.69},
}
"""Shares of users with a reciprocal region, measured before for the 7,115 users of New York."""


def places_at(points: list[tuple[int, int]]) -> Places:
    return Places.of([f"{at:03}" for at in range(len(points))], [p[0] for p in points], [p[1] for p in points])


def walk(many: int = 60, points: int = 8, seed: int = 3) -> Places:
    random = np.random.default_rng(seed)
    x = random.uniform(0, 1000, (many, 1)) + np.cumsum(random.normal(0, 80, (many, points)), axis=1)
    y = random.uniform(0, 1000, (many, 1)) + np.cumsum(random.normal(0, 80, (many, points)), axis=1)
    names = np.repeat([f"{at:03}" for at in range(many)], points)
    return Places.of(list(names), x.ravel(), y.ravel(), np.tile(np.arange(points) * 60.0, many))


@given(users, st.integers(1, 6), st.integers(1, 3), st.sampled_from(SPATIAL))
def test_every_region_holds_its_user_and_at_least_k(
    points: list[tuple[int, int]], k: int, spots: int, kind: type[Algorithm]
) -> None:
    places = places_at(points)
    if len(points) < k or len(set(points)) < spots:
        with pytest.raises(Infeasible):
            kind(spots=spots).run(places, PlaceDemands(k), SILENT)  # type: ignore[call-arg]
        return
    made = kind(spots=spots).run(places, PlaceDemands(k), SILENT)  # type: ignore[call-arg]
    assert isinstance(made, CloakedRegions)
    box, x, y = made.box[0], made.x[0], made.y[0]
    assert ((x >= box[:, 0]) & (y >= box[:, 1]) & (x <= box[:, 2]) & (y <= box[:, 3])).all()
    for west, south, east, north in box.tolist():
        assert sum(west <= a <= east and south <= b <= north for a, b in points) >= k
    assert made.spots.min() >= spots


@given(users, st.integers(1, 6), st.integers(1, 3))
def test_hilbert_buckets_are_reciprocal(points: list[tuple[int, int]], k: int, spots: int) -> None:
    if len(points) < k or len(set(points)) < spots:
        return
    made = HilbertCloak(spots=spots).run(places_at(points), PlaceDemands(k), SILENT)
    assert made.reciprocal(k) == 1
    assert made.senders.min() >= k


@pytest.mark.parametrize("kind", methods_of(CLOAK), ids=lambda kind: kind.name)
def test_a_method_says_whether_its_regions_are_reciprocal(kind: type[Algorithm]) -> None:
    made = kind().run(walk(), PlaceDemands(5), SILENT)
    assert isinstance(made, CloakedRegions)
    assert (made.reciprocal(5) == 1) == kind.is_reciprocal


@pytest.mark.parametrize("way", WAYS)
def test_one_method_of_every_way_is_the_usual_one(way: str) -> None:
    assert [kind.is_usual for kind in methods_of(way)] == [True] + [False] * (len(methods_of(way)) - 1)


@given(users, st.integers(1, 5))
def test_the_order_of_the_file_changes_no_bucket(points: list[tuple[int, int]], k: int) -> None:
    distinct = sorted(set(points))
    x, y = np.array(distinct, dtype=float).T
    forward = hilbert_buckets(x, y, k)
    backward = hilbert_buckets(x[::-1], y[::-1], k)[::-1]
    assert {frozenset(np.flatnonzero(forward == b).tolist()) for b in forward.tolist()} == {
        frozenset(np.flatnonzero(backward == b).tolist()) for b in backward.tolist()
    }


def test_a_bucket_has_k_users_and_the_last_up_to_2k_minus_1() -> None:
    x = np.arange(23.0)
    sizes = sorted(np.bincount(hilbert_buckets(x, x, 5)).tolist())
    assert sizes == [5, 5, 5, 8]


def test_k_people_at_one_spot_get_a_region_with_another_place() -> None:
    points = [(0, 0)] * 8 + [(500, 500)] * 8
    spot = HilbertCloak(spots=1).run(places_at(points), PlaceDemands(4), SILENT)
    assert spot.sides.max() == 0
    for kind in SPATIAL:
        made = kind().run(places_at(points), PlaceDemands(4), SILENT)
        assert isinstance(made, CloakedRegions)
        assert made.spots.min() == 2


@pytest.mark.parametrize("kind", SPATIAL)
def test_no_region_is_smaller_than_asked(kind: type[Algorithm]) -> None:
    points = [(at % 7, at // 7) for at in range(49)]
    made = kind(least_side=300.0).run(places_at(points), PlaceDemands(3), SILENT)  # type: ignore[call-arg]
    assert isinstance(made, CloakedRegions)
    side = made.sides.min()
    assert side >= 300 or len(np.unique(made.box[0], axis=0)) == 1  # the whole area is all there is


def test_edges_of_a_bucket_are_rounded_outwards() -> None:
    made = HilbertCloak(rounding=10.0).run(places_at([(3, 4), (17, 22), (21, 8)]), PlaceDemands(3), SILENT)
    assert made.box[0][0].tolist() == [0, 0, 30, 30]


@given(users)
def test_users_are_counted_as_one_by_one(points: list[tuple[int, int]]) -> None:
    boxes = np.array([[a - 3, b - 3, a + 3, b + 3] for a, b in points], dtype=float)
    x, y = np.array(points, dtype=float).T
    expected = [sum(w <= a <= e and s <= b <= n for a, b in points) for w, s, e, n in boxes.tolist()]
    assert count_users(x, y, boxes).tolist() == expected


def test_a_memorised_group_stays_while_new_groups_shrink() -> None:
    places = walk()
    found = attack_by_intersection(places, HilbertCloak(), 5, 4, SILENT)
    assert set(found.kept_fewest) == {5}
    assert found.fresh_fewest[-1] < 5
    assert list(found.fresh_median) == sorted(found.fresh_median, reverse=True)
    made = HilbertCloak(queries=4).run(places, PlaceDemands(5), SILENT)
    assert made.reciprocal(5) == 1  # over all four queries together
    assert made.inside.min() >= 5


def test_where_somebody_is_at_a_query_is_the_last_place_before_it() -> None:
    places = Places.of(["a", "a", "b"], [0.0, 10.0, 5.0], [0.0] * 3, [0.0, 100.0, 80.0])
    x, _y = query_positions(places, 2)
    assert x.tolist() == [[0.0, 5.0], [10.0, 5.0]]
    assert query_positions(places, 1, 0.5)[0].tolist() == [[0.0, 5.0]]


def test_temporal_cloaking_waits_for_k_people_and_withholds_what_never_gets_them() -> None:
    names = ["a", "b", "a", "c", "d", "z"]
    x = [10.0, 20, 30, 40, 50, 9000]
    places = Places.of(names, x, [1.0] * 6, [0.0, 30, 60, 600, 660, 5])
    made = TemporalCloaking(side=100.0, clock=60.0).run(places, PlaceDemands(2), SILENT)
    assert made.withheld == 1
    spans = sorted({tuple(span) for span in made.spans.tolist()})  # type: ignore[union-attr]
    assert spans == [(0.0, 60.0), (60.0, 660.0)]
    assert made.senders.min() >= 2
    assert (made.waits >= 0).all()  # type: ignore[operator]
    with pytest.raises(Infeasible):
        TemporalCloaking(side=1.0).run(places, PlaceDemands(2), SILENT)


def test_a_larger_k_costs_larger_regions_or_longer_waits() -> None:
    places = walk(200, 20)
    sides = [cost.median_side for cost in cloak_costs(places, HilbertCloak(), SILENT)]
    waits = [cost.median_wait for cost in cloak_costs(places, TemporalCloaking(), SILENT, (2, 5, 25))]
    assert sides == sorted(sides)
    assert waits == sorted(waits)


def test_shares_of_new_york_are_those_measured_before(shared_data: Path) -> None:
    path = shared_data / "gowalla-sample" / "gowalla_events_nyc.csv.gz"
    places, _found = read_places(path, sniff_options(path))
    assert places.n_people == 7115
    for kind, shares in TABLE.items():
        for k, share in shares.items():
            made = kind().run(places, PlaceDemands(k), SILENT)
            assert made.reciprocal(k) == pytest.approx(share, abs=0.035)
            assert made.inside.min() >= k
    assert all(HilbertCloak().run(places, PlaceDemands(k), SILENT).reciprocal(k) == 1 for k in (2, 50))
