"""What is found is exactly what trying every way finds; in large groups nothing that is found is wrong."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.rooms.microdata.composition import exact_search
from anonymizer_gui.engine.rooms.microdata.composition.attack import attack_composition
from anonymizer_gui.engine.rooms.microdata.composition.equations import linear_system
from anonymizer_gui.engine.rooms.microdata.composition.exact_search import refine_bounds
from anonymizer_gui.engine.rooms.microdata.composition.published_view import intersect_classes
from anonymizer_gui.engine.rooms.microdata.composition.solution_bounds import (
    FeasibleCounts,
    feasible_counts,
    known_counts,
)
from tests.engine.rooms.microdata.composition.made_up import Person, World, goal, worlds


def everything(left: FeasibleCounts) -> np.ndarray:
    return np.ones(len(left.sums), dtype=np.bool_)


@contextmanager
def nothing_is_small() -> Iterator[None]:
    """Leave every group to exchanges and flows, as if it were large."""
    with patch.object(exact_search, "MAX_GROUP", 0):
        yield


def left_for(world: World, *, hint: bool, exactly: bool = True) -> dict[Person, dict[str, tuple[int, int, int, int]]]:
    """Give for everybody and every value the bounds of how many of the cell have it: certain and seen."""
    releases = world.shown()
    cells = intersect_classes(releases)
    system = linear_system(cells, releases, ["illness"])
    assert system is not None
    left = feasible_counts(system)
    known = known_counts(left, cells, releases) if hint else np.full(len(left.sums), -1)
    assert not len(refine_bounds(left, everything, known, exactly=exactly))
    found: dict[Person, dict[str, tuple[int, int, int, int]]] = {}
    labels = [system.labels[0][code] for code in system.parts[0].tolist()]
    for number, release in enumerate(releases):
        for key, fact in zip(release.keys.tolist(), cells.fact_of_row[number].tolist(), strict=True):
            mine = np.flatnonzero(left.sums.cell == system.cell_of[cells.cell_of_fact[fact]])
            parts = [left.low, left.high, left.seen_low, left.seen_high]
            found[key.decode()] = {
                labels[left.sums.value[at]]: tuple(int(part[at]) for part in parts)  # type: ignore[misc]
                for at in mine.tolist()
            }
    return found


@given(worlds(), st.booleans())
def test_small_groups_are_known_exactly(world: World, hint: bool) -> None:
    ways = world.ways()
    for person, values in left_for(world, hint=hint).items():
        cell = world.cell(person)
        for value in set(world.value.values()):
            counts = [sum(way[who] == value for who in cell) for way in ways]
            low, high, seen_low, seen_high = values.get(value, (0, 0, 0, 0))
            assert (low, high) == (min(counts), max(counts))
            assert (seen_low, seen_high) == (low, high)


@given(worlds(), st.booleans())
def test_in_large_groups_nothing_that_is_found_is_wrong(world: World, hint: bool) -> None:
    ways = world.ways()
    with nothing_is_small():
        found = left_for(world, hint=hint)
    for person, values in found.items():
        cell = world.cell(person)
        for value in set(world.value.values()):
            counts = [sum(way[who] == value for who in cell) for way in ways]
            low, high, seen_low, seen_high = values.get(value, (0, 0, 0, 0))
            assert low <= min(counts) <= max(counts) <= high
            assert seen_high < seen_low or (min(counts) <= seen_low and seen_high <= max(counts))


def determined(world: World) -> set[Person]:
    ways = world.ways()
    return {who for who in ways[0] if len({way[who] for way in ways}) == 1}


def alike_alone(world: World) -> set[Person]:
    """Give the people in a class whose people all have the same value."""
    found = set()
    for classes in world.releases:
        for of in classes.values():
            members = [who for who, other in classes.items() if other == of]
            if len({world.value[who] for who in members}) == 1:
                found |= set(members)
    return found


def harmed(world: World, *goals: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], int]:
    """Give how many people each goal of a release fails for, and ("", "") for whom one value is left."""
    *earlier, new = world.shown(*goals)
    meeting = attack_composition(new, earlier)
    assert meeting.undecided == 0
    return {(harm.release, harm.goal): harm.people for harm in meeting.harms}


@given(worlds(releases=2))
def test_nobody_whose_value_two_releases_determine_is_called_safe_and_nobody_else_is_harmed(world: World) -> None:
    expected = determined(world) - alike_alone(world)
    assert harmed(world).get(("", ""), 0) == len(expected)


@given(worlds(releases=3))
def test_of_three_releases_the_new_one_is_charged_with_what_it_adds(world: World) -> None:
    together = determined(world) - alike_alone(world)
    before = World(world.value, world.releases[:-1])
    added = together - determined(before) if len(before.releases) > 1 else together
    assert len(added) <= harmed(world).get(("", ""), 0) <= len(together)


@given(worlds(releases=3))
def test_beyond_the_limit_nobody_whose_value_is_determined_is_called_safe(world: World) -> None:
    *earlier, new = world.shown()
    with nothing_is_small():
        meeting = attack_composition(new, earlier)
    before = World(world.value, world.releases[:-1])
    known = determined(before) if len(before.releases) > 1 else set()
    added = determined(world) - alike_alone(world) - known
    told = sum(harm.people for harm in meeting.harms) + meeting.undecided
    assert told >= len(added)
    assert sum(harm.people for harm in meeting.harms) <= len(determined(world) - alike_alone(world))


@dataclass(frozen=True)
class Knowledge:
    """What somebody who tries every way knows of a person, from some of the releases."""

    values: set[str]
    size: int
    counts: dict[str, tuple[int, int]]


def knowledge(world: World, person: Person, releases: int) -> Knowledge:
    """Give what the first releases tell about a person; without them every value of the world is left."""
    known = World(world.value, world.releases[:releases])
    if not any(person in classes for classes in known.releases):
        everything = set(world.value.values())
        return Knowledge(everything, 1, dict.fromkeys(everything, (0, 1)))
    cell, ways = known.cell(person), known.ways()
    counts = {value: [sum(way[who] == value for who in cell) for way in ways] for value in world.value.values()}
    bounds = {value: (min(found), max(found)) for value, found in counts.items()}
    return Knowledge({way[person] for way in ways}, len(cell), bounds)


def rows(world: World, number: int, person: Person) -> list[str]:
    """Give the values of the person's class in a release."""
    classes = world.releases[number]
    return [world.value[who] for who in classes if classes[who] == classes[person]]


