"""Counts released trees one after the other: classes of alike records, values at every place, patterns by hand."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.trees.recount.reading import Node

Shape = tuple[Any, ...]
Place = tuple[Shape, ...]
_OFTEN = 500


def shape(node: Node, known: frozenset[str]) -> Shape:
    """Give what somebody who knows all quasi-identifiers sees of a vertex and all below it; order says nothing."""
    labels = tuple(sorted(label for label in node.labels if label[0] in known))
    below = tuple(sorted((shape(each, known) for each in node.below), key=repr))
    apart = tuple(sorted((shape(each, known) for each in node.apart), key=repr))
    return (node.path, labels, below, apart)


def smallest_class(records: Sequence[Node], known: frozenset[str], progress: Progress = SILENT) -> int:
    """Give how many records the smallest class of equal structure has; 0 when there is none."""
    return min(Counter(_shapes(records, known, progress)).values(), default=0)


def _shapes(records: Sequence[Node], known: frozenset[str], progress: Progress) -> Iterator[Shape]:
    for at, record in enumerate(records):
        if at % _OFTEN == 0:
            progress(at / len(records), "Counting again")
        yield shape(record, known)


def fewest_values(
    records: Sequence[Node], known: frozenset[str], sensitive: frozenset[str], progress: Progress = SILENT
) -> int | None:
    """Give the fewest values of a sensitive path at any place of any class; nothing where there is no value at all.

    A place is the way from the record to a vertex, each step as it can be seen. What is missing is no value.
    """
    seen: dict[tuple[Place, str], set[str]] = {}
    for at, record in enumerate(records):
        if at % _OFTEN == 0:
            progress(at / len(records), "Counting again")
        for place, node in _places(record, (), known):
            for path, value in node.labels:
                if path in sensitive and is_value(value):
                    seen.setdefault((place, path), set()).add(value)
    return min(map(len, seen.values()), default=None)


def is_value(told: str) -> bool:
    """Tell whether there is a value: null, an empty text and one that says it is missing are none."""
    return told not in ("null", "text (missing)") and told.strip() != "text"


def _places(node: Node, above: Place, known: frozenset[str]) -> Iterator[tuple[Place, Node]]:
    place = (*above, shape(node, known))
    yield place, node
    for each in (*node.below, *node.apart):
        yield from _places(each, place, known)


def vertices(records: Iterable[Node], around: frozenset[str]) -> int:
    """Count the vertices of records, without those around them."""
    return sum(
        (node.path not in around) + vertices(node.below, around) + vertices(node.apart, around) for node in records
    )


def cut_off(records: Iterable[Node]) -> int:
    """Count the vertices that were taken apart."""
    return sum(len(node.apart) + cut_off(node.below) + cut_off(node.apart) for node in records)


def smallest_support(
    records: Sequence[Node], told: Mapping[str, Any], m: int, n: int, progress: Progress = SILENT
) -> int:
    """Give the fewest records that fit any pattern of up to m labels and n relations that one fits."""
    known, spine = frozenset(told["known"]), frozenset(told["spine"])
    alone: Counter[tuple[int, ...]] = Counter()
    linked: Counter[Any] = Counter()
    numbers: dict[tuple[str, str], int] = {}
    for at, record in enumerate(records):
        if at % _OFTEN == 0:
            progress(at / len(records), "Counting again")
        labels = list(labels_of(record, (), known, spine, numbers))
        names = sorted({name for name, _ in labels})
        for size in range(1, m + 1):
            alone.update(combinations(names, size))
        if n and m > 1:
            linked.update(_linked_pairs(labels))
        if n and m > 2:
            linked.update(pattern for pattern in patterns_of(labels, m, n) if len(pattern[0]) > 2 and pattern[1])
    return min([*alone.values(), *linked.values()], default=0)


def _linked_pairs(labels: "Sequence[Label]") -> set[tuple[int, int]]:
    """List the pairs of labels that stand in one vertex, or one above the other: all that share a way to the record."""
    held: dict[int, list[int]] = {}
    for name, own in labels:
        if own:
            held.setdefault(own[-1], []).append(name)
    pairs = set()
    for name, own in labels:
        for vertex in own:
            for other in held.get(vertex, ()):
                if other != name:
                    pairs.add((name, other) if name < other else (other, name))
    return pairs


Label = tuple[int, tuple[int, ...]]
"""The number of a label, and the vertices above it and its own; none where it stands at the record itself."""


def labels_of(
    node: Node,
    above: tuple[int, ...],
    known: frozenset[str],
    spine: frozenset[str],
    numbers: dict[tuple[str, str], int],
) -> Iterator[Label]:
    """Walk the labels of some paths, each numbered as it is first seen."""
    is_record = not above and node.path in spine
    own = () if is_record else (*above, id(node))
    for label in node.labels:
        if label[0] in known:
            yield numbers.setdefault(label, len(numbers)), own
    for each in node.below:
        yield from labels_of(each, own, known, spine, numbers)
    for each in node.apart:
        yield from labels_of(each, (), known, frozenset(), numbers)


def patterns_of(labels: Sequence[Label], m: int, n: int) -> set[Any]:
    """List all patterns of one record: some labels, and which of them are known to stand in or above each other."""
    found: set[Any] = set()
    ordered = sorted(labels)
    for size in range(1, m + 1):
        for some in combinations(ordered, size):
            names = tuple(name for name, _ in some)
            if len(set(names)) < size:
                continue
            found.add((names, ()))
            links = [pair for pair in combinations(range(size), 2) if is_link(some[pair[0]][1], some[pair[1]][1])]
            for many in range(1, min(n, len(links)) + 1):
                found.update((names, chosen) for chosen in combinations(links, many))
    return found


def is_link(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Tell whether two labels below the record stand in one vertex, or one above the other."""
    if not one or not other:
        return False
    return one[-1] in other or other[-1] in one
