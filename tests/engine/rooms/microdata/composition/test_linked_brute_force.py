"""Rows that pseudonyms link are judged as by trying every way; a release that tells nothing new is no alarm."""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.rooms.microdata.composition.attack import attack_composition
from anonymizer_gui.engine.rooms.microdata.composition.published_view import LinkedRows, PublishedView
from tests.engine.rooms.microdata.composition.made_up import Person, World, goal, worlds
from tests.engine.rooms.microdata.composition.test_brute_force import alike_alone

Way = dict[Person, str]
Signature = tuple[str | None, ...]


def linked(shown: PublishedView) -> PublishedView:
    """Let every row carry a pseudonym that its person has in all releases."""
    assert shown.known is not None
    marks = np.array([b"mark " + key for key in shown.keys.tolist()], dtype="S16")
    return replace(shown, links={"name": LinkedRows(marks, shown.classes, shown.known)})


@st.composite
def crossed(draw: st.DrawFn) -> World:
    """Draw people who are in two releases whose classes cross each other, where joining the rows tells most."""
    names = [f"p{number}" for number in range(draw(st.integers(4, 7)))]
    value = {name: draw(st.sampled_from("ab")) for name in names}
    first, second = ({name: draw(st.sampled_from("xxyy ")) for name in names} for _ in range(2))
    kept = [{name: of for name, of in classes.items() if of != " "} for classes in (first, second)]
    return World(value, tuple(one or {names[0]: "x"} for one in kept))


def signature(world: World, person: Person) -> Signature:
    return tuple(classes.get(person) for classes in world.releases)


def ways_when_linked(world: World) -> list[Way]:
    """Give every way in which the values may lie when everybody sees which rows belong to one person.

    A joined row shows its class in every release and its value: of each combination of classes all values are seen.
    """
    people = sorted(set().union(*world.releases))
    seen = Counter((signature(world, who), world.value[who]) for who in people)
    found = []
    for values in product(sorted(set(world.value.values())), repeat=len(people)):
        if Counter((signature(world, who), value) for who, value in zip(people, values, strict=True)) == seen:
            found.append(dict(zip(people, values, strict=True)))
    return found


def determined_when_linked(world: World) -> set[Person]:
    ways = ways_when_linked(world)
    return {who for who in ways[0] if len({way[who] for way in ways}) == 1}


@given(crossed())
def test_nobody_whose_value_linked_rows_determine_is_called_safe_and_nobody_else_is_harmed(world: World) -> None:
    *earlier, new = map(linked, world.shown())
    meeting = attack_composition(new, earlier)
    expected = determined_when_linked(world) - alike_alone(world)
    told = sum(harm.people for harm in meeting.harms if not harm.release)
    assert (told, meeting.undecided) == (len(expected), 0)


@given(crossed())
def test_linked_rows_never_tell_less_than_rows_that_are_not(world: World) -> None:
    *earlier, new = world.shown()
    *earlier_linked, new_linked = map(linked, world.shown())
    apart = sum(harm.people for harm in attack_composition(new, earlier).harms if not harm.release)
    joined = sum(harm.people for harm in attack_composition(new_linked, earlier_linked).harms if not harm.release)
    assert apart <= joined


@given(worlds(releases=2))
def test_a_release_that_left_before_is_no_alarm_when_it_leaves_again(world: World) -> None:
    goals = [[goal("k", k=2), goal("l", l=2, column="", several="each")]] * len(world.releases)
    *earlier, new = world.shown(*goals)
    assert attack_composition(new, [*earlier, replace(new, name="before")]).is_harmless
    assert attack_composition(new, [replace(new, name="before")]).is_harmless
    assert attack_composition(linked(new), [linked(replace(new, name="before"))]).is_harmless


@given(worlds(releases=2))
def test_people_in_one_release_only_are_looked_at(world: World) -> None:
    """Whoever joined or left is known when all others are: the counts of both releases tell it."""
    ways = world.ways()
    alone = {who for who in ways[0] if sum(who in classes for classes in world.releases) == 1}
    known = {who for who in alone if len({way[who] for way in ways}) == 1} - alike_alone(world)
    *earlier, new = world.shown()
    told = sum(harm.people for harm in attack_composition(new, earlier).harms if not harm.release)
    assert told >= len(known)
