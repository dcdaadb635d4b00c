"""The story of the lectures in a graph at hand: two people find themselves, and together two others and their tie."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from anonymizer_gui.engine.data.graphs.graph import Graph, Ints
from anonymizer_gui.engine.rooms.graphs.knowledge import sizes_of

_MOST_FINDERS = 200
_MOST_FRIENDS = 20
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Story:
    """Two people who are found by their number of ties, two friends of both, and whether these are tied.

    Nobody has told anything about the last two: the finders know them as friends of both, and so see their tie. They
    are the only two such friends, or each is the only one of them with so many ties.
    """

    finders: tuple[int, int]
    found: tuple[int, int]
    are_tied: bool
    are_only_two: bool

    @property
    def people(self) -> frozenset[int]:
        """Everybody the story is about."""
        return frozenset({*self.finders, *self.found})


def story_of(graph: Graph, alike: Ints) -> Story | None:
    """Find such a story, if possible one of only two friends who are tied; `alike` tells who has as many ties."""
    near = graph.neighbours()
    alone = np.flatnonzero(sizes_of(alike) == 1)
    finders = alone[np.argsort(-graph.degrees[alone], kind="stable")][:_MOST_FINDERS].tolist()
    told = []
    for one, other in combinations(finders, _PAIR):
        both = sorted(near[one] & near[other])
        for third, fourth in combinations(_told_apart(graph, both), _PAIR):
            told.append(Story((one, other), (third, fourth), fourth in near[third], len(both) == _PAIR))
            if told[-1].are_tied and told[-1].are_only_two:
                return told[-1]
    return max(told, key=lambda each: (each.are_only_two, each.are_tied), default=None)


def _told_apart(graph: Graph, friends: list[int]) -> list[int]:
    """Give the friends who can be told apart: both of two, of more those who alone have so many ties."""
    if len(friends) == _PAIR:
        return friends
    times = Counter(int(graph.degrees[friend]) for friend in friends)
    return [friend for friend in friends if times[int(graph.degrees[friend])] == 1][:_MOST_FRIENDS]
