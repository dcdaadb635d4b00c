"""Tracks that k people share: classes, distances, time modes, trimming, lost tracks, and who is unique."""

from collections import Counter
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
from anonymizer_gui.engine.rooms.places.algorithms.contract import PlaceDemands
from anonymizer_gui.engine.rooms.places.algorithms.trajectories import ABSOLUTE, NeverWalkAlone, move_to_disc
from anonymizer_gui.engine.rooms.places.attack import (
    KnowledgePrecision,
    matching_trajectories,
    uniqueness_curve,
    visited_after,
    visited_before,
)
from anonymizer_gui.engine.rooms.places.sweep import time_costs
from anonymizer_gui.engine.rooms.places.trajectories import FAR, RARE, SHORT, median_step, trim_ends

track = st.lists(st.tuples(st.integers(-500, 500), st.integers(-500, 500), st.integers(0, 40)), min_size=1, max_size=6)
"""Points of a track, possibly one, possibly standing still, possibly at one instant."""


def places_of(tracks: list[list[tuple[int, int, int]]]) -> Places:
    rows = [(f"{at:02}", *point) for at, points in enumerate(tracks) for point in {p[2]: p for p in points}.values()]
    return Places.of([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows], [60.0 * r[3] for r in rows])


def lanes(many: int = 12, points: int = 40, apart: float = 100.0) -> Places:
    at = np.arange(points, dtype=float)
    names = np.repeat([f"{n:02}" for n in range(many)], points)
    return Places.of(
        list(names), np.tile(at * 20, many), np.repeat(np.arange(many) * apart, points), np.tile(at * 10, many)
    )


@given(st.lists(track, min_size=1, max_size=12), st.integers(1, 4), st.sampled_from([0.0, 50.0, 400.0]), st.booleans())
def test_classes_hold_k_people_who_are_never_farther_than_delta(
    tracks: list[list[tuple[int, int, int]]], k: int, delta: float, is_relative: bool
) -> None:
    places = places_of(tracks)
    try:
        made = NeverWalkAlone(delta=delta, time="relative" if is_relative else ABSOLUTE).run(
            places, PlaceDemands(k), SILENT
        )
    except Infeasible:
        return
    seen = [track for each in made.classes for track in each.tracks.tolist()]
    assert sorted([*seen, *made.lost]) == list(range(len(places)))
    for each in made.classes:
        assert len(set(places.person_of[each.tracks].tolist())) >= k
        for one in each.shown:
            for other in each.shown:
                assert np.hypot(*(one - other).T).max() <= max(delta, 1e-9)
    assert set(made.lost.values()) <= {FAR, RARE, SHORT}


def test_k_of_1_changes_nothing_but_the_instants() -> None:
    made = NeverWalkAlone(step=10.0).run(lanes(), PlaceDemands(1), SILENT)
    assert made.mean_displacement == 0
    assert made.lost == {}


