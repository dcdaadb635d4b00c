"""Which values a published cell stands for: itself, `*`, a node of the hierarchy, a range, a set, a mask."""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence

from anonymizer_gui.engine.rooms.microdata.recount.asked import SUPPRESSED, Order, Span, Tree
from anonymizer_gui.engine.rooms.microdata.recount.orders import in_order, value_reader
from anonymizer_gui.engine.rooms.microdata.recount.trees import Branches

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
        self._branches = None if tree is None else Branches(tree, is_missing, reader)
        self._texts: Sequence[str] = (
            in_order(present, order, is_missing) if self._branches is None else self._branches.leaf_labels
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
        span = span_of(label)
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


def span_of(label: str) -> Span | None:
    """Read a label that spells numbers from one to another.

    >>> span_of("(12.5K, 25K]"), span_of("20-29").closed, span_of(">=40").low, span_of("x")
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
