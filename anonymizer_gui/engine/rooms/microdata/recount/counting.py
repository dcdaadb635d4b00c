"""Classes and their histograms, in ordinary dictionaries: rows whose cells are equal in every quasi-identifier."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.recount.asked import Counts
from anonymizer_gui.engine.rooms.microdata.recount.reading import Rows

Key = tuple[str, ...]
Person = Hashable
"""Whom a row is about; None where that is not known."""
Whom = tuple[Rows, Sequence[Person]]
"""Some rows, with how often each occurs, and beside them whom they are about."""
Counting = TypeVar("Counting", bound=Hashable)
Piece = TypeVar("Piece", bound=Hashable)
Value = TypeVar("Value", bound=Hashable)


def _numbers() -> defaultdict[Key, int]:
    return defaultdict(count().__next__)


@dataclass(slots=True, eq=False)
class Counted:
    """What is counted of a file: rows, classes by their cells, and how often each class has each sensitive value.

    `pairs[column]` counts the values of each class, `together` (class, values of all sensitive columns) where a goal
    needs it; `people` are the different (class, person, values of all sensitive columns) where persons are known. Rows
    of nobody (None) may be about anybody: they count only where nobody else is, and then as one person.
    """

    n_sensitive: int
    with_combinations: bool = False
    rows: int = 0
    classes: defaultdict[Key, int] = field(default_factory=_numbers)
    sizes: Counter[int] = field(default_factory=Counter)
    pairs: list[defaultdict[int, dict[str, int]]] = field(default_factory=list)
    together: Counter[tuple[int, Key]] = field(default_factory=Counter)
    people: set[tuple[int, Person, Key]] | None = None
    held: list[tuple[int, Key]] = field(default_factory=list)
    """The class of every row and the cells of its sets, where there are sets."""

    def add(self, rows: Rows, n_qis: int) -> list[int]:
        """Count some rows, and give the class of each; without quasi-identifiers all rows are one class."""
        qis, times = rows.columns[:n_qis], rows.times
        sensitive, sets = rows.columns[n_qis : n_qis + self.n_sensitive], rows.columns[n_qis + self.n_sensitive :]
        ids = list(map(self.classes.__getitem__, combined(qis, rows.number)))
        self.rows += sum(times) if times else rows.number
        _add(self.sizes, ids, times)
        for pairs, cells in zip(self.pairs, sensitive, strict=True):
            _add_pairs(pairs, ids, cells, times)
        if sets:
            often = times or [1] * rows.number
            for number, held, many in zip(ids, combined(sets, rows.number), often, strict=True):
                self.held.extend([(number, held)] * many)
        if self.with_combinations:
            _add(self.together, zip(ids, combined(sensitive, rows.number), strict=True), times)
        return ids

    def whole(self, column: int) -> Counts:
        """Count how often each value of a sensitive column occurs in the whole file."""
        found: Counter[str] = Counter()
        for of_class in self.pairs[column].values():
            for value, times in of_class.items():
                found[value] += times
        return found

    def histograms(self, column: int, *, harmonised: bool) -> list[Counts]:
        """Give every different histogram of a sensitive column once, by rows.

        Harmonised, the classes are those of the quasi-identifiers and the other sensitive columns together.
        """
        if not harmonised:
            return _once(self.pairs[column].values())
        return _different(
            ((number, _without(values, column)), values[column], times)
            for (number, values), times in self.together.items()
        )

    def histograms_of_people(
        self, column: int, left_out: set[str], last: set[str], *, harmonised: bool
    ) -> list[Counts]:
        """Give every different histogram of a sensitive column once, by people.

        Everybody counts once in a class: who has several values there counts with the one that most people have (of
        equals the first by its text, those of `last` after all others), and who has none but those left out does not
        count.
        """
        people = _somebody(
            ((number, _without(values, column)) if harmonised else number, person, values[column])
            for number, person, values in self.people or ()
        )
        held: set[tuple[Hashable, Person, str]] = {entry for entry in people if entry[2] not in left_out}
        having = Counter((piece, value) for piece, _, value in held)
        found = having.copy()
        for piece, values in _with_several(held):
            chosen = min(values, key=lambda value: (-having[piece, value], value in last, value))
            found.subtract((piece, value) for value in values if value != chosen)
        counts = _different((piece, value, times) for (piece, value), times in found.items() if times)
        without: list[Counts] = [{}] if {piece for piece, _, _ in people} - {piece for piece, _ in having} else []
        return counts + without

    def people_in_classes(self) -> Counter[int]:
        """Count the different people of every class; its rows where nobody knows who they are about."""
        if self.people is None:
            return self.sizes
        return Counter(number for number, _ in {(number, person) for number, person, _ in _somebody(self.people)})

    def sharing(self, columns: Sequence[int]) -> Counter[Key]:
        """Count the people by their cells in some of the columns; the rows where nobody knows who they are about."""
        shared = {number: tuple(key[at] for at in columns) for key, number in self.classes.items()}
        if self.people is None:
            found: Counter[Key] = Counter()
            for number, times in self.sizes.items():
                found[shared[number]] += times
            return found
        people = _somebody((shared[number], person, values) for number, person, values in self.people)
        return Counter(cells for cells, _ in {(cells, person) for cells, person, _ in people})

    def all_people(self) -> int | None:
        """Count the different people of the file; None where nobody knows who they are."""
        if self.people is None:
            return None
        return len({person for _, person, _ in self.people if person is not None}) or min(len(self.people), 1)


def counted(
    blocks: Iterator[Rows],
    n_qis: int,
    n_sensitive: int,
    persons: Sequence[Person] | Iterator[Whom] | None = None,
    *,
    with_combinations: bool = False,
) -> Counted:
    """Count a file; `persons` tells for every row whom it is about, or the same rows in another order with that.

    Raises BadParameter when there are not as many persons as rows, or they are told of other rows.
    """
    if isinstance(persons, Iterator):
        return _counted_with(persons, blocks, n_qis, n_sensitive, with_combinations=with_combinations)
    found = Counted(n_sensitive, with_combinations, pairs=[defaultdict(dict) for _ in range(n_sensitive)])
    found.people = None if persons is None else set()
    for rows in blocks:
        first = found.rows
        ids = found.add(rows, n_qis)
        if found.people is not None and persons is not None:
            values = combined(rows.columns[n_qis : n_qis + n_sensitive], rows.number)
            found.people.update(zip(ids, persons[first : first + rows.number], values, strict=False))
    if persons is not None and len(persons) != found.rows:
        raise BadParameter(
            message(
                "The file has {rows:row|rows} and {keys:person|persons} to count.", rows=found.rows, keys=len(persons)
            ),
            message("Say for every row whom it is about."),
        )
    return found


def _counted_with(
    whom: Iterator[Whom], blocks: Iterator[Rows], n_qis: int, n_sensitive: int, *, with_combinations: bool
) -> Counted:
    """Count a file, and people by rows that must be, cell by cell and as often, those of the file."""
    found = Counted(n_sensitive, with_combinations, pairs=[defaultdict(dict) for _ in range(n_sensitive)])
    found.people, left = set(), Counter[tuple[int, Key]]()
    for rows in blocks:
        ids = found.add(rows, n_qis)
        _add(left, zip(ids, combined(rows.columns[n_qis : n_qis + n_sensitive], rows.number), strict=True), rows.times)
    for rows, persons in whom:
        ids = list(map(found.classes.__getitem__, combined(rows.columns[:n_qis], rows.number)))
        values = list(combined(rows.columns[n_qis : n_qis + n_sensitive], rows.number))
        found.people.update(zip(ids, persons, values, strict=True))
        for entry, many in zip(zip(ids, values, strict=True), rows.times, strict=True):
            left[entry] -= many
    if any(left.values()):
        raise BadParameter(
            message("The people were told of other rows than the file has."),
            message("Say for every row whom it is about."),
        )
    return found


def combined(columns: Sequence[Sequence[str]], number: int) -> Iterable[Key]:
    """Give the cells of every row; so many rows without cells where there are no columns."""
    return zip(*columns, strict=True) if columns else [()] * number


def _add(counter: Counter[Counting], entries: Iterable[Counting], times: Sequence[int]) -> None:
    """Count entries, each so many times; one by one where that is not said."""
    if not times:
        counter.update(entries)
        return
    for entry, many in zip(entries, times, strict=True):
        counter[entry] += many


def _add_pairs(
    pairs: defaultdict[int, dict[str, int]], ids: Sequence[int], cells: Sequence[str], times: Sequence[int]
) -> None:
    """Count values by class: a dictionary for each, which takes a third of the memory of one for all pairs."""
    both = zip(ids, cells, strict=True)
    for (number, cell), many in zip(both, times, strict=True) if times else Counter(both).items():
        of_class = pairs[number]
        of_class[cell] = of_class.get(cell, 0) + many


def _different(entries: Iterable[tuple[Hashable, str, int]]) -> list[Counts]:
    by_class: dict[Hashable, dict[str, int]] = defaultdict(dict)
    for number, value, times in entries:
        of_class = by_class[number]
        of_class[value] = of_class.get(value, 0) + times
    return _once(by_class.values())


def _once(histograms: Iterable[Counts]) -> list[Counts]:
    """Keep one of equal histograms: many small classes look the same.

    They are told apart by a number first, for to keep all their pairs would take more memory than all else.
    """
    found: dict[int, list[Counts]] = {}
    for histogram in histograms:
        alike = found.setdefault(hash(frozenset(histogram.items())), [])
        if histogram not in alike:
            alike.append(histogram)
    return [histogram for alike in found.values() for histogram in alike]


def _somebody(entries: Iterable[tuple[Piece, Person, Value]]) -> set[tuple[Piece, Person, Value]]:
    """Leave nobody out of the pieces in which there is somebody."""
    found = set(entries)
    known = {piece for piece, person, _ in found if person is not None}
    return {entry for entry in found if entry[1] is not None or entry[0] not in known}


def _with_several(held: set[tuple[Hashable, Person, str]]) -> Iterator[tuple[Hashable, list[str]]]:
    """Find the people with several values in a class; most have one."""
    times = Counter((piece, person) for piece, person, _ in held)
    values_of: dict[tuple[Hashable, Person], list[str]] = defaultdict(list)
    for piece, person, value in held:
        if times[piece, person] > 1:
            values_of[piece, person].append(value)
    for (piece, _), values in values_of.items():
        yield piece, values


def _without(values: Key, column: int) -> Key:
    return values[:column] + values[column + 1 :]
