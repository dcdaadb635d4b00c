"""How many records, or people where these are counted, are in classes of each size, before and after."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import size_bins
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.compare import exposures_of
from anonymizer_gui.engine.rooms.microdata.measures import Measured
from anonymizer_gui.engine.rooms.microdata.release import Release

Sizes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RecordsBySize:
    """Records before and after, over the same steps of size; people where these are counted."""

    labels: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    are_people: bool = False


def records_by_size(release: Release, original: Table, progress: Progress) -> RecordsBySize:
    """Count the records by the size of their class, before and after."""
    progress(0.0, "Finding equivalence classes")
    before, after = exposures_of(release, original)
    return _counted(before.people, after.people, are_people=before.persons is not None)


def records_as_they_are(measured: Measured) -> RecordsBySize:
    """Count the records of a table that was measured by the size of their class; there is no after yet."""
    return _counted(measured.class_heads, measured.class_heads[:0], are_people=measured.people is not None)


def _counted(before: Sizes, after: Sizes, *, are_people: bool) -> RecordsBySize:
    sides = before, after
    steps = sorted({(low, high) for sizes in sides for low, high, _ in size_bins(sizes)})
    counted = [tuple(int(sizes[(sizes >= low) & (sizes <= high)].sum()) for low, high in steps) for sizes in sides]
    labels = tuple(f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in steps)
    return RecordsBySize(labels, counted[0], counted[1], are_people)
