"""How many records, or people where these are counted, are in classes of each size, before and after."""

from dataclasses import dataclass

from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.microdata.compare import exposures_of
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.shapes.tables.classes import size_bins
from anonymizer_gui.engine.shapes.tables.table import Table


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
    sides = before.people, after.people
    steps = sorted({(low, high) for sizes in sides for low, high, _ in size_bins(sizes)})
    counted = [tuple(int(sizes[(sizes >= low) & (sizes <= high)].sum()) for low, high in steps) for sizes in sides]
    labels = tuple(f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in steps)
    return RecordsBySize(labels, counted[0], counted[1], before.persons is not None)
