"""Export: written beside the target, read again, measured again, and only then put in its place."""

import functools
import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.errors import AnonymizerError, BadParameter, Infeasible, PromiseBroken
from anonymizer_gui.engine.files.partials import owned_if_abandoned
from anonymizer_gui.engine.files.saving import Staged, replace_file, unwritable
from anonymizer_gui.engine.files.source import checksum
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.releases.certificate import CERTIFICATE, REPORT, REPORT_PDF, WAITING, Departure, certificate
from anonymizer_gui.engine.releases.ledger import Ledger, key_check, person_keys, released_classes
from anonymizer_gui.engine.releases.report_page import render
from anonymizer_gui.engine.releases.verify import certificate_of
from anonymizer_gui.engine.rooms.microdata.checklist import Check, checklist, meeting_check
from anonymizer_gui.engine.rooms.microdata.intersection import Meeting, ReleasedClasses
from anonymizer_gui.engine.rooms.microdata.leaving_table import leaving_table, pseudonym_table
from anonymizer_gui.engine.rooms.microdata.measures import Measured, measure_table
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.written import read_back, write_options
from anonymizer_gui.engine.shapes.tables.io import WriteOptions
from anonymizer_gui.engine.shapes.tables.io.facade import writer_of
from anonymizer_gui.engine.shapes.tables.table import Role, Table

Printer = Callable[[str, Path], None]
"""Makes a document of the report, which is given as HTML."""
PROMISES = ("goals", "meetings")
"""The checks about what the release promises; the others are about decisions that are still open."""


class NotReady(AnonymizerError):
    """A check of the release is not green, and no reason was given to release it nevertheless."""


class GoalsNotMet(NotReady, Infeasible):
    """What was promised does not hold for the table as it leaves, alone or beside earlier releases."""


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
    last_entry: int = 0
    """The newest release of the ledger that this one was compared with."""

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
    people = _people(table, rows, release, original, safeguards, progress.sub(0.7, 0.8))
    last_entry = safeguards.ledger.last() if safeguards.ledger else 0
    meetings = _meetings(people, release, safeguards, progress.sub(0.8, 0.9))
    checks = checklist(table, rows, original, release.project, measured, meetings, progress.sub(0.9, 1.0))
    return Prepared(release, original, table, measured, checks, meetings, people, safeguards, last_entry)


def export(
    prepared: Prepared, path: Path, progress: Progress = SILENT, printers: Mapping[str, Printer] | None = None
) -> Exported:
    """Write the release with certificate and report; on any failure what was there before is untouched.

    Everything is written and checked beside its place first, and put there together at the end. The ledger knows
    of the release before it is there: a release it does not know would be worse than one that never left.
    `printers` make further documents of the report, each told by what is added to the name of the release.
    Raises NotReady when a check fails and no reason is given, UnwritableFile, PromiseBroken, and Overtaken when another
    program enters a release into the ledger at the same time.
    """
    prepared = _compared_with_newer(prepared)
    _refuse_unready(prepared)
    _finish_interrupted(path)
    with Staged() as staged:
        sha256 = _stage_release(staged, prepared, path, progress.sub(0.0, 0.9))
        told = _stage_documents(staged, prepared, path, sha256, printers or {})
        progress(0.95, "Putting the release in its place")
        with _remembered(prepared, path, sha256, told["numbers"]):
            staged.place()
    _remove_outdated(path, printers or {})
    table = prepared.table
    beside = path.with_name(path.name + CERTIFICATE), path.with_name(path.name + REPORT)
    return Exported(path, *beside, sha256, table.n_rows, table.names, told["numbers"])


def export_mapping(prepared: Prepared, path: Path, progress: Progress = SILENT) -> None:
    """Write which pseudonym stands for which identifier; the file is its owner's alone, to be kept apart.

    Raises BadParameter when the release has no pseudonyms, UnwritableFile.
    """
    if not prepared.release.project.publishing.pseudonyms:
        raise BadParameter("The release has no pseudonyms to map.", "Choose pseudonyms for an identifier first.")
    mapping = pseudonym_table(prepared.release, prepared.original, prepared.safeguards.key)
    writer = writer_of(path)
    replace_file(path, lambda target: writer.write(mapping, target, WriteOptions(), progress), private=True)


def _compared_with_newer(prepared: Prepared) -> Prepared:
    """Run the attack again when the ledger has got releases since the check.

    A reason that was given before does not speak of what fails only now.
    """
    ledger = prepared.safeguards.ledger
    last_entry = ledger.last() if ledger else 0
    if last_entry == prepared.last_entry:
        return prepared
    meetings = _meetings(prepared.people, prepared.release, prepared.safeguards, SILENT)
    others = [check for check in prepared.checks if check.name != "meetings"]
    checks = (*others, *(meeting_check(meeting) for meeting in meetings))
    newer = replace(prepared, checks=checks, meetings=meetings, last_entry=last_entry)
    if set(newer.failed) <= set(prepared.failed):
        return newer
    return replace(newer, safeguards=replace(newer.safeguards, reason=""))


