"""Export: written beside the target, read again, measured again, and only then put in its place."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.checklist import Check, checklist
from anonymizer_gui.engine.errors import AnonymizerError, BadParameter, PromiseBroken
from anonymizer_gui.engine.intersection import Meeting, ReleasedClasses
from anonymizer_gui.engine.leaving import leaving_table
from anonymizer_gui.engine.ledger import Ledger, person_keys, released_classes
from anonymizer_gui.engine.measures import Measured, measure_table
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.release import Release
from anonymizer_gui.engine.report.certificate import CERTIFICATE, REPORT, Departure, certificate
from anonymizer_gui.engine.report.html import render
from anonymizer_gui.engine.saving import replace_file, write_text
from anonymizer_gui.engine.sources import checksum
from anonymizer_gui.engine.table import Role, Table
from anonymizer_gui.engine.table_io.facade import writer_of
from anonymizer_gui.engine.written import read_back, write_options


class NotReady(AnonymizerError):
    """A check of the release is not green, and no reason was given to release it nevertheless."""


@dataclass(frozen=True, slots=True, eq=False)
class Safeguards:
    """What an export needs beyond the project: key, ledger, population, and the reason to override a failed check."""

    key: bytes = b""
    ledger: Ledger | None = None
    population: Table | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A release ready to leave: the table exactly as it will be written, and the checklist over it."""

    release: Release
    original: Table
    table: Table
    measured: Measured
    checks: tuple[Check, ...]
    meetings: tuple[Meeting, ...]
    people: ReleasedClasses | None
    safeguards: Safeguards

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that do not hold."""
        return tuple(check for check in self.checks if not check.holds)


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, and the numbers measured after reading it back."""

    path: Path
    certificate: Path
    report: Path
    sha256: str
    rows: int
    columns: tuple[str, ...]
    numbers: Mapping[str, Json]


def prepare(release: Release, original: Table, safeguards: Safeguards, progress: Progress = SILENT) -> Prepared:
    """Make the table that would leave and check it; nothing is written.

    Raises BadParameter when pseudonyms or the ledger lack their key or an identifier.
    """
    progress(0.0, "Putting the rows in order")
    table, rows = leaving_table(release, original, safeguards.key)
    measured = _measure(table, release, original, safeguards, progress.sub(0.3, 0.7))
    people = _people(table, rows, release, original, safeguards)
    meetings = _meetings(people, release, safeguards, progress.sub(0.7, 0.9))
    progress(0.9, "Looking for identifiers")
    checks = checklist(table, rows, original, release.project, measured, meetings)
    return Prepared(release, original, table, measured, checks, meetings, people, safeguards)


def export(prepared: Prepared, path: Path, progress: Progress = SILENT) -> Exported:
    """Write the release with certificate and report; on any failure what was there before is untouched.

    Raises NotReady when a check fails and no reason is given, UnwritableFile, PromiseBroken.
    """
    reason = prepared.safeguards.reason.strip()
    if prepared.failed and not reason:
        raise NotReady(
            f"The release is not ready: {prepared.failed[0].sentence}",
            "Mend it, or give a reason that will stand in the report.",
        )
    options = write_options(prepared.release.project, path)
    writer = writer_of(path)
    digests = []

    def check(temporary: Path) -> None:
        again = read_back(temporary, prepared.table, options, progress.sub(0.4, 0.6))
        measured = _measure(again, prepared.release, prepared.original, prepared.safeguards, progress.sub(0.6, 0.9))
        if measured.to_json() != prepared.measured.to_json():
            raise PromiseBroken("The written file measures differently from the release.", "Nothing was released.")
        digests.append(checksum(temporary))

    replace_file(path, lambda target: writer.write(prepared.table, target, options, progress.sub(0.0, 0.4)), check)
    departure = Departure(
        path.name,
        digests[0],
        prepared.table,
        prepared.measured,
        options,
        prepared.checks,
        prepared.meetings,
        reason,
    )
    return _with_documents(prepared, path, departure)


def _with_documents(prepared: Prepared, path: Path, departure: Departure) -> Exported:
    told = certificate(prepared.release, prepared.original, departure)
    beside = path.with_name(path.name + CERTIFICATE), path.with_name(path.name + REPORT)
    write_text(beside[0], json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    write_text(beside[1], render(told))
    ledger = prepared.safeguards.ledger
    if ledger is not None and prepared.people is not None:
        ledger.remember(prepared.people, prepared.release.created, departure.sha256, told["numbers"])
    table = prepared.table
    return Exported(path, *beside, departure.sha256, table.n_rows, table.names, told["numbers"])


def _measure(table: Table, release: Release, original: Table, safeguards: Safeguards, progress: Progress) -> Measured:
    """Measure a table as it leaves, against the goals of its release."""
    project = release.project
    return measure_table(
        table,
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        goals=project.goals,
        hierarchies=project.hierarchies,
        schema=project.schema,
        original=original,
        population=safeguards.population,
        weights=project.weights,
        suppressed=original.n_rows - table.n_rows,
        progress=progress,
    )


def _people(
    table: Table, rows: npt.NDArray[np.int64], release: Release, original: Table, safeguards: Safeguards
) -> ReleasedClasses | None:
    """Take from the release what the ledger remembers; without a ledger nothing is."""
    if safeguards.ledger is None:
        return None
    if not safeguards.key:
        raise BadParameter("The ledger needs the key file.", "Choose the key that people are matched with.")
    schema = release.project.schema
    identifiers = original.select(schema.names(Role.EI)).take(rows)
    keys = person_keys(identifiers, safeguards.key)
    return released_classes(release.name, table, schema.names(Role.QI), schema.names(Role.SA), keys)


def _meetings(
    people: ReleasedClasses | None, release: Release, safeguards: Safeguards, progress: Progress
) -> tuple[Meeting, ...]:
    """Run the intersection attack with every earlier release, against what this one promises."""
    if people is None or safeguards.ledger is None:
        return ()
    goals = release.project.goals
    k = max([1, *(goal.least_rows() for goal in goals)])
    least_values = max([1, *(int(getattr(goal, "l", 1)) for goal in goals)])
    return safeguards.ledger.meetings(people, k=k, least_values=least_values, progress=progress)
