"""Entries of a certificate as they follow from its other ones: accounting, cells, and what was paid before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from anonymizer_gui.engine.rooms.statistics.audit.composing import Paid, Together, composed, grown, merged, paid
from anonymizer_gui.engine.rooms.statistics.audit.moves import rows_of

_SINGLE = (
    "count", "sum", "mean", "extreme", "graph-edges", "graph-nodes", "graph-triangles", "single-edges",
    "single-nodes", "single-triangles", "trees-having", "trees-entries", "single-having", "single-entries",
)  # fmt: skip
"""Questions with one number in every step."""
_CELL_BY_CELL = (
    "histogram", "number-histogram", "date-histogram", "two-way", "grid", "levels", "baskets-items", "single-items",
    "graph-degrees", "single-degrees", "trees-values", "single-values", "places-grid",
)  # fmt: skip
"""Questions that publish every number they count."""

Entries = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Accounting:
    """What this release and all releases together cost, and the delta of groups by their size."""

    cost: Together
    spent: Together
    groups: Mapping[int, tuple[float, float]]


def accounting_of(told: Entries) -> Accounting:
    """Add up what the answers and earlier spends cost; raises ValueError where that cannot be done."""
    unit, delta = told["unit"]["told"], Fraction(told["accounting"]["total"]["delta"])
    now = [paid(answer) for answer in told["answers"] if not answer["is_cached"]]
    before = [paid(spend) for spend in told["earlier"]]
    rows, is_changed = rows_of(unit), unit == "change"
    most = max([rows, *(rows_of(spend["unit"]) for spend in told["earlier"])])
    cost = composed(merged(now, rows, is_changed), delta)
    spent = composed(merged([*before, *now], most, is_changed), delta)
    sizes = [int(people) for people in told["accounting"]["groups"]]
    groups = {people: (people * spent.epsilon, grown(spent.epsilon, float(spent.delta), people)) for people in sizes}
    return Accounting(cost, spent, groups)


def allotted(told: Entries) -> Fraction:
    """Give the epsilon that the answers were given in all, before noise with a delta is composed more tightly."""
    unit = told["unit"]["told"]
    return sum((spend.epsilon for spend in merged(_nominal(told, unit), rows_of(unit), unit == "change")), Fraction(0))


def _nominal(told: Entries, unit: str) -> list[Paid]:
    """Give every answer as a pure spend; a part with a rho counts twice where a row is changed."""
    found = []
    for answer in told["answers"]:
        spend = paid(answer)
        times = 2 if unit == "change" and spend.part is not None and spend.rho else 1
        found.append(Paid(times * Fraction(answer["epsilon"]), Fraction(0), spend.part))
    return found


def unpaid(told: Entries) -> list[str]:
    """Name the answers that are said to be paid already, although neither this nor an earlier release paid for them."""
    before = {(_amounts(spend), _part(spend)) for spend in told["earlier"]}
    now, found = set(), []
    for answer in told["answers"]:
        is_paid = (_amounts(answer), _part(answer)) in before or _asked(answer) in now
        if answer["is_cached"] and answer["steps"] and not is_paid:
            found.append(answer["ask"])
        now.add(_asked(answer))
    return found


def _amounts(entry: Entries) -> tuple[Fraction, ...]:
    return tuple(Fraction(entry["spend"][name]) for name in ("epsilon", "delta", "rho"))


def _asked(answer: Entries) -> tuple[Any, ...]:
    return answer["question"], _part(answer), _amounts(answer)


def _part(entry: Entries) -> tuple[str, ...] | None:
    return None if entry["part"] is None else tuple(entry["part"])


def cells_of_step(answer: Entries) -> int | None:
    """Give the number of cells or candidates of each step; nothing where no published file tells it."""
    asked: Sequence[str] = answer["parameters"].get("categories") or ()
    if answer["question"] in _SINGLE:
        return 1
    if answer["question"] in _CELL_BY_CELL:
        return len(answer["values"])
    return len(asked) or None if answer["question"] in ("top", "most-common") else None


def picks_of(answer: Entries, step: Entries) -> int:
    """Give the number of candidates that a step chooses; 1 where it chooses none."""
    return int(answer["parameters"]["picks"]) if step["mechanism"].startswith("top-k") else 1