def _finish_interrupted(path: Path) -> None:
    """Put a certificate in its place that waits since an export was killed: ours will wait under the same name."""
    found = certificate_of(path)
    if found.name.endswith(WAITING):
        try:
            with owned_if_abandoned(found) as is_abandoned:
                if is_abandoned:
                    found.replace(path.with_name(path.name + CERTIFICATE))
        except OSError as error:
            raise unwritable(path, error) from error


def _remove_outdated(path: Path, printers: Mapping[str, Printer]) -> None:
    """Take away the printed report of the release that was there before, unless it was printed anew."""
    if REPORT_PDF not in printers:
        with suppress(OSError):  # the release has left; a report that cannot be removed names its own checksum
            path.with_name(path.name + REPORT_PDF).unlink(missing_ok=True)


def _refuse_unready(prepared: Prepared) -> None:
    if not prepared.failed or prepared.safeguards.reason.strip():
        return
    promised = [check for check in prepared.failed if check.name in PROMISES]
    kind, first = (GoalsNotMet, promised[0]) if promised else (NotReady, prepared.failed[0])
    raise kind(
        f"The release is not ready: {first.sentence}", "Mend it, or give a reason that will stand in the report."
    )


def _stage_release(staged: Staged, prepared: Prepared, path: Path, progress: Progress) -> str:
    """Write the release beside its place, read it back, measure it again; give its checksum."""
    options = write_options(prepared.release.project, path)
    writer = writer_of(path)
    digests = []

    def check(temporary: Path) -> None:
        again = read_back(temporary, prepared.table, options, progress.sub(0.4, 0.6))
        measured = _measure(again, prepared.release, prepared.original, prepared.safeguards, progress.sub(0.6, 0.9))
        if measured.to_json() != prepared.measured.to_json():
            raise PromiseBroken("The written file measures differently from the release.", "Nothing was released.")
        digests.append(checksum(temporary, progress.sub(0.9, 1.0)))

    staged.add(path, lambda target: writer.write(prepared.table, target, options, progress.sub(0.0, 0.4)), check)
    return digests[0]


def _stage_documents(
    staged: Staged, prepared: Prepared, path: Path, sha256: str, printers: Mapping[str, Printer]
) -> dict[str, Json]:
    """Write certificate and report beside their places; `verify` finds the waiting certificate, too."""
    departure = Departure(
        path.name,
        sha256,
        prepared.table,
        prepared.measured,
        write_options(prepared.release.project, path),
        prepared.checks,
        prepared.meetings,
        prepared.safeguards.reason.strip(),
    )
    told = certificate(prepared.release, prepared.original, departure)
    page = render(told)
    text = json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    waiting = path.with_name(path.name + CERTIFICATE + WAITING)
    staged.add_text(path.with_name(path.name + CERTIFICATE), text, beside=waiting)
    staged.add_text(path.with_name(path.name + REPORT), page)
    for suffix, printer in printers.items():
        staged.add(path.with_name(path.name + suffix), functools.partial(printer, page))
    return told


@contextmanager
def _remembered(prepared: Prepared, path: Path, sha256: str, numbers: Mapping[str, Json]) -> Iterator[None]:
    """Write the release into the ledger, and take it out again when it does not leave after all."""
    ledger, people = prepared.safeguards.ledger, prepared.people
    if ledger is None or people is None:
        yield
        return
    entry = ledger.remember(people, prepared.release.created, sha256, numbers, after=prepared.last_entry)
    try:
        yield
    except BaseException:
        if entry is not None and not (path.is_file() and checksum(path) == sha256):
            ledger.forget(entry)
        raise


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
    table: Table,
    rows: npt.NDArray[np.int64],
    release: Release,
    original: Table,
    safeguards: Safeguards,
    progress: Progress,
) -> ReleasedClasses | None:
    """Take from the release what the ledger remembers; without a ledger nothing is."""
    if safeguards.ledger is None:
        return None
    if not safeguards.key:
        raise BadParameter("The ledger needs the key file.", "Choose the key that people are matched with.")
    schema = release.project.schema
    columns = tuple(sorted(schema.names(Role.EI)))  # the order of the table's columns is no part of a person
    keys = person_keys(original.select(columns).take(rows), safeguards.key, progress)
    people = released_classes(release.name, table, schema.names(Role.QI), schema.names(Role.SA), keys)
    return replace(people, key_check=key_check(safeguards.key), matched_by=columns)


def _meetings(
    people: ReleasedClasses | None, release: Release, safeguards: Safeguards, progress: Progress
) -> tuple[Meeting, ...]:
    """Run the intersection attack with earlier releases, each and together, against what this one promises."""
    if people is None or safeguards.ledger is None:
        return ()
    goals = release.project.goals
    k = max([1, *(goal.least_rows() for goal in goals)])
    least_values = max([1, *(math.ceil(getattr(goal, "l", 1)) for goal in goals)])
    return safeguards.ledger.meetings(people, k=k, least_values=least_values, progress=progress)
