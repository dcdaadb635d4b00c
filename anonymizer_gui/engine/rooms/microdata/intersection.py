"""The intersection attack: what several releases of overlapping people tell together.

Someone who is in several releases is in one class of each; the sensitive value is one that all these classes hold,
and the person is one of those that are in all of them. Releases can each be anonymous and disclose together.
Ganta, Kasiviswanathan, Smith: Composition attacks and auxiliary information in data privacy, KDD 2008.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.tables.classes import Classes, group
from anonymizer_gui.engine.words import Sentence, quoted, say

Keys = npt.NDArray[np.bytes_]
_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class HeldValues:
    """The sensitive values each class of a release holds: one entry per class and value, sorted by class."""

    labels: tuple[str, ...]
    classes: npt.NDArray[np.int64]
    values: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedClasses:
    """What a release tells of its people: a key and the class of every appearance, and the values in each class."""

    name: str
    keys: Keys
    class_of_key: npt.NDArray[np.int64]
    values: Mapping[str, HeldValues]
    key_check: str = ""
    """Tells whether two releases have their keys from the same secret."""
    matched_by: tuple[str, ...] = ()
    """The identifying columns the keys were made from."""

    def can_meet(self, other: "ReleasedClasses", people: int) -> bool:
        """Tell whether the same person would have the same key in both; that some people have proves it."""
        return self.key_check == other.key_check and (people > 0 or self.matched_by == other.matched_by)


@dataclass(frozen=True, slots=True)
class Meeting:
    """How a release meets earlier ones: people in all of them, and how few values and people remain for them.

    `together` says that all earlier releases of a person are taken at once, rather than the one that is named.
    """

    earlier: str
    people: int
    below_l: int
    below_k: int
    fewest_values: int | None
    fewest_people: int
    together: bool = False
    is_comparable: bool = True

    @property
    def is_harmless(self) -> bool:
        """Whether nobody falls below what was promised, as far as that can be told."""
        return self.is_comparable and self.below_l == 0 and self.below_k == 0

    def sentence(self) -> str:
        """Say in words what the attack finds."""
        if not self.is_comparable:
            return say(
                "The people of “{name}” were remembered with another key or by other identifying columns: "
                "it cannot be told who is in both.",
                name=self.earlier,
            )
        if not self.people:
            return say("Nobody is in both this release and “{name}”.", name=self.earlier)
        where = say("in several of {names}" if self.together else "in “{names}”", names=self.earlier)
        if self.is_harmless:
            return say(
                "{people:person is|people are} also {where}; taken together the releases still keep the promise.",
                people=self.people,
                where=where,
            )
        return say(
            "{people:person is|people are} also {where}: for {below_l:,} of them too few sensitive values remain, and "
            "for {below_k:,} too few others share all their classes; whoever is worst off has {left} left.",
            people=self.people,
            where=where,
            below_l=self.below_l,
            below_k=self.below_k,
            left=self._left(),
        )

    def _left(self) -> Sentence:
        if self.fewest_values is None:
            return say("{others:person|people}", others=self.fewest_people)
        return say(
            "{values:value|values} and {others:person|people}", values=self.fewest_values, others=self.fewest_people
        )


def meet(
    new: ReleasedClasses,
    earlier: Sequence[ReleasedClasses],
    *,
    k: int,
    least_values: int,
    progress: Progress = SILENT,
) -> tuple[Meeting, ...]:
    """Attack a release with each earlier one, and with all earlier ones together where people are in several.

    Counts the people for whom fewer than k people or too few sensitive values remain. The attacker is taken to
    know which releases somebody is in, and nothing about the others.
    """
    known = _Known.of(new, earlier)
    found = []
    for number, release in enumerate(earlier):
        progress(number / (len(earlier) + 1), "Comparing with earlier releases")
        result = known.attack([number], known.present[:, number], k, least_values)
        found.append(Meeting(release.name, *result, is_comparable=new.can_meet(release, result[0])))
    several = known.present.sum(axis=1) > 1
    if several.any():
        progress(len(earlier) / (len(earlier) + 1), "Comparing with all earlier releases together")
        results = [known.attack(which, who, k, least_values) for which, who in known.patterns(several, progress)]
        names = say("{names}", names=quoted(release.name for release in earlier))
        found.append(Meeting(names, *_added(results), together=True))
    return tuple(found)


Result = tuple[int, int, int, int | None, int]
"""People, below l, below k, fewest values, fewest people."""


def _added(results: Sequence[Result]) -> Result:
    values = [result[3] for result in results if result[3] is not None]
    return (
        sum(result[0] for result in results),
        sum(result[1] for result in results),
        sum(result[2] for result in results),
        min(values) if values else None,
        min(result[4] for result in results),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """The people of the new release by number, and in which classes of which release they are."""

    releases: tuple[ReleasedClasses, ...]
    appearances: tuple[pd.DataFrame, ...]
    """Of the new release and of each earlier one: person and class, each pair once."""
    present: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, new: ReleasedClasses, earlier: Sequence[ReleasedClasses]) -> "_Known":
        people = np.unique(new.keys)
        releases = (new, *earlier)
        frames = tuple(_appearances(release, people, f"c{i}") for i, release in enumerate(releases))
        present = np.zeros((len(people), len(earlier)), dtype=np.bool_)
        for number, frame in enumerate(frames[1:]):
            present[frame["person"].to_numpy(), number] = True
        return cls(releases, frames, present)

    def patterns(
        self, of: npt.NDArray[np.bool_], progress: Progress
    ) -> Iterator[tuple[list[int], npt.NDArray[np.bool_]]]:
        """Give every set of earlier releases that some of these people are in, with those people."""
        rows = np.flatnonzero(of)
        alike = group([column.astype(np.uint8) for column in self.present[rows].T], len(rows))
        for number, first in enumerate(alike.first_rows.tolist()):
            progress.check()
            who = np.zeros(len(of), dtype=np.bool_)
            who[rows[alike.ids == number]] = True
            yield np.flatnonzero(self.present[rows[first]]).tolist(), who

    def attack(self, which: Sequence[int], who: npt.NDArray[np.bool_], k: int, least_values: int) -> Result:
        """Intersect the classes of the new release with those of some earlier ones, for some of the people."""
        joined = self.appearances[0]
        for number in which:
            joined = joined.merge(self.appearances[number + 1], on="person")
        if joined.empty:
            return 0, 0, 0, None, 0
        columns = [joined[f"c{i}"].to_numpy() for i in (0, *(number + 1 for number in which))]
        together = group(columns, len(joined))
        person = joined["person"].to_numpy()
        values = self._values_left(which, [column[together.first_rows] for column in columns])
        seen = who[person]
        return (
            int(np.count_nonzero(who)),
            0 if values is None else _people(person, seen & (values < least_values)[together.ids]),
            _people(person, seen & (together.sizes < k)[together.ids]),
            None if values is None else int(values[together.ids[seen]].min()),
            _fewest(together, seen),
        )

    def _values_left(
        self, which: Sequence[int], classes: Sequence[npt.NDArray[np.int64]]
    ) -> npt.NDArray[np.int64] | None:
        """Count, for each combination of classes, the values that all hold; the fewest over the columns shared."""
        fewest: npt.NDArray[np.int64] | None = None
        ours = self.releases[0].values
        for name, held in ours.items():
            others = [
                (self.releases[number + 1].values[name], classes[place + 1])
                for place, number in enumerate(which)
                if name in self.releases[number + 1].values
            ]
            if others:
                counts = _shared_values(held, classes[0], others)
                fewest = counts if fewest is None else np.minimum(fewest, counts)
        return fewest


def _appearances(release: ReleasedClasses, people: Keys, name: str) -> pd.DataFrame:
    place = np.searchsorted(people, release.keys)
    place[place == len(people)] = 0
    known = people[place] == release.keys if len(people) else np.zeros(len(release.keys), dtype=np.bool_)
    frame = pd.DataFrame({"person": place[known].astype(np.int64), name: release.class_of_key[known]})
    return frame.drop_duplicates(ignore_index=True)


def _people(person: npt.NDArray[np.int64], where: npt.NDArray[np.bool_]) -> int:
    return len(np.unique(person[where]))


def _fewest(together: Classes, seen: npt.NDArray[np.bool_]) -> int:
    return int(together.sizes[together.ids[seen]].min())


def _shared_values(
    held: HeldValues,
    ours: npt.NDArray[np.int64],
    others: Sequence[tuple[HeldValues, npt.NDArray[np.int64]]],
) -> npt.NDArray[np.int64]:
    """Count, for each combination of classes, the values of ours that each of the others holds, too."""
    number_of = [{label: code for code, label in enumerate(other.labels)} for other, _ in others]
    translated = [np.array([n.get(label, -1) for label in held.labels] or [0], dtype=np.int64) for n in number_of]
    first, end = (np.searchsorted(held.classes, ours, side=side) for side in ("left", "right"))
    counts = np.empty(len(ours), dtype=np.int64)
    for start in range(0, len(ours), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        lengths = end[some] - first[some]
        combination = np.repeat(np.arange(len(lengths)), lengths)
        skipped = first[some] - (np.cumsum(lengths) - lengths)
        value = held.values[np.arange(len(combination)) + np.repeat(skipped, lengths)]
        kept = np.ones(len(combination), dtype=np.bool_)
        for (other, theirs), code in zip(others, translated, strict=True):
            known = other.classes * len(other.labels) + other.values
            asked = theirs[some][combination] * len(other.labels) + code[value]
            kept &= (code[value] >= 0) & _is_among(asked, known)
        counts[some] = np.bincount(combination[kept], minlength=len(lengths))
    return counts


def _is_among(asked: npt.NDArray[np.int64], known: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Tell which numbers are among those known, which are sorted."""
    if not len(known):
        return np.zeros(len(asked), dtype=np.bool_)
    place = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    return np.asarray(known[place] == asked, dtype=np.bool_)
