"""Everything the verdicts are drawn from: what was counted, and what is known beside it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.recount.asked import PUBLISHED, Columns, Counts, Known, Order, Reading
from anonymizer_gui.engine.rooms.microdata.recount.counting import Counted
from anonymizer_gui.engine.rooms.microdata.recount.looks import Looks
from anonymizer_gui.engine.rooms.microdata.recount.orders import in_order, is_counted, value_reader
from anonymizer_gui.engine.rooms.microdata.recount.reference import Reference, reference
from anonymizer_gui.engine.rooms.microdata.recount.told import Undecided
from anonymizer_gui.engine.rooms.microdata.recount.trees import Branches

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class People:
    """How many people of a population fit each class, by its number, and how many fit none."""

    in_classes: Mapping[int, int]
    outside: int


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The counts of a file, its columns, what else is known, and the population where there is one."""

    counted: Counted
    columns: Columns
    reading: Reading
    known: Known
    population: People | None = None
    looks: Sequence[Looks] = ()
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
        return is_counted(self._order(column), self._present(self.whole(column)))

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
        return reference(counts, self._in_order(column, frozenset(more)), self._branches(column))

    def _in_order(self, column: str, more: frozenset[str]) -> list[str]:
        """Sort the values of the file, and others that it is compared with."""
        values = more | self.whole(column).keys()
        return self._once(
            ("order", column, more), lambda: in_order(values, self._order(column), self.reading.is_missing)
        )

    def _branches(self, column: str) -> Branches | None:
        tree = self.known.trees.get(column)
        if tree is None:
            return None
        reader = value_reader(self._order(column), self._present(self.whole(column)))
        return self._once(("tree", column), lambda: Branches(tree, self.reading.is_missing, reader))

    def _order(self, column: str) -> Order:
        return self.known.orders.get(column, Order())

    def _present(self, values: Iterable[str]) -> list[str]:
        return [value for value in values if not self.reading.is_missing(value)]

    def _once(self, key: tuple[object, ...], find: Callable[[], Found]) -> Found:
        if key not in self._found:
            self._found[key] = find()
        return cast(Found, self._found[key])
