"""A few unknown whole numbers and their sums, solved exactly: every choice is followed to its end."""

from collections.abc import Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.core.progress import SILENT, Progress

_STEPS_BETWEEN_CHECKS = 1 << 14


class Exhausted(Exception):
    """The search has taken all the steps it was given."""


@dataclass(slots=True)
class Effort:
    """How many steps a search may still take; counted, not timed, so that every machine finds the same."""

    steps: int
    progress: Progress = SILENT
    whole: "Effort | None" = None
    """What this effort is a part of."""
    _since: int = 0

    def spend(self, steps: int) -> None:
        """Take some steps; raises Exhausted when there are none left."""
        self.steps -= steps
        self._since += steps
        if self._since > _STEPS_BETWEEN_CHECKS:
            self._since = 0
            self.progress.check()
        if self.whole is not None:
            self.whole.spend(steps)
        if self.steps < 0:
            raise Exhausted

    def part(self, steps: int) -> "Effort":
        """Give a question at most so many steps; they are taken from here, too."""
        return Effort(steps, whole=self)


class Puzzle:
    """Numbers 0 to n - 1 between bounds, and sums of some of them between bounds.

    >>> puzzle = Puzzle(3, [[0, 1], [1, 2]], [1, 1], [1, 1])
    >>> puzzle.solve([0, 0, 0], [1, 1, 1], [1, 0, 0], Effort(1000))
    [1, 0, 1]
    >>> puzzle.solve([1, 1, 0], [1, 1, 1], [0, 0, 0], Effort(1000)) is None
    True
    """

    def __init__(self, n: int, sums: Sequence[Sequence[int]], least: Sequence[int], most: Sequence[int]) -> None:
        self._sums, self._least, self._most = sums, least, most
        self._sums_of: list[list[int]] = [[] for _ in range(n)]
        for number, members in enumerate(sums):
            for member in members:
                self._sums_of[member].append(number)

    def solve(self, low: Sequence[int], high: Sequence[int], wished: Sequence[int], effort: Effort) -> list[int] | None:
        """Find numbers that fit all sums, those wished for first; None when there are none. Raises Exhausted."""
        waiting = [(list(low), list(high), list(range(len(self._sums))))]
        while waiting:
            low_now, high_now, touched = waiting.pop()
            if not self._narrow(low_now, high_now, touched, effort):
                continue
            open_one = _smallest_choice(low_now, high_now)
            effort.spend(len(low_now))
            if open_one is None:
                return low_now
            waiting += self._choices(open_one, low_now, high_now, wished)
        return None

    def _choices(
        self, number: int, low: list[int], high: list[int], wished: Sequence[int]
    ) -> list[tuple[list[int], list[int], list[int]]]:
        """Part the ways of one number: what is wished for comes last, which is followed first."""
        first = min(max(wished[number], low[number]), high[number])
        ways = [(first + 1, high[number]), (low[number], first - 1), (first, first)]
        parted = []
        for least, most in ways:
            if least <= most:
                low_then, high_then = low.copy(), high.copy()
                low_then[number], high_then[number] = least, most
                parted.append((low_then, high_then, list(self._sums_of[number])))
        return parted

    def _narrow(self, low: list[int], high: list[int], touched: list[int], effort: Effort) -> bool:
        """Narrow the bounds by the sums that were touched; tell whether all can still come out."""
        waits = [False] * len(self._sums)
        for number in touched:
            waits[number] = True
        while touched:
            number = touched.pop()
            waits[number] = False
            members = self._sums[number]
            effort.spend(len(members))
            room = self._most[number] - sum([low[member] for member in members])
            spare = sum([high[member] for member in members]) - self._least[number]
            if room < 0 or spare < 0:
                return False
            for member in members:
                width = high[member] - low[member]
                if width <= room and width <= spare:
                    continue
                least, most = max(low[member], high[member] - spare), min(high[member], low[member] + room)
                if least > most:
                    return False
                low[member], high[member] = least, most
                for other in self._sums_of[member]:
                    if not waits[other]:
                        waits[other] = True
                        touched.append(other)
        return True


def _smallest_choice(low: Sequence[int], high: Sequence[int]) -> int | None:
    """Give the open number with the fewest values left."""
    best, fewest = None, 0
    for number, (least, most) in enumerate(zip(low, high, strict=True)):
        width = most - least
        if width and (best is None or width < fewest):
            best, fewest = number, width
            if width == 1:
                break
    return best
