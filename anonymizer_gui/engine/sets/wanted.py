"""What the promises ask of every set of items that somebody may know: enough baskets, and no sure guess."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.sets.counting import Held, Ints, added, sets_of, supports
from anonymizer_gui.engine.sets.encoding import Bits, Encoded

_ONES = np.array([bin(number).count("1") for number in range(1 << 16)], dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Wanted:
    """All promises together: sets of up to `m` items are in no basket or in `k`, whole baskets look alike `whole`
    times, and among those who hold such a set there are `l` sensitive values, or at most one in `l` holds the item."""

    k: int = 1
    m: int = 1
    whole: int = 1
    l: int = 1  # noqa: E741 - what everybody calls it

    @property
    def is_diverse(self) -> bool:
        """Whether guesses at something sensitive matter."""
        return self.l > 1

    def holds_for(self, data: Encoded, nodes: Sequence[int]) -> bool:
        """Tell whether the baskets with something below each of the nodes are enough and differ enough."""
        bits = data.bits(nodes[0])
        for node in nodes[1:]:
            bits = bits & data.bits(node)
        found = count_bits(bits)
        return found >= self.k and (not self.is_diverse or self.differs(data, bits, found))

    def differs(self, data: Encoded, bits: Bits, found: int) -> bool:
        """Tell whether nobody among some baskets can be guessed with certainty."""
        if data.sensitive is None:
            return True
        chosen = np.unpackbits(bits, count=data.n_baskets, bitorder="little").view(np.bool_)
        values = data.sensitive.codes[chosen]
        if data.sensitive.is_item:
            return int(values.sum()) * self.l <= found
        return len(np.unique(values)) >= self.l


def count_bits(bits: Bits) -> int:
    """Count the bits that are set."""
    return int(_ONES[bits.view(np.uint16)].sum(dtype=np.int64))


def broken_sets(held: Held, size: int, wanted: Wanted, data: Encoded, progress: Progress) -> tuple[Ints, Ints]:
    """Give the keys and supports of sets of so many items that do not hold what is wanted, the rarest first."""
    keys, counts = supports(held, size, progress)
    is_broken = counts < wanted.k
    if wanted.is_diverse and data.sensitive is not None:
        is_broken |= ~_diverse(held, size, wanted, data, keys, counts, progress)
    order = np.argsort(counts[is_broken], kind="stable")
    return keys[is_broken][order], counts[is_broken][order]


def _diverse(
    held: Held, size: int, wanted: Wanted, data: Encoded, keys: Ints, counts: Ints, progress: Progress
) -> npt.NDArray[np.bool_]:
    """Say for every set whether the baskets that hold it differ enough."""
    sensitive = data.sensitive
    assert sensitive is not None
    if sensitive.is_item:
        parts = []
        for some, baskets in sets_of(held, size, progress):
            parts.append(np.unique(some[sensitive.codes[baskets] == 1], return_counts=True))
        with_item, often = added(parts)
        guessed = np.zeros(len(keys), dtype=np.int64)
        guessed[np.searchsorted(keys, with_item)] = often
        return np.asarray(guessed * wanted.l <= counts)
    values = len(sensitive.labels)
    pairs = [
        np.unique(np.searchsorted(keys, some) * values + sensitive.codes[b])
        for some, b in sets_of(held, size, progress)
    ]
    found = np.unique(np.concatenate(pairs)) if pairs else np.empty(0, dtype=np.int64)
    return np.asarray(np.bincount(found // values, minlength=len(keys)) >= wanted.l)
