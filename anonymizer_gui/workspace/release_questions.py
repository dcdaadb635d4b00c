"""What the Risk and Utility pages ask about a release, computed on the worker thread."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.rooms.microdata.compare import exposures_of
from anonymizer_gui.engine.rooms.microdata.risk.contract import BeforeAndAfter, compare
from anonymizer_gui.engine.rooms.microdata.risk.worst import WorstClass, worst_classes
from anonymizer_gui.engine.rooms.microdata.utility.contract import Comparison, MetricResult
from anonymizer_gui.engine.shapes.tables.classes import size_bins
from anonymizer_gui.engine.shapes.tables.io.source_tables import read_source

if TYPE_CHECKING:
    from anonymizer_gui.engine.progress import Progress
    from anonymizer_gui.engine.rooms.microdata.release import Release
    from anonymizer_gui.engine.shapes.tables.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """What the attacker has beside the release."""

    population: "Table | None" = None
    population_size: int | None = None
    outside: "Table | None" = None


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """What an analysis found in the original and in the release, or why it could not be made."""

    both: BeforeAndAfter | None
    worst: tuple[WorstClass, ...] = ()
    obstacle: AnonymizerError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ClassSizes:
    """How many records are in classes of each size, before and after, over the same steps of size."""

    labels: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


def run_attacks(
    risks: Sequence[Any], release: "Release", original: "Table", known: Knowledge, progress: "Progress"
) -> dict[str, Attack]:
    """Run several analyses; one that cannot be made says why and does not stop the others."""
    before, after = exposures_of(
        release,
        original,
        population=known.population,
        population_size=known.population_size,
        outside=known.outside,
    )
    found = {}
    for number, risk in enumerate(risks):
        part = progress.sub(number / len(risks), (number + 1) / len(risks))
        try:
            both = compare(risk, before, after, part)
            found[risk.name] = Attack(both, worst_classes(after, both.after))
        except AnonymizerError as error:
            found[risk.name] = Attack(None, obstacle=error)
    return found


def class_sizes(release: "Release", original: "Table", progress: "Progress") -> ClassSizes:
    """Count the records by the size of their class, before and after."""
    progress(0.0, "Finding equivalence classes")
    before, after = exposures_of(release, original)
    sides = before.classes.sizes, after.classes.sizes
    steps = sorted({(low, high) for sizes in sides for low, high, _ in size_bins(sizes)})
    counted = [tuple(int(sizes[(sizes >= low) & (sizes <= high)].sum()) for low, high in steps) for sizes in sides]
    labels = tuple(f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in steps)
    return ClassSizes(labels, *counted)


def read_outside(path: Path, progress: "Progress") -> "Table":
    """Read the second table of a linkage attack."""
    return read_source(str(path), None, progress)[0]


def measure_utility(
    metrics: Sequence[Any], comparison: Comparison, progress: "Progress"
) -> Mapping[str, MetricResult | AnonymizerError]:
    """Measure several things; one that cannot be measured gives its error and does not stop the others."""
    found: dict[str, MetricResult | AnonymizerError] = {}
    for number, metric in enumerate(metrics):
        try:
            found[metric.name] = metric.measure(
                comparison, progress.sub(number / len(metrics), (number + 1) / len(metrics))
            )
        except AnonymizerError as error:
            found[metric.name] = error
    return found
