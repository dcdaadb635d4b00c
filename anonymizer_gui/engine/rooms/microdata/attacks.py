"""Attacks on a release, before and after: what each would find in the original and in what is published."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import try_each
from anonymizer_gui.engine.data.tables.io.read_write import read_source
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.compare import exposures_of
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.risk.contract import BeforeAndAfter, Risk, compare
from anonymizer_gui.engine.rooms.microdata.risk.worst import WorstClass, worst_classes


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """What the attacker has beside the release."""

    population: Table | None = None
    population_size: int | None = None
    outside: Table | None = None
    other: Table | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """What an analysis found in the original and in the release, or why it could not be made."""

    both: BeforeAndAfter | None
    worst: tuple[WorstClass, ...] = ()
    worst_before: tuple[WorstClass, ...] = ()
    """The worst classes of the original, where they are worth showing: those of its unique rows."""
    counts_people: bool = False
    """Whether people are hit: those of a second table, or of this one where it says whom a row is about; else rows."""
    obstacle: AnonymizerError | None = None
    by_weight: bool = False
    """Whether an estimate rests on sampling weights."""

    @property
    def hit(self) -> int:
        """Whom it hits in the release."""
        return self.both.after.hit if self.both else 0

    @property
    def share(self) -> float:
        """The share it hits in the release."""
        return self.both.after.share if self.both else 0.0


def run_attacks(
    risks: Sequence[Risk], release: Release, original: Table, known: Knowledge, progress: Progress
) -> dict[str, Attack]:
    """Run several analyses; one that cannot be made says why and does not stop the others."""
    before, after = exposures_of(
        release,
        original,
        population=known.population,
        population_size=known.population_size,
        outside=known.outside,
        other=known.other,
    )

    def attack(risk: Risk, part: Progress) -> Attack:
        both = compare(risk, before, after, part)
        of_outside = "people_by_rows" in both.after.details
        was = worst_classes(before, both.before) if "scores" in both.before.details else ()
        worst, counts_people = worst_classes(after, both.after), of_outside or before.persons is not None
        by_weight = after.weight is not None and risk.by_weight
        return Attack(both, worst, was, counts_people, by_weight=by_weight)

    found = try_each(risks, attack, progress)
    return {name: one if isinstance(one, Attack) else Attack(None, obstacle=one) for name, one in found.items()}


def read_outside(path: Path, progress: Progress) -> Table:
    """Read the second table of an attack."""
    return read_source(str(path), None, progress)[0]
