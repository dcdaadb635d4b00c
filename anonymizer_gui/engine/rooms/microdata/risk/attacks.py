"""Attacks run on a release, before and after, or on a candidate."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.core.registry import try_each
from anonymizer_gui.engine.data.tables.io.read_write import read_source
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.rooms.microdata.people import person_column
from anonymizer_gui.engine.rooms.microdata.release.output_format import with_file_spelling
from anonymizer_gui.engine.rooms.microdata.release.release import _DIGITS, Release, attack_views, weight_and_household
from anonymizer_gui.engine.rooms.microdata.risk.contract import (
    RISKS,
    AttackView,
    BeforeAndAfter,
    Risk,
    RiskResult,
    WorstClass,
    attack_before_and_after,
    worst_classes,
)

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate


@dataclass(frozen=True, slots=True, eq=False)
class AttackerKnowledge:
    """What the attacker has beside the release."""

    population: Table | None = None
    population_size: int | None = None
    outside: Table | None = None
    other: Table | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AttackResult:
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
    risks: Sequence[Risk], release: Release, original: Table, known: AttackerKnowledge, progress: Progress
) -> dict[str, AttackResult]:
    """Run several analyses; one that cannot be made says why and does not stop the others."""
    before, after = attack_views(
        release,
        original,
        population=known.population,
        population_size=known.population_size,
        outside=known.outside,
        other=known.other,
    )

    def attack(risk: Risk, part: Progress) -> AttackResult:
        both = attack_before_and_after(risk, before, after, part)
        of_outside = "people_by_rows" in both.after.details
        was = worst_classes(before, both.before) if "scores" in both.before.details else ()
        worst, counts_people = worst_classes(after, both.after), of_outside or before.persons is not None
        by_weight = after.weight is not None and risk.by_weight
        return AttackResult(both, worst, was, counts_people, by_weight=by_weight)

    found = try_each(risks, attack, progress)
    return {
        name: one if isinstance(one, AttackResult) else AttackResult(None, obstacle=one) for name, one in found.items()
    }


def read_second_table(path: Path, progress: Progress) -> Table:
    """Read the second table of an attack."""
    return read_source(str(path), None, progress)[0]


MOST_ROWS = 1_000_000
"""Larger releases leave without attacks told: these look at every set of columns and would take minutes."""


def attack_candidate(leaving: "ReleaseCandidate") -> list[dict[str, Json]]:
    """Run every attack that needs nothing but the release, and those about a population where there is one.

    What is told is counted in the release alone; nothing about rows that are left out.
    """
    if leaving.table.n_rows > MOST_ROWS or leaving.rows is None:
        return []
    exposure = _exposure(leaving, leaving.rows)
    found = try_each([risk() for risk in RISKS], lambda risk, part: risk.measure(exposure, part), SILENT)
    return [{"name": declared.name, **_told(declared.title, found[declared.name])} for declared in RISKS]


def _exposure(leaving: "ReleaseCandidate", rows: npt.NDArray[np.int64]) -> AttackView:
    project = leaving.release.project
    person = person_column(leaving.original, project)
    weight, household = weight_and_household(leaving.original.take(rows), project)
    return AttackView(
        with_file_spelling(leaving.table, project),
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        project.hierarchies,
        project.schema,
        leaving.population,
        person=None if person is None else person.take(rows),
        weight=weight,
        household=household,
    )


def _told(title: str, found: RiskResult | AnonymizerError) -> dict[str, Json]:
    if isinstance(found, AnonymizerError):
        return {"title": title, "not_run": found.message}
    return {
        "title": title,
        "value": round(found.value, _DIGITS),
        "hit": found.hit,
        "people": found.people,
        "is_estimate": found.is_estimate,
    }
