"""The story of the lectures: two people find themselves by their ties, and together two others and the tie between."""

from pathlib import Path

import pytest

from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.rooms.graphs.structural_knowledge import candidate_sets, find_friend_attack
from tests.engine.rooms.graphs.karate import karate_club

LECTURE = [["Alice", other] for other in ("Bob", "Carol", "Dave", "Ed")] + [
    ["Bob", "Dave"], ["Bob", "Ed"], ["Bob", "Fred"], ["Bob", "Greg"], ["Dave", "Ed"], ["Fred", "Greg"],
    ["Carol", "Harry"],
]  # fmt: skip


def graph(pairs: list[list[str]]) -> Graph:
    names = sorted({name for pair in pairs for name in pair})
    return Graph.of(names, [[names.index(one), names.index(other)] for one, other in pairs])


def test_the_two_and_their_tie_are_found() -> None:
    told = find_friend_attack(graph(LECTURE), candidate_sets(graph(LECTURE))["h1"])
    assert told is not None
    names = graph(LECTURE).names
    assert {names[node] for node in told.finders} == {"Alice", "Bob"}
    assert {names[node] for node in told.found} == {"Dave", "Ed"}
    assert told.are_tied


def test_a_missing_tie_is_seen_as_well() -> None:
    apart = graph([pair for pair in LECTURE if pair != ["Dave", "Ed"]])
    told = find_friend_attack(apart, candidate_sets(apart)["h1"])
    assert told is not None
    assert not told.are_tied


def test_of_several_friends_those_with_a_number_of_their_own_are_found() -> None:
    friends = [[finder, friend] for finder in ("Ann", "Ben") for friend in ("Cem", "Dan", "Eva", "Fay")]
    alone = {"Ann": 2, "Ben": 1, "Cem": 1, "Dan": 2, "Xia": 3, "Yan": 4}
    more = graph([*friends, *([name, f"{name} {at}"] for name, ties in alone.items() for at in range(ties))])
    told = find_friend_attack(more, candidate_sets(more)["h1"])
    assert told is not None
    assert not told.are_only_two
    assert {more.names[node] for node in told.found} == {"Cem", "Dan"}
    common = more.neighbours()[told.finders[0]] & more.neighbours()[told.finders[1]]
    for friend in told.found:
        assert [more.degrees[each] for each in common].count(more.degrees[friend]) == 1


@pytest.mark.parametrize("pairs", [[["a", "b"]], [["a", "b"], ["b", "c"], ["c", "a"]]])
def test_where_nobody_stands_out_there_is_no_story(pairs: list[list[str]]) -> None:
    assert find_friend_attack(graph(pairs), candidate_sets(graph(pairs))["h1"]) is None


def test_karate_has_a_story(tmp_path: Path) -> None:
    karate = karate_club(tmp_path)
    told = find_friend_attack(karate, candidate_sets(karate)["h1"])
    assert told is not None
    near = karate.neighbours()
    assert near[told.finders[0]] & near[told.finders[1]] >= set(told.found)
