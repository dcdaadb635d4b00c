"""How far off an answer is at most in 95 of 100 releases, from the scale of its noise alone."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.rooms.statistics.independent.composition import (
    Spend,
    Together,
    composed,
    covers_spends,
    grown,
    implied_delta,
    merge_parts,
    read_spend,
)
from anonymizer_gui.engine.rooms.statistics.independent.sensitivities import (
    SensitivityBound,
    own_accounting,
    own_delta,
    rows_of,
    sensitivity_bounds,
    unit_of_answer,
)

_SHARE = 0.95

_SLIGHTLY = 1e-9

_OF_THE_DATA = ("learn", "synthetic")
"""Their error depends on how many rows somebody assumed, which is not published."""

_OF_THE_LAST = ("k-means", "places-k-means")

_BOUNDED = ("extreme",)

Answer = Mapping[str, Any]


def errors_of(answer: Answer) -> tuple[float, float] | None:
    """Give the error of one number and of the farthest of all numbers; nothing where a published file cannot give it.

    The error of a mean whose number of rows is private depends on a noisy count that is not published.
    """
    steps = answer["steps"]
    if not steps:
        return 0.0, 0.0
    if answer["question"] in _OF_THE_DATA or (answer["question"] == "mean" and len(steps) > 1):
        return None
    step = steps[-1 if answer["question"] in _OF_THE_LAST else 0]
    cells = 1 if answer["question"] in _OF_THE_LAST else max(len(answer["values"]), 1)
    found = [_limited(answer, whole_error(step, each) * unit_of_answer(answer)) for each in (1, cells)]
    return found[0], found[1]


def _limited(answer: Answer, error: Fraction) -> float:
    """Give an error as a float; an extreme is nowhere farther off than its bounds are."""
    asked = answer["parameters"]
    return min(float(error), asked["high"] - asked["low"]) if answer["question"] in _BOUNDED else float(error)


def whole_error(step: Mapping[str, Any], cells: int) -> int:
    """Give the smallest whole number that noise exceeds in so many cells in no more than 5 of 100 releases.

    Of a choice it is the distance of the chosen candidate from the best one.
    """
    scale = float(Fraction(step["scale"]))
    tail = -math.expm1(math.log(_SHARE) / cells)
    if step["mechanism"] == "gaussian":
        return math.ceil(NormalDist().inv_cdf(1 - tail / 2) * scale - _SLIGHTLY)
    if step["mechanism"] == "laplace":
        return max(math.ceil(scale * math.log(2 / (tail * (1 + math.exp(-1 / scale)))) - 1 - _SLIGHTLY), 0)
    ways = step["cells"] * (step["picks"] if step["mechanism"] == "top-k-rounds" else 1)
    return max(math.ceil(scale * math.log(ways / (1 - _SHARE)) - 1 - _SLIGHTLY), 0)


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
    now = [read_spend(answer) for answer in told["answers"] if not answer["is_cached"]]
    before = [read_spend(spend) for spend in told["earlier"]]
    rows, is_changed = rows_of(unit), unit == "change"
    most = max([rows, *(rows_of(spend["unit"]) for spend in told["earlier"])])
    cost = composed(merge_parts(now, rows, is_changed), delta)
    spent = composed(merge_parts([*before, *now], most, is_changed), delta)
    sizes = [int(people) for people in told["accounting"]["groups"]]
    groups = {people: (people * spent.epsilon, grown(spent.epsilon, float(spent.delta), people)) for people in sizes}
    return Accounting(cost, spent, groups)


def allotted(told: Entries) -> Fraction:
    """Give the epsilon that the answers were given in all, before noise with a delta is composed more tightly."""
    unit = told["unit"]["told"]
    return sum(
        (spend.epsilon for spend in merge_parts(_nominal(told, unit), rows_of(unit), unit == "change")), Fraction(0)
    )


def _nominal(told: Entries, unit: str) -> list[Spend]:
    """Give every answer as a pure spend; a part with a rho counts twice where a row is changed."""
    found = []
    for answer in told["answers"]:
        spend = read_spend(answer)
        times = 2 if unit == "change" and spend.part is not None and spend.rho else 1
        found.append(Spend(times * Fraction(answer["epsilon"]), Fraction(0), spend.part))
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


_NEARLY = 1e-9

_MECHANISMS = (
    "laplace", "gaussian", "exponential", "permute-and-flip", "concentrated-choice", "top-k-rounds", "top-k-once",
)  # fmt: skip

_FINEST = 3e-12
"""The rho of an answer is the largest one that its epsilon allows, in steps of a billionth of a thousandth."""


def check_accounting(told: Mapping[str, Any]) -> tuple[Message, ...]:
    """Say what does not follow: distances, scales, what was spent, and how it was added up."""
    unit = told["unit"]["told"]
    delta = left_for_noise(told)
    found = [each for answer in told["answers"] for each in _of_answer(answer, unit, delta)]
    return (*found, *_of_budget(told, unit), *_of_promise(told))


def _of_answer(answer: Mapping[str, Any], unit: str, delta: Fraction) -> Iterator[Message]:
    ask, moves = answer["ask"], sensitivity_bounds(answer, unit)
    if not answer["steps"]:
        yield from _of_public(answer, moves)
        return
    if sum(step.get("times", 1) for step in answer["steps"]) != len(moves):
        yield message("“{ask}” was answered in another number of steps.", ask=ask)
        return
    steps = [step for step in answer["steps"] for _ in range(step.get("times", 1))]
    own = own_accounting(answer)
    is_changed = unit == "change" and answer["part"] is None
    told = steps[1 if own and not is_changed else 0]  # the number of rows is counted first where it is not public
    yield from _of_steps(answer, steps, moves)
    if told["mechanism"] != answer["mechanism"]:
        yield message("“{ask}” was answered by another mechanism.", ask=ask)
    if not (_is_clipped(answer, told) if own else _is_as_sensitive(answer)):
        yield message("The sensitivity of “{ask}” is another one.", ask=ask)
    if Fraction(answer["scale"]) != Fraction(told["scale"]) * unit_of_answer(answer):
        yield message("The noise of “{ask}” has another scale.", ask=ask)
    if not (own(answer, rows_of(unit), is_changed) if own else _is_paid(answer, delta)):
        yield message("“{ask}” has spent something else than it says.", ask=ask)


def _of_public(answer: Mapping[str, Any], moves: Sequence[SensitivityBound]) -> Iterator[Message]:
    """Look at an answer without noise: nobody may move it, and it cost nothing."""
    if any(move.largest for move in moves) or answer["mechanism"] != "none":
        yield message("“{ask}” was answered without noise, but is not public.", ask=answer["ask"])
    amounts = (answer["sensitivity"], answer["scale"], answer["epsilon"], *answer["spend"].values())
    if any(Fraction(amount) for amount in amounts):
        yield message("“{ask}” has spent something else than it says.", ask=answer["ask"])


def _of_steps(
    answer: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], moves: Sequence[SensitivityBound]
) -> Iterator[Message]:
    for step, move in zip(steps, moves, strict=True):
        if step["mechanism"] not in _MECHANISMS:
            yield message("“{ask}” was answered by another mechanism.", ask=answer["ask"])
        if step["distance"] != move.seen_by(step["mechanism"]) or step["is_monotone"] != move.one_way:
            yield message("The sensitivity of “{ask}” is another one.", ask=answer["ask"])
        if not _is_scaled(step) or step["picks"] != picks_of(answer, step):
            yield message("The noise of “{ask}” has another scale.", ask=answer["ask"])


def left_for_noise(told: Mapping[str, Any]) -> Fraction:
    """Give the delta that Gaussian noise may use: what questions with a delta of their own leave of the plan's."""
    delta = Fraction(told["plan"]["delta"])
    own = [own_delta(answer["parameters"], delta) for answer in told["answers"] if own_accounting(answer)]
    return max(delta - sum(own, Fraction(0)), Fraction(0))


