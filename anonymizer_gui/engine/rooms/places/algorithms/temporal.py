"""Temporal cloaking: the place stays exact to a tile, and the answer waits until k people were there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Ints, Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, CLOAK, Algorithm, Wanted
from anonymizer_gui.engine.rooms.places.cloaking.regions import Regions, enough_users

_EVERY = 512
Window = list[int]


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Temporal(Algorithm):
    """Fixes the tile and waits until k different people visited it (Gruteser and Grunwald 2003, temporal variant)."""

    name: ClassVar[str] = "temporal"
    title: ClassVar[str] = "Temporal cloak"
    summary: ClassVar[str] = "Keeps the tile and sends the time as a span in which k people were there: costs waiting."
    way: ClassVar[str] = CLOAK
    needs_time: ClassVar[bool] = True
    is_reciprocal: ClassVar[bool] = True

    side: float = param(
        Float(low=1, high=1e6), default=500.0, label="Side of a tile in metres",
        help="How exactly the place is told.", series=(100, 250, 500, 1000, 2000),
    )  # fmt: skip
    clock: float = param(
        Float(low=1, high=86_400), default=60.0, label="Rounding of times in seconds",
        help="Both ends of a span are moved outwards to multiples of this, for they are when somebody was there.",
    )  # fmt: skip

    def run(self, places: Places, wanted: Wanted, progress: Progress) -> Regions:
        """Cut the visits of every tile into windows of k people; raises Infeasible when no tile has so many."""
        enough_users(places, wanted.k)
        person = places.person_of[places.track_of]
        column, row = np.floor(places.x / self.side).astype(np.int64), np.floor(places.y / self.side).astype(np.int64)
        tile = np.unique(np.column_stack([column, row]), axis=0, return_inverse=True)[1].reshape(-1)
        order = np.lexsort((places.t, tile))
        cuts = np.flatnonzero(np.diff(tile[order])) + 1
        rows: list[tuple[int, float, float, int]] = []
        withheld = 0
        for at, visits in enumerate(np.split(order, cuts)):
            if at % _EVERY == 0:
                progress(at / (len(cuts) + 1), "Waiting for k people")
            found, left = windows(visits.tolist(), person, wanted.k)
            withheld += left
            rows += [each for window in found for each in self._rows(window, person, places)]
        if not rows:
            raise Infeasible(
                message("No tile was visited by {k} people.", k=wanted.k),
                "Choose larger tiles, or a smaller k.",
                "k",
                "",
            )
        first = np.array([each[0] for each in rows])
        box = np.column_stack([column[first], row[first], column[first] + 1, row[first] + 1]) * self.side
        spans = np.array([each[1:3] for each in rows])
        return Regions(
            places.x[first][None], places.y[first][None], box[None], spans, spans[:, 1] - places.t[first],
            np.array([float(each[3]) for each in rows]), len(set(person[first].tolist())), withheld,
        )  # fmt: skip

    def _rows(self, window: Window, person: Ints, places: Places) -> Iterator[tuple[int, float, float, int]]:
        """Give one row for everybody in a window: the first visit, the span, and how many people there are."""
        times = places.t[window]
        begin = float(np.floor(times.min() / self.clock) * self.clock)
        end = float(np.ceil(times.max() / self.clock) * self.clock)
        firsts: dict[int, int] = {}
        for visit in window:
            firsts.setdefault(int(person[visit]), visit)
        for visit in firsts.values():
            yield visit, begin, end, len(firsts)


def windows(visits: list[int], person: Ints, k: int) -> tuple[list[Window], int]:
    """Cut visits, in the order of time, into windows of k different people; too few at the end join the last window.

    Gives the windows, and how many visits are in none because k people never came.
    """
    found: list[Window] = []
    window: Window = []
    people: set[int] = set()
    for visit in visits:
        window.append(visit)
        people.add(int(person[visit]))
        if len(people) >= k:
            found.append(window)
            window, people = [], set()
    if window and found:
        found[-1] += window
        window = []
    return found, len(window)
