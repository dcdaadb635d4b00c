"""A column in a few numbers once more, in plain Python: mean, standard deviation, quantiles, frequencies."""

import math
from collections.abc import Mapping, Sequence


def summed_up(
    counts: Mapping[str, int], decimal: str, quantiles: Sequence[float], *, wants_all: bool = False
) -> dict[str, object]:
    """Sum up the cells of a column that are not missing; without a decimal mark none of them is a number.

    `wants_all`: they are numbers only if every one is.
    """
    numbers = sorted(_numbers(counts, decimal)) if decimal else []
    if wants_all and len(numbers) < sum(counts.values()):
        numbers = []
    told: dict[str, object] = {"distinct": len(counts), "numbers": len(numbers)}
    if numbers:
        mean = math.fsum(numbers) / len(numbers)
        spread = math.fsum((number - mean) ** 2 for number in numbers)
        told["mean"] = mean
        told["sd"] = math.sqrt(spread / (len(numbers) - 1)) if len(numbers) > 1 else 0.0
        told["quantiles"] = [_quantile(numbers, share) for share in quantiles]
    return told


def _numbers(counts: Mapping[str, int], decimal: str) -> list[float]:
    found: list[float] = []
    for text, times in counts.items():
        plain = text.replace(decimal, ".") if decimal != "." else text
        try:
            number = float(plain)
        except ValueError:
            continue
        if math.isfinite(number) and "_" not in plain and (decimal == "." or "." not in text):
            found += [number] * times
    return found


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Take the value between two neighbours, as far as the place lies between them."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