def _is_clipped(answer: Mapping[str, Any], step: Mapping[str, Any]) -> bool:
    """Tell whether the sensitivity is the length that one step allows."""
    stated = Fraction(answer["sensitivity"]) / unit_of_answer(answer)
    return bool(step["distance"] == stated**2)


def _is_as_sensitive(answer: Mapping[str, Any]) -> bool:
    """Tell whether the sensitivity follows from the first step, as if that had the whole budget alone."""
    step, stated, size = answer["steps"][0], Fraction(answer["sensitivity"]), unit_of_answer(answer)
    name = "rho" if Fraction(step["spend"]["rho"]) else "epsilon"
    own, whole = Fraction(step["spend"][name]), Fraction(answer["spend"][name])
    if not own:
        return False
    if step["mechanism"] == "gaussian":
        wanted = step["distance"] * whole / own * size**2
        return bool(wanted <= stated**2 <= wanted * Fraction(1 + _NEARLY))
    times = whole / own if step["mechanism"] == "laplace" else Fraction(1)
    return bool(stated == step["distance"] * times * size)


def _is_scaled(step: Mapping[str, Any]) -> bool:
    """Tell whether the scale follows from distance and spend."""
    scale, epsilon, rho = (Fraction(step["scale"]), Fraction(step["spend"]["epsilon"]), Fraction(step["spend"]["rho"]))
    if step["mechanism"] == "gaussian":
        if not rho:
            return False
        wanted = Fraction(step["distance"]) / (2 * rho)
        return bool(wanted <= scale**2 <= wanted * Fraction(1 + _NEARLY))
    if step["mechanism"] == "concentrated-choice":
        wanted = Fraction(step["distance"]) ** 2 / (2 * rho) if rho else Fraction(0)
        return bool(wanted and not step["is_monotone"] and wanted <= scale**2 <= wanted * Fraction(1 + _NEARLY))
    picks = 1 if step["mechanism"] == "laplace" else step["picks"]
    ways = 1 if step["mechanism"] == "laplace" or step["is_monotone"] else 2
    return bool(scale * epsilon == ways * picks * step["distance"])


