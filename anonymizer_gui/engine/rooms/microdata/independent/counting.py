"""Classes and histograms in dictionaries; look-alikes; the evidence of all verdicts."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from typing import TypeVar, cast

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.independent.formulas import Reference, make_reference
from anonymizer_gui.engine.rooms.microdata.independent.interface import (
    PUBLISHED,
    ColumnRoles,
    Counts,
    FileFormat,
    KnownFacts,
    Order,
    Undecided,
)
from anonymizer_gui.engine.rooms.microdata.independent.reading import Rows, visible_text
from anonymizer_gui.engine.rooms.microdata.independent.value_orders import (
    PlainHierarchy,
    is_numeric_order,
    sort_values,
    value_reader,
)

Key = tuple[str, ...]

Person = Hashable
"""Whom a row is about; None where that is not known."""

PersonRows = tuple[Rows, Sequence[Person]]
"""Some rows, with how often each occurs, and beside them whom they are about."""

Counting = TypeVar("Counting", bound=Hashable)

Piece = TypeVar("Piece", bound=Hashable)

Value = TypeVar("Value", bound=Hashable)


def _numbers() -> defaultdict[Key, int]:
    return defaultdict(count().__next__)


@dataclass(slots=True, eq=False)
class FileCounts:
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
        ids = list(map(self.classes.__getitem__, cell_tuples(qis, rows.number)))
        self.rows += sum(times) if times else rows.number
        _add(self.sizes, ids, times)
        for pairs, cells in zip(self.pairs, sensitive, strict=True):
            _add_pairs(pairs, ids, cells, times)
        if sets:
            often = times or [1] * rows.number
            for number, held, many in zip(ids, cell_tuples(sets, rows.number), often, strict=True):
                self.held.extend([(number, held)] * many)
        if self.with_combinations:
            _add(self.together, zip(ids, cell_tuples(sensitive, rows.number), strict=True), times)
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


def count_file(
    blocks: Iterator[Rows],
    n_qis: int,
    n_sensitive: int,
    persons: Sequence[Person] | Iterator[PersonRows] | None = None,
    *,
    with_combinations: bool = False,
) -> FileCounts:
    """Count a file; `persons` tells for every row whom it is about, or the same rows in another order with that.

    Raises BadParameter when there are not as many persons as rows, or they are told of other rows.
    """
    if isinstance(persons, Iterator):
        return _counted_with(persons, blocks, n_qis, n_sensitive, with_combinations=with_combinations)
    found = FileCounts(n_sensitive, with_combinations, pairs=[defaultdict(dict) for _ in range(n_sensitive)])
    found.people = None if persons is None else set()
    for rows in blocks:
        first = found.rows
        ids = found.add(rows, n_qis)
        if found.people is not None and persons is not None:
            values = cell_tuples(rows.columns[n_qis : n_qis + n_sensitive], rows.number)
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
    whom: Iterator[PersonRows], blocks: Iterator[Rows], n_qis: int, n_sensitive: int, *, with_combinations: bool
) -> FileCounts:
    """Count a file, and people by rows that must be, cell by cell and as often, those of the file."""
    found = FileCounts(n_sensitive, with_combinations, pairs=[defaultdict(dict) for _ in range(n_sensitive)])
    found.people, left = set(), Counter[tuple[int, Key]]()
    for rows in blocks:
        ids = found.add(rows, n_qis)
        _add(
            left, zip(ids, cell_tuples(rows.columns[n_qis : n_qis + n_sensitive], rows.number), strict=True), rows.times
        )
    for rows, persons in whom:
        ids = list(map(found.classes.__getitem__, cell_tuples(rows.columns[:n_qis], rows.number)))
        values = list(cell_tuples(rows.columns[n_qis : n_qis + n_sensitive], rows.number))
        found.people.update(zip(ids, persons, values, strict=True))
        for entry, many in zip(zip(ids, values, strict=True), rows.times, strict=True):
            left[entry] -= many
    if any(left.values()):
        raise BadParameter(
            message("The people were told of other rows than the file has."),
            message("Say for every row whom it is about."),
        )
    return found


def cell_tuples(columns: Sequence[Sequence[str]], number: int) -> Iterable[Key]:
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


_DISARMED = ("'=", "'+", "'-", "'@")

_MOST_DIGITS = 40

Look = str | Fraction | None

IsMissing = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class LookAlikes:
    """The text that stands for each look of a column; `none` says which texts are no value at all."""

    none: IsMissing
    chosen: dict[Look, str] = field(default_factory=dict)

    def gathered(self, counts: Mapping[str, float]) -> dict[str, float]:
        """Add up the counts of texts that look alike."""
        found: dict[str, float] = {}
        others = dict(self.chosen)
        for text, times in counts.items():
            stands = text if self.none(text) else others.setdefault(appearance(text), text)
            found[stands] = found.get(stands, 0) + times
        return found

    def of(self, text: str) -> str:
        """Give the text that stands for one of the file."""
        return text if self.none(text) else self.chosen[appearance(text)]


def appearance(text: str) -> Look:
    """Give what a text looks like: letters without case and width, numbers by their value.

    >>> (appearance("ＨＩＶ") == appearance("hiv"), appearance("1.0") == appearance("01"),
    ...  appearance("1") == appearance("1st"))
    (True, True, False)
    """
    bare = visible_text(text[1:] if text.startswith(_DISARMED) else text)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", bare).casefold())
    digits = folded[1:] if folded[:1] in ("+", "-") else folded
    before, _, behind = digits.partition(".")
    is_number = before.isascii() and before.isdigit() and (not behind or (behind.isascii() and behind.isdigit()))
    return Fraction(folded.rstrip(".")) if is_number and len(folded) <= _MOST_DIGITS else folded


def find_look_alikes(found: FileCounts, none: IsMissing) -> list[LookAlikes]:
    """Choose for every sensitive column the text that stands for each look: the first in the order of texts."""
    chosen = []
    for column in range(found.n_sensitive):
        stands: dict[Look, str] = {}
        for text in found.whole(column):
            if not none(text):
                stands[appearance(text)] = min(stands.get(appearance(text), text), text)
        chosen.append(LookAlikes(none, stands))
    return chosen


def merge_look_alikes(found: FileCounts, looks: list[LookAlikes]) -> FileCounts:
    """Count look-alikes as one value, in each column and in all together."""
    stands = [{text: each.of(text) for text in found.whole(at)} for at, each in enumerate(looks)]
    if all(len(set(names.values())) == len(names) for names in stands):
        return found
    pairs = [_renamed(pairs, names) for pairs, names in zip(found.pairs, stands, strict=True)]
    together: Counter[tuple[int, tuple[str, ...]]] = Counter()
    for (number, values), times in found.together.items():
        together[number, _all(values, stands)] += times
    people = found.people
    if people is not None:
        people = {(number, person, _all(values, stands)) for number, person, values in people}
    return replace(found, pairs=pairs, together=together, people=people)


def _renamed(pairs: Mapping[int, Mapping[str, int]], names: Mapping[str, str]) -> defaultdict[int, dict[str, int]]:
    found: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for number, of_class in pairs.items():
        renamed = found[number]
        for value, times in of_class.items():
            renamed[names[value]] = renamed.get(names[value], 0) + times
    return found


def _all(values: tuple[str, ...], stands: list[dict[str, str]]) -> tuple[str, ...]:
    return tuple(names[value] for value, names in zip(values, stands, strict=True))


ClassValues = TypeVar("ClassValues")


@dataclass(frozen=True, slots=True)
class PopulationCounts:
    """How many people of a population fit each class, by its number, and how many fit none."""

    in_classes: Mapping[int, int]
    outside: int


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The counts of a file, its columns, what else is known, and the population where there is one."""

    counted: FileCounts
    columns: ColumnRoles
    reading: FileFormat
    known: KnownFacts
    population: PopulationCounts | None = None
    looks: Sequence[LookAlikes] = ()
    _found: dict[tuple[object, ...], object] = field(default_factory=dict)

    def histograms(self, column: str, *, harmonised: bool = False) -> list[Counts]:
        """Give the different histograms of a sensitive column over the classes, by rows."""
        at = self.columns.sensitive.index(column)
        return self._once(("rows", column, harmonised), lambda: self.counted.histograms(at, harmonised=harmonised))

    def histograms_of_people(self, column: str, *, harmonised: bool = False, with_missing: bool = True) -> list[Counts]:
        """Give the different histograms by people, where it is known whom a row is about.

        Without missing, a class in which nobody has a value has an empty histogram.
        """
        missing = {value for value in self.whole(column) if self.reading.is_missing(value)}
        left_out = set() if with_missing else missing
        if self.counted.people is None:
            rows = self.histograms(column, harmonised=harmonised)
            return [{value: held[value] for value in held.keys() - left_out} for held in rows] if left_out else rows
        at = self.columns.sensitive.index(column)
        return self._once(
            ("people", column, harmonised, with_missing),
            lambda: self.counted.histograms_of_people(at, left_out, missing, harmonised=harmonised),
        )

    def whole(self, column: str) -> Counts:
        """Count the values of a sensitive column in the whole file."""
        at = self.columns.sensitive.index(column)
        return self._once(("whole", column), lambda: self.counted.whole(at))

    def reference(self, column: str, name: str = PUBLISHED) -> Reference:
        """Give what the classes are compared with: the published rows, or a distribution that is known by a name."""
        return self._once(("reference", column, name), lambda: self._reference(column, self._counts(column, name)))

    def reference_of(self, column: str, counts: Mapping[str, float]) -> Reference:
        """Give some records as a reference; order and hierarchy are those of the column."""
        return self._reference(column, self.gathered(column, counts))

    def gathered(self, column: str, counts: Mapping[str, float]) -> Mapping[str, float]:
        """Add up the counts of values that look alike."""
        return self.looks[self.columns.sensitive.index(column)].gathered(counts) if self.looks else counts

    def is_ordered(self, column: str) -> bool:
        """Say whether the values of a column are numbers or dates."""
        return is_numeric_order(self._order(column), self._present(self.whole(column)))

    def has_order(self, column: str) -> bool:
        """Say whether the values of a column are in an order that is not only that of the alphabet."""
        is_listed = self._order(column).kind == "list" or column in {*self.known.trees, *self.known.by_alphabet}
        return is_listed or self.is_ordered(column)

    def has_tree(self, column: str) -> bool:
        """Say whether the hierarchy of a sensitive column is known, with a place for every value of the file."""
        return column in self.known.trees and self.reference(column).below is not None

    def looked_at(self, column: str) -> Sequence[str]:
        """List the sensitive columns a goal looks at: the one it names, else all."""
        names = self.columns.sensitive
        if column and column not in names:
            raise Undecided(message("The goal looks at “{column}”, which is not a sensitive column.", column=column))
        if not names:
            raise Undecided(message("The goal needs a sensitive column."))
        return (column,) if column else names

    def _counts(self, column: str, name: str) -> Mapping[str, float]:
        if name == PUBLISHED:
            return self.whole(column)
        if column not in self.known.references.get(name, {}):
            raise Undecided(message("The distribution that “{column}” is compared with is not known.", column=column))
        return self.gathered(column, self.known.references[name][column])

    def _reference(self, column: str, counts: Mapping[str, float]) -> Reference:
        if self.counted.rows and not any(times > 0 for times in counts.values()):
            raise Undecided(message("The distribution that “{column}” is compared with is not known.", column=column))
        more = {value for value, times in counts.items() if times > 0} - self.whole(column).keys()
        return make_reference(counts, self._in_order(column, frozenset(more)), self._branches(column))

    def _in_order(self, column: str, more: frozenset[str]) -> list[str]:
        """Sort the values of the file, and others that it is compared with."""
        values = more | self.whole(column).keys()
        return self._once(
            ("order", column, more), lambda: sort_values(values, self._order(column), self.reading.is_missing)
        )

    def _branches(self, column: str) -> PlainHierarchy | None:
        tree = self.known.trees.get(column)
        if tree is None:
            return None
        reader = value_reader(self._order(column), self._present(self.whole(column)))
        return self._once(("tree", column), lambda: PlainHierarchy(tree, self.reading.is_missing, reader))

    def _order(self, column: str) -> Order:
        return self.known.orders.get(column, Order())

    def _present(self, values: Iterable[str]) -> list[str]:
        return [value for value in values if not self.reading.is_missing(value)]

    def _once(self, key: tuple[object, ...], find: Callable[[], ClassValues]) -> ClassValues:
        if key not in self._found:
            self._found[key] = find()
        return cast(ClassValues, self._found[key])
