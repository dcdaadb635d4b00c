"""A part of the unknown numbers as a puzzle of its own, the others being settled."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.rooms.microdata.meeting.bounds import gathered
from anonymizer_gui.engine.rooms.microdata.meeting.puzzle import Effort, Puzzle
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Ints
from anonymizer_gui.engine.rooms.microdata.meeting.system import NO_LIMIT, Sums


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """Numbers as they are taken where they are not asked for, and what they add up to."""

    sums: Sums
    numbers: Ints
    totals: Ints

    @classmethod
    def at(cls, sums: Sums, numbers: Ints) -> "Settled":
        """Add up the numbers."""
        weights = numbers[sums.link_owner()]
        return cls(sums, numbers, np.bincount(sums.links, weights, len(sums.least)).astype(np.int64))


@dataclass(slots=True, eq=False)
class Part:
    """Some numbers, the puzzle they make, and their bounds, which answers narrow."""

    which: Ints
    puzzle: Puzzle
    low: list[int]
    high: list[int]

    @classmethod
    def of(cls, settled: Settled, which: Ints, low: Ints, high: Ints) -> "Part":
        """Make a puzzle of some numbers; all others keep the values they are settled at."""
        sums = settled.sums
        starts, links = gathered(sums.starts, sums.links, which)
        owner = np.repeat(np.arange(len(which)), np.diff(starts))
        order = np.argsort(links, kind="stable")
        number, first = np.unique(links[order], return_index=True)
        own = np.add.reduceat(settled.numbers[which][owner[order]], first) if len(first) else first
        rest = settled.totals[number] - own
        least = sums.least[number] - rest
        most = np.minimum(sums.most[number], NO_LIMIT) - rest
        members = [part.tolist() for part in np.split(owner[order], first[1:])]
        puzzle = Puzzle(len(which), members, least.tolist(), most.tolist())
        return cls(which, puzzle, low[which].tolist(), high[which].tolist())

    def solve(self, wished: list[int], effort: Effort) -> list[int] | None:
        """Find one way; raises Exhausted."""
        return self.puzzle.solve(self.low, self.high, wished, effort)