def _is_paid(answer: Mapping[str, Any], delta: Fraction) -> bool:
    """Tell whether the steps together spend what the answer says, and that is worth its epsilon."""
    for name in ("epsilon", "delta", "rho"):
        steps = answer["steps"]
        drawn = sum(step.get("times", 1) * Fraction(step["spend"][name]) for step in steps)
        if drawn != Fraction(answer["spend"][name]):
            return False
    rho, epsilon = Fraction(answer["spend"]["rho"]), Fraction(answer["epsilon"])
    if not rho:
        return epsilon == Fraction(answer["spend"]["epsilon"])
    if answer["is_cached"]:
        return True
    slightly_more = implied_delta(float(rho) + _FINEST, float(epsilon))
    return float(delta) < slightly_more and implied_delta(float(rho), float(epsilon)) <= float(delta) * (1 + _NEARLY)


def _of_budget(told: Mapping[str, Any], unit: str) -> Iterator[Message]:
    accounting = told["accounting"]
    now = [read_spend(answer) for answer in told["answers"] if not answer["is_cached"]]
    before = [read_spend(spend) for spend in told["earlier"]]
    rows = max([rows_of(unit), *(rows_of(spend["unit"]) for spend in told["earlier"])])
    for name, spends in (("cost", now), ("spent", [*before, *now])):
        claim = accounting[name]
        together = merge_parts(spends, rows, unit == "change")
        if not covers_spends(together, Fraction(claim["epsilon"]), Fraction(claim["delta"]), claim["composition"]):
            yield message("What was spent does not add up to the epsilon and delta that are stated.")
    total, spent = Fraction(accounting["total"]["epsilon"]), Fraction(accounting["spent"]["epsilon"])
    if spent > total or Fraction(accounting["spent"]["delta"]) > Fraction(accounting["total"]["delta"]):
        yield message("More was spent than was allowed.")
    if Fraction(accounting["left"]["epsilon"]) != total - spent:
        yield message("What is left is not what was allowed less what was spent.")
    for people, group in accounting["groups"].items():
        if abs(group["epsilon"] - int(people) * float(spent)) > _NEARLY * (1 + abs(group["epsilon"])):
            yield message("The epsilon of a group is another one.")


def _of_promise(told: Mapping[str, Any]) -> Iterator[Message]:
    spent = float(Fraction(told["accounting"]["spent"]["epsilon"]))
    for promise in told["promises"]:
        asked = promise["parameters"]
        is_same = promise["value"] == spent == asked["epsilon"] and asked["unit"] == told["unit"]["told"]
        if not is_same or not promise["holds"]:
            yield message("The promise “{title}” is another one than the accounting gives.", title=promise["title"])


_SPAN = re.compile(r"([^/]+?)\.\.([^/]+?)(/\d+)?")

_FORMULA = "'"


def check_synthetic_table(
    rows: Sequence[Sequence[str]], made: Mapping[str, Any], answer: Mapping[str, Any]
) -> Iterator[Message]:
    """Say what is wrong with the rows of a file, head first."""
    head, body = list(rows[0]) if rows else [], rows[1:]
    names = [field.partition("=")[0].strip() for field in answer["parameters"]["fields"]]
    if [_plain(name) for name in head] != names or names != made["columns"]:
        yield message("The synthetic table has other columns than the question.")
        return
    if len(body) != made["rows"] or any(len(row) != len(head) for row in body):
        yield message("The synthetic table has another number of rows than the certificate says.")
    for at, (name, field) in enumerate(zip(names, answer["parameters"]["fields"], strict=True)):
        is_public = _public(field.partition("=")[2].strip(), answer["parameters"]["values"].get(name, ()))
        if not all(is_public(text) for text in {row[at] for row in body if at < len(row)}):
            yield message("“{column}” of the synthetic table holds a value that is not public.", column=name)


def _public(domain: str, labels: Sequence[str]) -> Callable[[str], bool]:
    """Give the test of one column; an empty cell is a missing value."""
    if found := _SPAN.fullmatch(domain):
        low, high = found[1], found[2]
        of = _day if _day(low) is not None else _number
        return lambda text: not text or _between(of(low), of(text), of(high))
    known = set(labels)
    return lambda text: not text or text in known or _plain(text) in known


def _between(low: Any, value: Any, high: Any) -> bool:
    return value is not None and bool(low <= value <= high)


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _plain(text: str) -> str:
    """Take a text without the apostrophe that keeps spreadsheets from running it."""
    return text.removeprefix(_FORMULA)
