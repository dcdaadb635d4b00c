"""Orders of values, hierarchies as plain lists."""

import math
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from anonymizer_gui.engine.rooms.microdata.independent.interface import Order, Tree

Reader = Callable[[str], float | None]

_ISO = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S")

_SECONDS_OF_A_DAY = 86_400


def sort_values(texts: Iterable[str], order: Order, is_missing: Callable[[str], bool]) -> list[str]:
    """Sort texts; equal numbers and what has no place in the order follow as texts."""
    different = set(texts)
    present = [text for text in different if not is_missing(text)]
    place = _place(order, present)
    return sorted(different, key=lambda text: (is_missing(text), _or_last(place(text)), text))


def is_numeric_order(order: Order, present: Iterable[str]) -> bool:
    """Say whether the order is that of numbers or dates."""
    return _decided(order, list(present)).kind not in ("list", "text")


def value_reader(order: Order, present: Iterable[str]) -> Reader:
    """Give what reads a text as a number or a day; as either, where the order does not say which."""
    decided = _decided(order, list(present))
    if decided.kind == "number":
        return lambda text: parse_number(text, decided.format or ".")
    if decided.kind == "date":
        return lambda text: parse_day(text, decided.format)
    return _either


def parse_number(text: str, mark: str = ".") -> float | None:
    """Read a number with this decimal mark, or nothing.

    >>> parse_number("1,5", ","), parse_number("1.5", ","), parse_number("1_0"), parse_number("nan")
    (1.5, None, None, None)
    """
    if not set(text) <= {*"0123456789+-eE", mark}:
        return None
    try:
        value = float(text.replace(mark, "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def parse_day(text: str, date_format: str = "") -> float | None:
    """Read a date of this format, else of ISO; give its day ordinal with the time as a part of a day, or nothing.

    >>> parse_day("1970-01-01 12:00"), parse_day("2024-02-30")
    (719163.5, None)
    """
    for form in (date_format,) if date_format else _ISO:
        try:
            moment = datetime.strptime(text, form)
        except ValueError:
            continue
        seconds = moment.hour * 3600 + moment.minute * 60 + moment.second
        return moment.toordinal() + seconds / _SECONDS_OF_A_DAY
    return None


def _either(text: str) -> float | None:
    number = parse_number(text)
    return parse_day(text) if number is None else number


def _decided(order: Order, present: list[str]) -> Order:
    """Decide what an order without a kind is."""
    if order.kind != "auto":
        return order
    if not present or any(_either(text) is None for text in present):
        return Order("text")
    return Order("value")


def _place(order: Order, present: list[str]) -> Reader:
    decided = _decided(order, present)
    if decided.kind == "list":
        at = {text: float(place) for place, text in enumerate(decided.values)}
        return at.get
    return (lambda text: None) if decided.kind == "text" else value_reader(decided, present)


def _or_last(place: float | None) -> float:
    return math.inf if place is None else place


class PlainHierarchy:
    """A tree that can be climbed; nodes follow their parents, and the subtree of a node has no gaps.

    A missing value has a leaf of its own under the root, the last of all, if the tree names none.
    """

    def __init__(self, tree: Tree, is_missing: Callable[[str], bool], value_of: Reader) -> None:
        self._spans = tree.spans
        self._is_missing = is_missing
        self._value_of = value_of
        has_children = set(tree.parents)
        leaves = [node for node in range(len(tree.labels)) if node not in has_children]
        has_missing = any(is_missing(tree.labels[leaf]) for leaf in leaves)
        self._labels = [*tree.labels, *([] if has_missing else [""])]
        self._parents = [*tree.parents, *([] if has_missing else [0])]
        self._leaves = leaves if has_missing else [*leaves, len(tree.labels)]
        self._number = {leaf: number for number, leaf in enumerate(self._leaves)}
        self._by_label = {self._labels[leaf]: leaf for leaf in self._leaves}
        self._missing = next(leaf for leaf in reversed(self._leaves) if is_missing(self._labels[leaf]))
        self._heights = self._measured()
        self._under = self._gathered()

    @property
    def height(self) -> int:
        """The number of steps from the root to the deepest leaf."""
        return self._heights[0]

    @property
    def leaf_labels(self) -> list[str]:
        """The labels of the leaves, in order."""
        return [self._labels[leaf] for leaf in self._leaves]

    def climb(self, node: int) -> int:
        """Give how much higher the node above is."""
        return self._heights[self._parents[node]] - self._heights[node]

    def leaf_of(self, text: str) -> int | None:
        """Give the leaf of this name, else the one whose interval holds the number or date."""
        if self._is_missing(text):
            return self._missing
        if text in self._by_label:
            return self._by_label[text]
        value = self._value_of(text) if self._spans else None
        return None if value is None else self._holding(value)

    def number_of_leaf(self, text: str) -> int | None:
        """Give the place of a text's leaf among the leaves."""
        leaf = self.leaf_of(text)
        return None if leaf is None else self._number[leaf]

    def leaves_under(self, label: str) -> range | None:
        """Give the places of the leaves under the node of this name, or nothing."""
        return self._under.get(label)

    def path(self, leaf: int) -> Iterator[int]:
        """Climb from a leaf to the node below the root, both included."""
        while self._parents[leaf] >= 0:
            yield leaf
            leaf = self._parents[leaf]

    def _holding(self, value: float) -> int | None:
        return next((leaf for leaf in self._leaves if leaf in self._spans and self._spans[leaf].holds(value)), None)

    def _measured(self) -> list[int]:
        """Count the steps from every node down to its deepest leaf."""
        found = [0] * len(self._labels)
        for node in range(len(self._labels) - 1, 0, -1):
            above = self._parents[node]
            found[above] = max(found[above], found[node] + 1)
        return found

    def _gathered(self) -> dict[str, range]:
        """Find the leaves under every label; the root covers missing values, too."""
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for number, leaf in enumerate(self._leaves):
            for node in (leaf, *(self._parents[below] for below in self.path(leaf))):
                first.setdefault(node, number)
                last[node] = number
        return {self._labels[node]: range(first[node], last[node] + 1) for node in first}