def test_tracks_of_one_person_never_share_a_class() -> None:
    places = lanes(8)
    two_each = Places(places.names, places.starts, places.x, places.y, places.t, np.arange(8) // 2, places.projection)
    made = NeverWalkAlone().run(two_each, PlaceDemands(3), SILENT)
    for each in made.classes:
        people = two_each.person_of[each.tracks].tolist()
        assert len(set(people)) == len(people) >= 3


def test_shuffling_the_input_keeps_the_classes() -> None:
    places = lanes(10)
    order = np.random.default_rng(1).permutation(10)
    first = NeverWalkAlone().run(places, PlaceDemands(3), SILENT)
    second = NeverWalkAlone().run(places.take(order), PlaceDemands(3), SILENT)
    assert first.smallest >= 3
    assert second.smallest >= 3


def test_absolute_time_loses_tracks_of_other_hours() -> None:
    places = lanes(9)
    shifted = places.t + np.repeat(np.arange(9) * 3600.0, 40)
    apart = Places(places.names, places.starts, places.x, places.y, shifted, places.person_of, places.projection)
    relative, absolute = time_costs(apart, NeverWalkAlone(), 3, SILENT)
    assert (relative.lost, absolute.lost) == (0.0, 1.0)
    with pytest.raises(Infeasible) as told:
        NeverWalkAlone(time=ABSOLUTE).run(apart, PlaceDemands(3), SILENT)
    assert "relative" in told.value.hint


@pytest.mark.parametrize("time", ["relative", ABSOLUTE])
def test_short_tracks_are_not_cut_down_to_a_point(time: str) -> None:
    """Six points over five minutes leave as six: spans that are longer than the tracks would leave one, or none."""
    made = NeverWalkAlone(time=time).run(lanes(12, 6), PlaceDemands(3), SILENT)
    assert not made.lost
    assert made.cut == 0
    assert {each.shown.shape[1] for each in made.classes} == {6}


def test_what_is_cut_off_ends_is_counted() -> None:
    """Nine tracks of 40 points and three of 38: whoever shares a span leaves with as many points as are not cut."""
    long, short = lanes(9), lanes(3, 38)
    places = Places.of(
        [*(f"a{n}" for n in long.track_of), *(f"b{n}" for n in short.track_of)],
        [*long.x, *short.x], [*long.y, *short.y], [*long.t, *short.t],
    )  # fmt: skip
    made = NeverWalkAlone().run(places, PlaceDemands(3), SILENT)
    left = sum(each.shown.shape[0] * each.shown.shape[1] for each in made.classes)
    assert not made.lost
    assert left + made.cut == places.n_points


def test_ends_near_home_are_trimmed() -> None:
    x = np.array([0.0, 30, 120, 200, 320, 330])
    assert trim_ends(x, np.zeros(6), 100.0) == slice(2, 4)
    assert trim_ends(x, np.zeros(6), 0.0) == slice(0, 6)
    assert trim_ends(np.zeros(3), np.zeros(3), 10.0) == slice(0, 0)
    made = NeverWalkAlone(trim=100.0).run(lanes(), PlaceDemands(3), SILENT)
    assert min(float(each.shown[:, :, 0].min()) for each in made.classes) > 100
    assert min(made.trimmed.values()) > 150


def test_somebody_who_never_leaves_home_is_lost_after_trimming() -> None:
    places = lanes(4)
    still = Places.of(["z"] * 3, [5.0] * 3, [5.0] * 3, [0.0, 10, 20])
    both = Places.of(
        [*np.repeat(places.names, 40), *["z"] * 3], [*places.x, *still.x], [*places.y, *still.y], [*places.t, *still.t]
    )
    assert NeverWalkAlone(trim=50.0).run(both, PlaceDemands(2), SILENT).lost == {4: SHORT}


def test_a_far_track_is_lost_and_not_dragged_along() -> None:
    places = lanes(11, apart=10.0)
    y = places.y + np.where(places.track_of == 10, 1e6, 0)
    made = NeverWalkAlone().run(
        Places(places.names, places.starts, places.x, y, places.t, places.person_of, places.projection),
        PlaceDemands(5),
        SILENT,
    )
    assert made.lost == {10: FAR}
    assert made.mean_displacement < 100


def test_moving_onto_a_disc_keeps_who_is_inside() -> None:
    true = np.array([[[0.0, 0.0]], [[100.0, 0.0]], [[50.0, 10.0]]])
    assert np.ptp(move_to_disc(true, 0.0), axis=0).max() == 0
    shown = move_to_disc(true, 60.0)
    assert np.hypot(*(shown[0, 0] - shown[1, 0])) <= 60
    assert np.allclose(move_to_disc(true, 500.0), true)


def test_a_few_points_identify_a_track_before_and_none_after() -> None:
    places = lanes(12, apart=300.0)
    sharp = KnowledgePrecision(100.0, 300.0)
    assert uniqueness_curve(visited_before(places, sharp), 0)[1] == 1.0
    made = NeverWalkAlone().run(places, PlaceDemands(4), SILENT)
    assert uniqueness_curve(visited_after(made, sharp), 0) == [0.0] * 4
    points, fits = matching_trajectories(places, 3, 2, sharp, 0)
    assert fits == [3]
    assert set(places.track_of[points]) == {3}


def test_the_usual_step_ignores_the_way_from_one_track_to_the_next() -> None:
    assert median_step(Places.of(["a", "a", "b"], [0.0] * 3, [0.0] * 3, [0.0, 15, 9000])) == 15.0


def test_porto_loses_little_in_relative_time_and_most_in_absolute(shared_data: Path) -> None:
    path = shared_data / "porto-taxi-1k" / "train.1k.csv"
    places, _found = read_places(path, sniff_options(path))
    relative, absolute = time_costs(places, NeverWalkAlone(delta=200.0), 5, SILENT)
    assert relative.lost < 0.2
    assert 2 * relative.lost < absolute.lost < 0.72
    assert relative.displacement < 1300
    made = NeverWalkAlone().run(places, PlaceDemands(5), SILENT)
    shown = Counter(track.tobytes() for each in made.classes for track in each.shown)
    assert min(shown.values()) >= 5
