"""Compares the certificate of a release with what follows from its own questions."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.rooms.statistics.audit.composing import implied_delta, is_covered, merged, paid
from anonymizer_gui.engine.rooms.statistics.audit.expecting import picks_of
from anonymizer_gui.engine.rooms.statistics.audit.learning import own_delta
from anonymizer_gui.engine.rooms.statistics.audit.moves import Move, moves_of, paid_of, rows_of, size_of

_NEARLY = 1e-9
_MECHANISMS = (
    "laplace", "gaussian", "exponential", "permute-and-flip", "concentrated-choice", "top-k-rounds", "top-k-once",
)  # fmt: skip
_FINEST = 3e-12
"""The rho of an answer is the largest one that its epsilon allows, in steps of a billionth of a thousandth."""


def differences(told: Mapping[str, Any]) -> tuple[Message, ...]:
    """Say what does not follow: distances, scales, what was spent, and how it was added up."""
    unit = told["unit"]["told"]
    delta = left_for_noise(told)
    found = [each for answer in told["answers"] for each in _of_answer(answer, unit, delta)]
    return (*found, *_of_budget(told, unit), *_of_promise(told))


def _of_answer(answer: Mapping[str, Any], unit: str, delta: Fraction) -> Iterator[Message]:
    ask, moves = answer["ask"], moves_of(answer, unit)
    if not answer["steps"]:
        yield from _of_public(answer, moves)
        return
    if sum(step.get("times", 1) for step in answer["steps"]) != len(moves):
        yield message("“{ask}” was answered in another number of steps.", ask=ask)
        return
    steps = [step for step in answer["steps"] for _ in range(step.get("times", 1))]
    own = paid_of(answer)
    is_changed = unit == "change" and answer["part"] is None
    told = steps[1 if own and not is_changed else 0]  # the number of rows is counted first where it is not public
    yield from _of_steps(answer, steps, moves)
    if told["mechanism"] != answer["mechanism"]:
        yield message("“{ask}” was answered by another mechanism.", ask=ask)
    if not (_is_clipped(answer, told) if own else _is_as_sensitive(answer)):
        yield message("The sensitivity of “{ask}” is another one.", ask=ask)
    if Fraction(answer["scale"]) != Fraction(told["scale"]) * size_of(answer):
        yield message("The noise of “{ask}” has another scale.", ask=ask)
    if not (own(answer, rows_of(unit), is_changed) if own else _is_paid(answer, delta)):
        yield message("“{ask}” has spent something else than it says.", ask=ask)


def _of_public(answer: Mapping[str, Any], moves: Sequence[Move]) -> Iterator[Message]:
    """Look at an answer without noise: nobody may move it, and it cost nothing."""
    if any(move.largest for move in moves) or answer["mechanism"] != "none":
        yield message("“{ask}” was answered without noise, but is not public.", ask=answer["ask"])
    amounts = (answer["sensitivity"], answer["scale"], answer["epsilon"], *answer["spend"].values())
    if any(Fraction(amount) for amount in amounts):
        yield message("“{ask}” has spent something else than it says.", ask=answer["ask"])


def _of_steps(
    answer: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], moves: Sequence[Move]
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
    own = [own_delta(answer["parameters"], delta) for answer in told["answers"] if paid_of(answer)]
    return max(delta - sum(own, Fraction(0)), Fraction(0))


def _is_clipped(answer: Mapping[str, Any], step: Mapping[str, Any]) -> bool:
    """Tell whether the sensitivity is the length that one step allows."""
    stated = Fraction(answer["sensitivity"]) / size_of(answer)
    return bool(step["distance"] == stated**2)


def _is_as_sensitive(answer: Mapping[str, Any]) -> bool:
    """Tell whether the sensitivity follows from the first step, as if that had the whole budget alone."""
    step, stated, size = answer["steps"][0], Fraction(answer["sensitivity"]), size_of(answer)
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
    now = [paid(answer) for answer in told["answers"] if not answer["is_cached"]]
    before = [paid(spend) for spend in told["earlier"]]
    rows = max([rows_of(unit), *(rows_of(spend["unit"]) for spend in told["earlier"])])
    for name, spends in (("cost", now), ("spent", [*before, *now])):
        claim = accounting[name]
        together = merged(spends, rows, unit == "change")
        if not is_covered(together, Fraction(claim["epsilon"]), Fraction(claim["delta"]), claim["composition"]):
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
