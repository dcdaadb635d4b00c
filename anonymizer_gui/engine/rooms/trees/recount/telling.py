"""Counts what those who fit a pattern have in common: how many values it takes until everybody has one of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.trees.recount.counting import Label, is_link, is_value, labels_of, patterns_of
from anonymizer_gui.engine.rooms.trees.recount.reading import Node

Values = frozenset[str]
_OFTEN = 500


@dataclass(slots=True)
class Seen:
    """A record: where each label stands that may be known, and every sensitive value with its vertex."""

    spots: dict[int, list[tuple[int, ...]]]
    secrets: list[tuple[str, str, tuple[int, ...]]]

    def values(self, path: str) -> Values:
        """Give all values of a path."""
        return frozenset(value for own, value, _ in self.secrets if own == path)

    def values_at(self, path: str, spots: Iterable[tuple[int, ...]]) -> Values:
        """Give the values of a path that stand in line with one of some vertices."""
        places = list(spots)
        return frozenset(
            value for own, value, way in self.secrets if own == path and any(is_link(way, spot) for spot in places)
        )


def fewest_left_open(
    records: Sequence[Node], told: Mapping[str, Any], least: int, m: int, n: int, progress: Progress = SILENT
) -> int | None:
    """Give the fewest values of a sensitive path that any pattern leaves open, counted up to `least`.

    That many it takes until everybody who fits and has a value has one of them: in the record, or in line with a
    label of the pattern. Nothing where no record has a sensitive value.
    """
    numbers: dict[tuple[str, str], int] = {}
    seen, fits = list[Seen](), dict[Any, list[int]]()
    for at, record in enumerate(records):
        if at % _OFTEN == 0:
            progress(0.3 * at / len(records), "Counting again")
        labels = list(labels_of(record, (), frozenset(told["known"]), frozenset(told["spine"]), numbers))
        seen.append(_seen(record, labels, told))
        for pattern in _patterns(labels, m, n):
            fits.setdefault(pattern, []).append(at)
    fewest = None
    for at, (pattern, owners) in enumerate(fits.items()):
        if at % _OFTEN == 0:
            progress(0.3 + 0.7 * at / len(fits), "Counting again")
        for path in told["sensitive"]:
            for answers in _answers([seen[owner] for owner in owners], pattern, path):
                fewest = _least_of(fewest, _until_all(answers, least))
    return fewest


def _least_of(one: int | None, other: int | None) -> int | None:
    return min((each for each in (one, other) if each is not None), default=None)


def _seen(record: Node, labels: Sequence[Label], told: Mapping[str, Any]) -> Seen:
    spots: dict[int, list[tuple[int, ...]]] = {}
    for name, way in labels:
        spots.setdefault(name, []).append(way)
    words: dict[tuple[str, str], int] = {}
    secrets = list(labels_of(record, (), frozenset(told["sensitive"]), frozenset(told["spine"]), words))
    named = {number: label for label, number in words.items()}
    return Seen(spots, [(*named[number], way) for number, way in secrets if is_value(named[number][1])])


def _patterns(labels: Sequence[Label], m: int, n: int) -> Iterator[Any]:
    if n:
        yield from patterns_of(labels, m, n)
        return
    names = sorted({name for name, _ in labels})
    yield from ((some, ()) for size in range(1, m + 1) for some in combinations(names, size))


def _answers(records: Sequence[Seen], pattern: Any, path: str) -> Iterator[list[Values]]:
    """Give what each of them answers: in all of the record, then at every label of the pattern."""
    yield [record.values(path) for record in records]
    for place in range(len(pattern[0])):
        yield [record.values_at(path, _spots(record, pattern, place)) for record in records]


def _spots(record: Seen, pattern: Any, place: int) -> list[tuple[int, ...]]:
    """Give where a label of a pattern may stand, so that its relations hold."""
    names, links = pattern
    if not links:
        return record.spots[names[place]]
    ways = product(*(record.spots[name] for name in names))
    return [way[place] for way in ways if all(is_link(way[one], way[other]) for one, other in links)]


def _until_all(answers: Sequence[Values], most: int) -> int | None:
    """Give how many values it takes until everybody has one of them, counted up to `most`; who has none is nobody."""
    various = [each for each in answers if each]
    if not various:
        return None
    if _apart(various, most):
        return most
    return next((size for size in range(1, most) if _covers(various, size)), most)


def _apart(answers: Sequence[Values], wanted: int) -> bool:
    """Tell whether so many answers were found of which no two share a value: each needs one of its own then."""
    taken: set[str] = set()
    for own in answers:
        if taken.isdisjoint(own):
            taken |= own
            wanted -= 1
            if not wanted:
                return True
    return False


def _covers(answers: Sequence[Values], size: int) -> bool:
    """Tell whether so many values reach everybody: one of them must be that of a fair share."""
    if not answers or not size:
        return not answers
    for value, count in Counter(value for own in answers for value in own).most_common():
        if count * size < len(answers):
            return False
        if _covers([own for own in answers if value not in own], size - 1):
            return True
    return False