def keeps_l(mine: list[str], known: Knowledge, _: list[str]) -> bool:
    return len(known.values & set(mine)) >= 2


def keeps_k(mine: list[str], known: Knowledge, _: list[str]) -> bool:
    return sum(value in known.values for value in mine) >= 3


def keeps_alpha(mine: list[str], known: Knowledge, _: list[str]) -> bool:
    enough = sum(value in known.values for value in mine) >= 2
    not_certain = max(low for low, _ in known.counts.values()) <= known.size / 2
    return enough and not_certain and sum(min(high, known.size / 2) for _, high in known.counts.values()) >= known.size


def keeps_t(_: list[str], known: Knowledge, whole: list[str]) -> bool:
    share = {value: whole.count(value) / len(whole) for value in known.counts}
    above = sum(max(low / known.size - share[value], 0) for value, (low, _) in known.counts.items())
    below = sum(max(share[value] - high / known.size, 0) for value, (_, high) in known.counts.items())
    return max(above, below) <= 0.3 + 1e-9


Keeps = Callable[[list[str], Knowledge, list[str]], bool]


def failing(world: World, number: int, keeps: Keeps, releases: int) -> set[Person]:
    """Give the people of a release for whom its goal holds in their class, but not by what some releases tell."""
    whole = [world.value[who] for who in world.releases[number]]
    found = set()
    for who in world.releases[number]:
        mine = rows(world, number, who)
        alone = Knowledge(set(mine), len(mine), {v: (mine.count(v), mine.count(v)) for v in world.value.values()})
        if keeps(mine, alone, whole) and not keeps(mine, knowledge(world, who, releases), whole):
            found.add(who)
    return found


@pytest.mark.parametrize(
    ("promised", "keeps"),
    [
        (goal("l", l=2, column="", several="each"), keeps_l),
        (goal("k", k=3), keeps_k),
        (goal("alpha-k", alpha=0.5, k=2, column="illness", several="each"), keeps_alpha),
        (goal("t", t=0.3, distance="variational", column="", several="each"), keeps_t),
    ],
    ids=["l", "k", "alpha", "t"],
)
@pytest.mark.parametrize("whose", [0, 1], ids=["earlier", "new"])
def test_the_goals_of_every_release_are_judged_as_by_trying_every_way(
    promised: Mapping[str, Any], keeps: Keeps, whose: int
) -> None:
    @given(worlds(releases=2, people=6))
    def compare(world: World) -> None:
        goals = [[promised] if number == whose else [] for number in range(2)]
        together = failing(world, whose, keeps, releases=2)
        before = failing(world, whose, keeps, releases=1)
        found = sum(people for (release, _), people in harmed(world, *goals).items() if release)
        assert len(together - before) <= found <= len(together)

    compare()
