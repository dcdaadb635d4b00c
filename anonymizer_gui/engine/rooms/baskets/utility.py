"""What the released baskets are still good for: supports of frequent sets, and rules such as bread -> butter."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.baskets.attack import as_held
from anonymizer_gui.engine.rooms.baskets.counting import Held, Ints, supports
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.shapes.baskets.baskets import Baskets

USUAL_SHARE = 0.01
USUAL_CONFIDENCE = 0.3
_LONGEST = 2


@dataclass(frozen=True, slots=True)
class SetError:
    """A frequent set: its support before, and what somebody would estimate from the release."""

    items: tuple[str, ...]
    before: int
    after: float

    @property
    def error(self) -> float:
        """The error, as a share of the support before."""
        return abs(self.after - self.before) / self.before


@dataclass(frozen=True, slots=True)
class Rule:
    """Whoever has one has the other with this confidence, before and as far as the release tells."""

    one: str
    other: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Usefulness:
    """Frequent sets with their errors, and association rules before and after."""

    sets: tuple[SetError, ...]
    rules: tuple[Rule, ...]
    kept: int
    """Rules that are still found with at least the same least confidence."""

    @property
    def mean_error(self) -> float:
        """The mean error of the supports of frequent sets."""
        return sum(each.error for each in self.sets) / len(self.sets) if self.sets else 0.0


def usefulness(
    release: Release,
    baskets: Baskets,
    progress: Progress = SILENT,
    share: float = USUAL_SHARE,
    confidence: float = USUAL_CONFIDENCE,
) -> Usefulness:
    """Compare frequent sets of up to two items and the rules between them, before and after.

    An item inside a group is taken to be as frequent as the others of it: support of the group over its leaves.
    """
    least = max(int(share * len(baskets)), 2)
    held = as_held(baskets)
    found: dict[tuple[int, ...], tuple[int, float]] = {}
    for size in range(1, _LONGEST + 1):
        progress((size - 1) / (_LONGEST + 1), "Looking for frequent sets")
        keys, counts = supports(held, size, progress)
        often = counts >= least
        members, counts = held.members(keys[often], size), counts[often]
        estimates = _estimates(release, baskets, members, progress)
        for row, before, after in zip(members.tolist(), counts.tolist(), estimates, strict=True):
            found[tuple(row)] = (before, after)
    sets = tuple(
        SetError(tuple(baskets.items[code] for code in codes), before, after)
        for codes, (before, after) in sorted(found.items(), key=lambda each: -each[1][0])
    )
    rules = tuple(_rules(found, baskets, confidence))
    return Usefulness(sets, rules, sum(rule.after >= confidence for rule in rules))


def _estimates(release: Release, baskets: Baskets, members: Ints, progress: Progress) -> list[float]:
    """Estimate the support of sets of items from the nodes they were published as; deleted items count as gone."""
    data, recoding = release.data, release.recoding
    published = recoding.held(data)
    number, leaves = data.tree.leaf_number, data.tree.leaf_counts
    cut = recoding.cut if recoding.cut is not None else data.tree.leaves
    node_of = np.array([cut[number[item]] if item in number else -1 for item in baskets.items], dtype=np.int64)
    known = {size: dict(_pairs(published, size, progress)) for size in range(1, _LONGEST + 1)}
    return [_estimate(row, node_of, known, leaves, published.top) for row in members.tolist()]


def _pairs(held: Held, size: int, progress: Progress) -> list[tuple[int, int]]:
    keys, counts = supports(held, size, progress)
    return list(zip(keys.tolist(), counts.tolist(), strict=True))


def _estimate(
    row: list[int], node_of: Ints, known: dict[int, dict[int, int]], leaves: npt.NDArray[np.int32], top: int
) -> float:
    nodes = [int(node_of[code]) for code in row]
    if min(nodes) < 0:
        return 0.0
    share = 1.0
    for node in nodes:
        share /= float(leaves[node])
    distinct = sorted(set(nodes))
    key = 0
    for node in distinct:
        key = key * top + node
    return known[len(distinct)].get(key, 0) * share


def _rules(found: dict[tuple[int, ...], tuple[int, float]], baskets: Baskets, confidence: float) -> list[Rule]:
    rules = []
    for codes, (before, after) in found.items():
        if len(codes) != _LONGEST:
            continue
        for one, other in (codes, codes[::-1]):
            alone, alone_after = found[(one,)]
            if before / alone >= confidence:
                later = min(after / alone_after, 1.0) if alone_after else 0.0
                rules.append(Rule(baskets.items[one], baskets.items[other], before / alone, later))
    return sorted(rules, key=lambda rule: -rule.before)
