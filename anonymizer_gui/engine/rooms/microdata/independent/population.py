"""People of a population who fit each class; what a published cell covers."""

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.independent.counting import Key, PopulationCounts, cell_tuples
from anonymizer_gui.engine.rooms.microdata.independent.interface import (
    SUPPRESSED,
    ColumnRoles,
    FileFormat,
    KnownFacts,
    Order,
    Population,
    Span,
    Tree,
)
from anonymizer_gui.engine.rooms.microdata.independent.reading import read_columns, visible_text
from anonymizer_gui.engine.rooms.microdata.independent.value_orders import PlainHierarchy, sort_values, value_reader

_NUMBER = r"[+-]?\d+(?:\.\d+)?(?:[kKM]|[eE][+-]?\d+)?"

_END = rf"({_NUMBER}|[+-]?(?:[iI]nf|∞))"

_BRACKETS = re.compile(rf"([\[(\]])\s*{_END}\s*(?:-|–|,|;|\.\.|to)\s*{_END}\s*([\])\[])")

_PLAIN_RANGE = re.compile(rf"({_NUMBER})\s*(?:-|–|\.\.|to)\s*({_NUMBER})")

_ONE_SIDED = re.compile(rf"(<=|≤|<|>=|≥|>)\s*({_NUMBER})|({_NUMBER})\s*\+")

_THOUSANDS = {"k": 1e3, "K": 1e3, "M": 1e6}


class Coverage:
    """The values of one column in their order, and which of them a cell covers.

    With a hierarchy the values are its leaves, and a text without a leaf is covered by no cell.
    """

    def __init__(
        self, values: Iterable[str], order: Order, tree: Tree | None, is_missing: Callable[[str], bool]
    ) -> None:
        present = {value for value in values if value != SUPPRESSED}
        reader = value_reader(order, [value for value in present if not is_missing(value)])
        self._is_missing = is_missing
        self._branches = None if tree is None else PlainHierarchy(tree, is_missing, reader)
        self._texts: Sequence[str] = (
            sort_values(present, order, is_missing) if self._branches is None else self._branches.leaf_labels
        )
        self._at = {text: at for at, text in enumerate(self._texts)}
        read = [(reader(text), at) for at, text in enumerate(self._texts)]
        self._numbers = sorted((value, at) for value, at in read if value is not None)

    def place_of(self, value: str) -> int | None:
        """Give the place of a value, or nothing."""
        if self._branches is not None:
            return self._branches.number_of_leaf(value)
        return self._at.get("" if self._is_missing(value) else value)

    def covered(self, label: str) -> Iterable[int]:
        """Give the places of all values that a cell stands for; none when it describes nothing we know."""
        own = self.place_of(label)
        if own is not None:
            return (own,)
        below = None if self._branches is None else self._branches.leaves_under(label)
        if below is not None:
            return below
        if label == SUPPRESSED:
            return range(len(self._texts))
        return self._between(label) or self._listed(label) or self._spanned(label) or self._masked(label)

    def _between(self, label: str) -> Iterable[int]:
        """Read `[a-b]`, both of which are values."""
        if label[:1] + label[-1:] != "[]":
            return ()
        inside = label[1:-1]
        for cut in (at for at, sign in enumerate(inside) if sign == "-"):
            low, high = (self._at.get(end.strip(), -1) for end in (inside[:cut], inside[cut + 1 :]))
            if 0 <= low <= high:
                return range(low, high + 1)
        return ()

    def _listed(self, label: str) -> Iterable[int]:
        """Read `{A, B}`; a value may have a comma of its own."""
        if label[:1] + label[-1:] != "{}":
            return ()
        parts = label[1:-1].split(", ")
        reached: dict[int, list[int]] = {0: []}
        for begin in range(len(parts)):
            for end in range(begin + 1, len(parts) + 1):
                at = self._at.get(", ".join(parts[begin:end]))
                if at is not None and begin in reached and end not in reached:
                    reached[end] = [*reached[begin], at]
        return reached.get(len(parts), ())

    def _spanned(self, label: str) -> Iterable[int]:
        """Read a range of numbers, as other tools write it."""
        span = parse_range(label)
        if span is None:
            return ()
        first = (bisect_right if span.open_low else bisect_left)(self._numbers, span.low, key=lambda pair: pair[0])
        last = (bisect_right if span.closed else bisect_left)(self._numbers, span.high, key=lambda pair: pair[0])
        return [at for _, at in self._numbers[first:last]]

    def _masked(self, label: str) -> Iterable[int]:
        """Read `130**`: as many letters, the first of them known."""
        known = label.rstrip(SUPPRESSED)
        if not known or known == label:
            return ()
        return [at for at, text in enumerate(self._texts) if len(text) == len(label) and text.startswith(known)]


