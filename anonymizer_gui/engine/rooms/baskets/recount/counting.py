"""Counts sets of items one basket after the other: slow, plain, and nothing else counts like this."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.core.progress import SILENT, Progress

Basket = tuple[str, ...]


def walk(baskets: Sequence[Basket], most: int, progress: Progress = SILENT) -> Iterator[tuple[Basket, list[int]]]:
    """Give every set of up to so many items that some basket holds, with the numbers of the baskets that hold it."""
    ordered = [tuple(sorted(set(basket))) for basket in baskets]
    holders: dict[str, list[int]] = {}
    for number, basket in enumerate(ordered):
        for item in basket:
            holders.setdefault(item, []).append(number)
    for done, item in enumerate(sorted(holders)):
        progress(done / len(holders), "Counting again")
        yield from _beginning_with((item,), holders[item], ordered, most)


def _beginning_with(
    items: Basket, holders: list[int], baskets: Sequence[Basket], most: int
) -> Iterator[tuple[Basket, list[int]]]:
    yield items, holders
    if len(items) == most:
        return
    longer: dict[str, list[int]] = {}
    for number in holders:
        basket = baskets[number]
        for item in basket[bisect_right(basket, items[-1]) :]:
            longer.setdefault(item, []).append(number)
    for item, fewer in longer.items():
        yield from _beginning_with((*items, item), fewer, baskets, most)


def smallest_support(baskets: Sequence[Basket], most: int, progress: Progress = SILENT) -> int:
    """Give the fewest baskets that hold any set of up to so many items; 0 when no basket holds anything."""
    return min((len(holders) for _, holders in walk(baskets, most, progress)), default=0)


@dataclass(frozen=True, slots=True)
class Rarest:
    """What the rare sets of items betray: the smallest support, baskets with a set fewer than k or nobody else hold."""

    smallest_support: int
    exposed: int
    unique: int


def rarest_sets(baskets: Sequence[Basket], k: int, most: int, progress: Progress = SILENT) -> Rarest:
    """Count the sets of up to so many items in one walk; a support is 0 when no basket holds anything."""
    smallest, below, alone = 0, set[int](), set[int]()
    for _, holders in walk(baskets, most, progress):
        smallest = min(smallest or len(holders), len(holders))
        if len(holders) < k:
            below.update(holders)
        if len(holders) == 1:
            alone.update(holders)
    return Rarest(smallest, len(below), len(alone))


def exposed(baskets: Sequence[Basket], k: int, most: int, progress: Progress = SILENT) -> set[int]:
    """Number the baskets that hold a set of up to so many items that fewer than k hold."""
    return {number for _, holders in walk(baskets, most, progress) if len(holders) < k for number in holders}


def smallest_group(baskets: Sequence[Basket]) -> int:
    """Give how often the rarest basket is there; 0 when there is none."""
    return min(Counter(tuple(sorted(set(basket))) for basket in baskets).values(), default=0)


def fewest_values(baskets: Sequence[Basket], values: Sequence[str], most: int, progress: Progress = SILENT) -> int:
    """Give the fewest different values among the holders of any set of up to so many items, or of nothing."""
    among = (len({values[number] for number in holders}) for _, holders in walk(baskets, most, progress))
    return min(among, default=len(set(values)), key=int) if baskets else 0


def surest_guess(baskets: Sequence[Basket], item: str, most: int, progress: Progress = SILENT) -> tuple[int, int]:
    """Give the holders of some set of other items among which the item has the largest share: with it, and in all."""
    has = [item in basket for basket in baskets]
    others = [tuple(other for other in basket if other != item) for basket in baskets]
    best = (sum(has), len(has))
    for _, holders in walk(others, most, progress):
        some = (sum(has[number] for number in holders), len(holders))
        if some[0] * best[1] > best[0] * some[1]:
            best = some
    return best
