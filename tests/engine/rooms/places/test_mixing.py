"""Mix zones: passages, groups, and what timing and turns leave of a set."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible, PromiseBroken
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.places.layout import sniff_options
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.data.places.reading import read_places
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.places import mix_zones as attack
from anonymizer_gui.engine.rooms.places.algorithms import mix_zones
from anonymizer_gui.engine.rooms.places.algorithms.contract import PlaceDemands
from anonymizer_gui.engine.rooms.places.algorithms.mix_zones import MixZones, add_best_zone, uncertainty
from anonymizer_gui.engine.rooms.places.independent.recount import count_mix
from anonymizer_gui.engine.rooms.places.mix_zones import (
    MixedTrajectories,
    Passage,
    effective_sizes,
    group_passages,
    match_probabilities,
    place_zones,
)
from anonymizer_gui.engine.rooms.places.project import PLACES, Project
from anonymizer_gui.engine.rooms.places.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.rooms.places.run import run
from anonymizer_gui.engine.rooms.places.sweep import mix_costs

AT_THE_BRIDGE = MixZones(zones=1, radius=100.0, window=60.0, trim=0.0, by_hand=(0.0, 0.0))


def walkers(turns: list[str], begin: list[float], speed: float = 10.0) -> Places:
    """Let people come from the west, cross the middle, and go straight on or turn north."""
    rows = []
    for number, (turn, start) in enumerate(zip(turns, begin, strict=True)):
        for step in range(61):
            far = step * speed - 300.0
            x, y = (min(far, 0.0), max(far, 0.0)) if turn == "north" else (far, 0.0)
            rows.append((f"{number:02}", x, y, start + step))
    return Places.of([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows], [r[3] for r in rows])


def brute(weight: np.ndarray) -> np.ndarray:
    """Sum up every way to match entries and exits, one after the other."""
    size = len(weight)
    found = np.zeros((size, size))
    for order in itertools.permutations(range(size)):
        worth = float(np.prod([weight[row, column] for row, column in enumerate(order)]))
        for row, column in enumerate(order):
            found[row, column] += worth
    return found / found.sum(axis=1, keepdims=True)


@given(st.integers(1, 5), st.integers(0, 1000))
def test_small_groups_are_matched_as_by_brute_force(size: int, seed: int) -> None:
    weight = np.random.default_rng(seed).uniform(0.01, 1, (size, size))
    assert np.allclose(match_probabilities(weight), brute(weight))
    assert np.allclose(effective_sizes(match_probabilities(weight)), effective_sizes(brute(weight)))


@given(st.integers(5, 6), st.integers(0, 1000))
def test_scaling_comes_near_to_brute_force(size: int, seed: int) -> None:
    weight = np.random.default_rng(seed).uniform(0.2, 1, (size, size))
    rest = pytest.MonkeyPatch()
    with rest.context() as patch:
        patch.setattr(attack, "_EXACT", 1)
        near = match_probabilities(weight)
    assert np.abs(effective_sizes(near) - effective_sizes(brute(weight))).max() < 0.15 * size
    assert np.allclose(near.sum(axis=1), 1)


def test_first_in_first_out_is_fully_linked() -> None:
    places = walkers(["on"] * 8, [float(15 * number) for number in range(8)])
    made = replace(AT_THE_BRIDGE, window=600.0).run(places, PlaceDemands(2), SILENT)
    assert made.mean_sizes()["nominal"] > 1
    assert made.linked == 1.0
    assert made.mean_sizes()["timing"] < 1.1


def test_people_at_the_same_instant_and_way_cannot_be_told_apart() -> None:
    made = AT_THE_BRIDGE.run(walkers(["on"] * 6, [0.0] * 6), PlaceDemands(3), SILENT)
    assert made.mean_sizes() == {"nominal": 6.0, "timing": pytest.approx(6.0), "both": pytest.approx(6.0)}


def test_turn_statistics_link_more_than_timing_alone() -> None:
    turns = ["on", "north"] * 6
    places = walkers(turns, [float(at // 2) for at in range(12)])
    other = walkers(["on"] * 12, [0.0] * 12)
    x = np.where(np.array([t == "north" for t in turns])[places.track_of], -places.y, places.x)
    # Half of the people come from the south and go north: the port they enter by tells where they leave.
    y = np.where(np.array([t == "north" for t in turns])[places.track_of], places.x + places.y, 0.0)
    made = AT_THE_BRIDGE.run(replace(other, x=x * 0 + np.where(y != 0, 0.0, other.x), y=y), PlaceDemands(3), SILENT)
    sizes = made.mean_sizes()
    assert sizes["nominal"] == 12
    assert sizes["both"] < sizes["timing"]


def test_who_passes_alone_or_too_few_keep_their_pseudonym() -> None:
    made = AT_THE_BRIDGE.run(walkers(["on"] * 4, [0.0, 1.0, 500.0, 2000.0]), PlaceDemands(3), SILENT)
    assert (made.swapped, made.alone, len(set(made.pseudonym))) == (0, 2, 4)
    assert sorted(made.part) == [1, 1, 1, 1, 2, 2, 2, 2]


def test_nobody_is_in_a_group_twice() -> None:
    passages = [
        Passage(0, track, float(at), at + 50.0, 0, 4, 0, 0, float(at), at + 50.0)
        for at, track in enumerate([0, 1, 0, 2])
    ]
    assert group_passages(passages, 60.0, np.arange(3)) == [[0, 1], [2, 3]]
    assert group_passages(passages, 60.0, np.array([0, 0, 1])) == [[0], [1], [2, 3]]


def test_zones_are_where_people_pass_and_do_not_overlap() -> None:
    places = walkers(["on", "north"] * 5, [0.0] * 10)
    zones = place_zones(places, 3, 80.0, np.empty((0, 2)))
    far = [np.hypot(*(one - other)) for one, other in itertools.combinations(zones[:, :2], 2)]
    assert min(far) >= 158
    ends = np.array([[-300.0, 0.0], [300.0, 0.0], [0.0, 300.0]])
    assert np.hypot(*(zones[0, :2] - ends).T).min() > 80


def test_the_best_zone_leaves_more_uncertain() -> None:
    places = walkers(["on"] * 6, [0.0] * 6)
    before = replace(AT_THE_BRIDGE, by_hand=(5000.0, 5000.0), radius=60.0)
    best = add_best_zone(places, before, 3, SILENT)
    assert len(best.by_hand) == 4
    assert (
        uncertainty(best.run(places, PlaceDemands(3), SILENT))
        > uncertainty(before.run(places, PlaceDemands(3), SILENT))
        == 0
    )
    with pytest.raises(Infeasible):
        add_best_zone(places, before, 50, SILENT)
    assert next(iter(mix_costs(places, AT_THE_BRIDGE, 3, SILENT))).zones == 1


def test_zones_need_two_numbers_and_something_must_be_left() -> None:
    places = walkers(["on"] * 3, [0.0] * 3)
    with pytest.raises(BadParameter):
        replace(AT_THE_BRIDGE, by_hand=(1.0,)).run(places, PlaceDemands(2), SILENT)
    with pytest.raises(Infeasible):
        replace(AT_THE_BRIDGE, radius=9000.0).run(places, PlaceDemands(2), SILENT)


def leaving(k: int = 3) -> ReleaseCandidate:
    places = walkers(["on", "north"] * 4, [0.0, 0, 1, 1, 2, 2, 900, 900])
    return ReleaseCandidate(run(Project(k=k, algorithm=AT_THE_BRIDGE), {PLACES: places}), Safeguards())


def test_a_mix_leaves_with_who_ended_and_began_and_verifies(tmp_path: Path) -> None:
    exported = export(leaving(), tmp_path / "out.csv")
    found = verify_release(exported.path)
    assert found.holds, found.differences
    assert (tmp_path / "out.mixes.csv").read_text().startswith("mix,zone,track,side\n")
    lines = (tmp_path / "out.mixes.csv").read_text().splitlines()
    (tmp_path / "out.mixes.csv").write_text("\n".join(lines[:-1]) + "\n")
    assert not verify_release(exported.path).holds


def test_code_that_swaps_too_few_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert leaving().promises[0].value == 6
    monkeypatch.setattr(mix_zones, "max", lambda *_values: 2, raising=False)
    with pytest.raises(PromiseBroken):
        leaving(7)


def test_code_that_tells_points_inside_a_zone_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mix_zones, "zone_at", lambda zones, x, y: np.where(np.hypot(x, y) <= 50, 0, -1))
    with pytest.raises(PromiseBroken):
        leaving()


def test_the_recount_finds_what_does_not_fit_together() -> None:
    rows = [
        ["1", "1", "0", "-9", "0"],
        ["2", "1", "0", "-9", "1"],
        ["3", "1", "5", "9", "0"],
        ["4", "1", "5", "9", "1"],
    ]
    mixes = [["1", "1", "1", "in"], ["1", "1", "2", "in"], ["1", "1", "3", "out"], ["1", "1", "4", "out"]]
    zones = [[0.0, 0.0, 5.0]]
    found = count_mix(rows, mixes, zones, None)
    assert (found.pseudonyms, found.mixes, found.smallest, found.inside) == (4, 1, 2, 0)
    assert count_mix(rows, mixes, [[-9.0, 0.0, 5.0]], None).inside == 2
    for wrong in (
        mixes[:-1],
        [*mixes[:-1], ["1", "1", "1", "out"]],
        [*mixes, mixes[0]],
        [*mixes[:-1], ["1", "2", "4", "out"]],
    ):
        with pytest.raises(ValueError, match=r"^$"):
            count_mix(rows, wrong, zones, None)


def test_a_nominal_set_overstates_in_oldenburg(shared_data: Path) -> None:
    path = shared_data / "oldenburg" / "oldenburg_sim_1000.csv"
    places, _found = read_places(path, sniff_options(path))
    made: MixedTrajectories = MixZones(zones=20, radius=300.0, trim=0.0).run(
        places.take(range(400)), PlaceDemands(5), SILENT
    )
    sizes = made.mean_sizes()
    assert sizes["nominal"] > 1.5 * sizes["timing"] > 1.5 * sizes["both"] > 1.5
    assert made.linked > 0.2


def test_what_is_not_published_does_not_help_the_attacker() -> None:
    """Where people are inside a zone stays there: however they walk in it, the attack comes to the same."""
    places = walkers(["on", "north"] * 6, [float(5 * at) for at in range(12)])
    inside = np.hypot(places.x, places.y) < AT_THE_BRIDGE.radius
    assert inside.any()
    strolling = replace(places, x=np.where(inside, 0.1 * places.y, places.x), y=np.where(inside, 3.0, places.y))
    one, other = (AT_THE_BRIDGE.run(each, PlaceDemands(3), SILENT) for each in (places, strolling))
    assert one.attacked
    assert all(np.array_equal(a.both, b.both) for a, b in zip(one.attacked, other.attacked, strict=True))


def test_between_two_zones_everybody_is_seen() -> None:
    """Whoever goes straight from one zone into the next is not seen to leave, and would mix with nobody."""
    places = walkers(["on"] * 12, [float(at) for at in range(12)])
    made: MixedTrajectories = MixZones(zones=2, radius=60.0, trim=0.0).run(places, PlaceDemands(3), SILENT)
    assert len(made.zones) == 2
    assert len(made.passages) == 2 * 12
    assert made.swapped == 2 * 12


def test_zones_by_traffic_are_larger_where_more_people_pass() -> None:
    places = walkers(["on"] * 12 + ["north"] * 3, [0.0] * 15)
    zones = place_zones(places, 4, 60.0, np.array([[0.0, 0.0]]), by_traffic=True)
    assert len(set(zones[:, 2].tolist())) > 1
    busy, quiet = (np.abs(zones[:, :2] - at).sum(axis=1).argmin() for at in ([0.0, 0.0], [0.0, 150.0]))
    assert zones[busy, 2] > zones[quiet, 2]
    apart = [(np.hypot(*(a[:2] - b[:2])), a[2] + b[2]) for a, b in itertools.combinations(zones, 2)]
    assert all(far >= both + 60.0 - 2 for far, both in apart)
    made = replace(AT_THE_BRIDGE, sizes="traffic", zones=3).run(places, PlaceDemands(3), SILENT)
    assert made.attacked