def parse_range(label: str) -> Span | None:
    """Read a label that spells numbers from one to another.

    >>> parse_range("(12.5K, 25K]"), parse_range("20-29").closed, parse_range(">=40").low, parse_range("x")
    (Span(low=12500.0, high=25000.0, closed=True, open_low=True), True, 40.0, None)
    """
    if found := _BRACKETS.fullmatch(label):
        return Span(_number(found[2]), _number(found[3]), closed=found[4] == "]", open_low=found[1] != "[")
    if found := _PLAIN_RANGE.fullmatch(label):
        return Span(_number(found[1]), _number(found[2]), closed=True)
    if not (found := _ONE_SIDED.fullmatch(label)):
        return None
    sign, end = found[1] or "≥", _number(found[2] or found[3])
    if sign.startswith(("<", "≤")):
        return Span(-math.inf, end, closed=sign != "<")
    return Span(end, math.inf, open_low=sign == ">")


def _number(text: str) -> float:
    return float(text[:-1]) * _THOUSANDS[text[-1]] if text[-1] in _THOUSANDS else float(text.replace("∞", "inf"))


Labels = frozenset[str]

_AT_ONCE = 1 << 10


def count_population(
    classes: Mapping[Key, int],
    population: Population,
    columns: ColumnRoles,
    reading: FileFormat,
    known: KnownFacts,
    progress: Progress,
) -> PopulationCounts:
    """Count for every class the people whose values lie in its cells, and the people who fit none.

    Raises UnreadableFile when the population cannot be read or lacks a quasi-identifier.
    """
    people = _people(population, columns.qis, reading, progress.sub(0.0, 0.6))
    covers = []
    for at, name in enumerate(columns.qis):
        values, labels = {person[at] for person in people}, {key[at] for key in classes}
        coverage = Coverage(values, known.orders.get(name, Order()), known.trees.get(name), reading.is_missing)
        covers.append(_labels_of_values(values, labels, coverage, known.meanings.get(name, {})))
    alike: Counter[tuple[Labels, ...]] = Counter()
    for person, times in people.items():
        alike[tuple(cover[value] for cover, value in zip(covers, person, strict=True))] += times
    return _walked(classes, alike, progress.sub(0.6, 1.0))


def _people(population: Population, names: Sequence[str], reading: FileFormat, progress: Progress) -> Counter[Key]:
    """Count the people of each kind."""
    found: Counter[Key] = Counter()
    if population.path is not None:
        for rows in read_columns(population.path, population.reading, names, progress):
            found.update(cell_tuples(rows.columns, rows.number))
        return found
    cells = [[_plain(cell, reading) for cell in population.cells[name]] for name in names]
    found.update(zip(*cells, strict=True))
    return found


def _plain(cell: str, reading: FileFormat) -> str:
    text = visible_text(cell)
    return "" if reading.is_missing(text) else text


def _labels_of_values(
    values: set[str], labels: set[str], coverage: Coverage, meanings: Mapping[str, str]
) -> dict[str, Labels]:
    """Find the published cells of a column that cover each value."""
    covering: dict[int, set[str]] = defaultdict(set)
    for label in labels:
        for covered in coverage.covered(meanings.get(label, label)):
            covering[covered].add(label)
    once: dict[Labels, Labels] = {}
    found = {}
    for value in values:
        place = coverage.place_of(value)
        cover = frozenset(covering.get(place, ()) if place is not None else ())
        found[value] = once.setdefault(cover, cover)
    return found


def _walked(
    classes: Mapping[Key, int], people: Mapping[tuple[Labels, ...], int], progress: Progress
) -> PopulationCounts:
    following = _following(classes)
    in_classes: Counter[int] = Counter()
    outside = 0
    for done, (covers, times) in enumerate(people.items()):
        if done % _AT_ONCE == 0:
            progress(done / len(people), message("Comparing people with classes"))
        reached: list[Key] = [()] if classes else []
        for cover in covers:
            reached = [(*begin, label) for begin in reached for label in cover & following[begin]]
        outside += 0 if reached else times
        for key in reached:
            in_classes[classes[key]] += times
    return PopulationCounts(in_classes, outside)


def _following(classes: Mapping[Key, int]) -> dict[Key, set[str]]:
    """Say for the first cells of every class which cells may follow."""
    found: dict[Key, set[str]] = defaultdict(set)
    for key in classes:
        for at, label in enumerate(key):
            found[key[:at]].add(label)
    return found
