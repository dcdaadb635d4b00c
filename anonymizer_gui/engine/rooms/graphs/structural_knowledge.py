"""Candidate sets under H1, H2, H3; exposure; two people who find others.

H1 is the number of ties, H2 the numbers of ties of the neighbours, H3 the H2 of the neighbours (Hay, Miklau, Jensen,
Towsley, Weis 2008). In a directed graph ties that leave and ties that reach a person are told apart.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.graphs.graph import Graph, Ints

DEPTHS = ("h1", "h2", "h3")

TITLES = {
    "h1": "knows how many ties a person has",
    "h2": "also knows how many ties each neighbour has",
    "h3": "also knows that of the neighbours' neighbours",
}


def candidate_sets(graph: Graph, progress: Progress = SILENT) -> dict[str, Ints]:
    """Number the candidate sets: nodes of one number fit the same knowledge."""
    colours = _classes(np.stack([graph.out_degrees, graph.in_degrees], axis=1) if graph.is_directed else graph.degrees)
    found = {}
    for at, depth in enumerate(DEPTHS):
        progress(at / len(DEPTHS), "Looking for people who stand out")
        colours = colours if at == 0 else _refined(graph, colours)
        found[depth] = colours
    return found


def _classes(values: npt.NDArray[np.int64]) -> Ints:
    inverse = np.unique(values, axis=0, return_inverse=True)[1]
    return np.asarray(inverse, dtype=np.int64).reshape(-1)


def _refined(graph: Graph, colours: Ints) -> Ints:
    """Number the nodes by the colours around them; each side of a directed edge is looked at by itself."""
    tail, head = graph.edges[:, 0], graph.edges[:, 1]
    if graph.is_directed:
        sides = [_around(graph, tail, colours[head]), _around(graph, head, colours[tail])]
    else:
        both = (np.concatenate([tail, head]), np.concatenate([colours[head], colours[tail]]))
        sides = [_around(graph, *both)]
    numbers: dict[tuple[bytes, ...], int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in zip(*sides, strict=True)], dtype=np.int64)


def _around(graph: Graph, node: Ints, colour: Ints) -> list[bytes]:
    """Give for each node the colours of its edges, sorted, as bytes that can be compared."""
    order = np.lexsort((colour, node))
    ends = np.cumsum(np.bincount(node, minlength=graph.n_nodes))
    sorted_colours = colour[order]
    return [part.tobytes() for part in np.split(sorted_colours, ends[:-1])] if graph.n_nodes else []


def set_sizes(classes: Ints) -> Ints:
    """Give for each node how many there are in its set."""
    return np.bincount(classes)[classes].astype(np.int64) if len(classes) else np.zeros(0, dtype=np.int64)


def smallest_set(classes: Ints) -> int:
    """Give the size of the smallest set; 0 when there is nobody."""
    return int(np.bincount(classes).min()) if len(classes) else 0


def share_below(classes: Ints, k: int) -> float:
    """Give the share of people in sets of fewer than k."""
    return float((set_sizes(classes) < k).mean()) if len(classes) else 0.0


@dataclass(frozen=True, slots=True)
class Exposure:
    """The three threats as figures: people found, ties that are certain, sensitive values that are certain."""

    unique: dict[str, float]
    """The share of people who are alone in their set, by what is known."""
    below: dict[str, float]
    """The share of people in sets of fewer than k."""
    smallest: int
    """The smallest set of those who know only the number of ties."""
    certain_edges: float
    """The share of ties between two sets of which every two people are joined."""
    fewest_labels: int
    """The fewest different sensitive values in a set; 0 when there is no sensitive column."""


def measure_exposure(
    graph: Graph, sets: dict[str, Ints], k: int, labels: Sequence[str] = (), counted: Ints | None = None
) -> Exposure:
    """Measure the threats; `counted` takes other sets for ties and values than those of equal degree."""
    groups = sets["h1"] if counted is None else counted
    return Exposure(
        {depth: share_below(found, 2) for depth, found in sets.items()},
        {depth: share_below(found, k) for depth, found in sets.items()},
        smallest_set(groups),
        certain_edges(graph, groups),
        fewest_labels(groups, labels) if labels else 0,
    )


def certain_edges(graph: Graph, groups: Ints) -> float:
    """Give the share of ties that are certain to whoever can tell both sets: every possible tie between them is there.

    Two sets of one person each are such a pair; so is a clique that is a set of its own.
    """
    if not graph.n_edges:
        return 0.0
    size, wide = np.bincount(groups), int(groups.max()) + 1
    ends = groups[graph.edges] if graph.is_directed else np.sort(groups[graph.edges], axis=1)
    keys, counts = np.unique(ends[:, 0] * wide + ends[:, 1], return_counts=True)
    one, other = np.divmod(keys, wide)
    inner = size[one] * (size[one] - 1) // (1 if graph.is_directed else 2)
    possible = np.where(one == other, inner, size[one] * size[other])
    return float(counts[counts == possible].sum() / graph.n_edges)


def fewest_labels(groups: Ints, labels: Sequence[str]) -> int:
    """Give the fewest different sensitive values in a set; an empty one is missing and none."""
    seen: dict[int, set[str]] = {}
    for group, label in zip(groups.tolist(), labels, strict=True):
        seen.setdefault(group, set()).add(label)
    return min((len(values - {""}) for values in seen.values()), default=0)


_MOST_FINDERS = 200

_MOST_FRIENDS = 20

_PAIR = 2


@dataclass(frozen=True, slots=True)
class FriendAttack:
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


def find_friend_attack(graph: Graph, alike: Ints) -> FriendAttack | None:
    """Find such a story, if possible one of only two friends who are tied; `alike` tells who has as many ties."""
    near = graph.neighbours()
    alone = np.flatnonzero(set_sizes(alike) == 1)
    finders = alone[np.argsort(-graph.degrees[alone], kind="stable")][:_MOST_FINDERS].tolist()
    told = []
    for one, other in combinations(finders, _PAIR):
        both = sorted(near[one] & near[other])
        for third, fourth in combinations(_told_apart(graph, both), _PAIR):
            told.append(FriendAttack((one, other), (third, fourth), fourth in near[third], len(both) == _PAIR))
            if told[-1].are_tied and told[-1].are_only_two:
                return told[-1]
    return max(told, key=lambda each: (each.are_only_two, each.are_tied), default=None)


def _told_apart(graph: Graph, friends: list[int]) -> list[int]:
    """Give the friends who can be told apart: both of two, of more those who alone have so many ties."""
    if len(friends) == _PAIR:
        return friends
    times = Counter(int(graph.degrees[friend]) for friend in friends)
    return [friend for friend in friends if times[int(graph.degrees[friend])] == 1][:_MOST_FRIENDS]
