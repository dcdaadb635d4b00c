"""The intersection attack: what two releases of overlapping people tell together.

Someone who is in both releases is in one class of each; the sensitive value is one that both classes hold, and
the person is one of those that are in both classes. Two releases can each be anonymous and disclose together.
Ganta, Kasiviswanathan, Smith: Composition attacks and auxiliary information in data privacy, KDD 2008.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.classes import group


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedClasses:
    """What a release tells of its people: a key per person, the class of each, the values in each class."""

    name: str
    keys: npt.NDArray[np.str_]
    class_of_key: npt.NDArray[np.int64]
    values: Mapping[str, tuple[frozenset[str], ...]]


@dataclass(frozen=True, slots=True)
class Meeting:
    """How two releases meet: people in both, and how few values and people remain for them."""

    earlier: str
    people: int
    below_l: int
    below_k: int
    fewest_values: int
    fewest_people: int

    @property
    def is_harmless(self) -> bool:
        """Whether nobody falls below what was promised."""
        return self.below_l == 0 and self.below_k == 0

    def sentence(self) -> str:
        """Say in words what the attack finds."""
        if not self.people:
            return f"Nobody is in both this release and “{self.earlier}”."
        if self.is_harmless:
            return f"{self.people:,} people are also in “{self.earlier}”; together the two still keep the promise."
        return (
            f"{self.people:,} people are also in “{self.earlier}”: for {self.below_l:,} of them too few sensitive "
            f"values remain (as few as {self.fewest_values}), and {self.below_k:,} share both classes with too few "
            f"others (as few as {self.fewest_people} people)."
        )


def meet(new: ReleasedClasses, earlier: ReleasedClasses, *, k: int, least_values: int) -> Meeting:
    """Count the people for whom two releases together leave fewer than k people or too few sensitive values."""
    _, in_new, in_earlier = np.intersect1d(new.keys, earlier.keys, return_indices=True)
    if not len(in_new):
        return Meeting(earlier.name, 0, 0, 0, 0, 0)
    ours, theirs = new.class_of_key[in_new], earlier.class_of_key[in_earlier]
    pairs = group([ours, theirs], len(ours))
    values = _values_left(new, earlier, ours[pairs.first_rows], theirs[pairs.first_rows])
    return Meeting(
        earlier.name,
        people=len(ours),
        below_l=int(pairs.sizes[values < least_values].sum()),
        below_k=int(pairs.sizes[pairs.sizes < k].sum()),
        fewest_values=int(values.min()),
        fewest_people=int(pairs.sizes.min()),
    )


def _values_left(
    new: ReleasedClasses, earlier: ReleasedClasses, ours: npt.NDArray[np.int64], theirs: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Count, for each pair of classes, the values that both hold; the fewest over the columns both publish."""
    shared = [name for name in new.values if name in earlier.values]
    fewest = np.full(len(ours), np.iinfo(np.int64).max)
    for name in shared:
        left, right = new.values[name], earlier.values[name]
        counts = [len(left[a] & right[b]) for a, b in zip(ours.tolist(), theirs.tolist(), strict=True)]
        fewest = np.minimum(fewest, counts)
    return fewest
