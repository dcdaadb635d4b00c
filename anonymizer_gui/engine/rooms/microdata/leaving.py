"""A table on its way out: exactly what will be written, checked, promised, and compared with earlier releases."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.io.read_write import writer_of
from anonymizer_gui.engine.data.tables.table import MISSING, Role, Table
from anonymizer_gui.engine.releases.ledger.releases import LedgerHead, NewEntry, heads_in_certificates
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.room import Check, OutputFile, Promise
from anonymizer_gui.engine.rooms.microdata.background import Background
from anonymizer_gui.engine.rooms.microdata.checks import MEETINGS, checklist, meeting_checks
from anonymizer_gui.engine.rooms.microdata.leaving_table import leaving_table, parted, place_apart, pseudonym_table
from anonymizer_gui.engine.rooms.microdata.measures import Measured, measure_table
from anonymizer_gui.engine.rooms.microdata.meeting.found import Meeting
from anonymizer_gui.engine.rooms.microdata.meeting.newcomer import newcomer
from anonymizer_gui.engine.rooms.microdata.meeting.remembered import Newcomer, kept_of, meeting_with
from anonymizer_gui.engine.rooms.microdata.meeting.shown import folded
from anonymizer_gui.engine.rooms.microdata.person_column import person_of
from anonymizer_gui.engine.rooms.microdata.policies.questions import Question
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import Judged
from anonymizer_gui.engine.rooms.microdata.policy_opinion import confirm_policies, judge_leaving, policy_checks
from anonymizer_gui.engine.rooms.microdata.readers.labels_file import LABELS, LabelsFile
from anonymizer_gui.engine.rooms.microdata.readers.summary import confirm_summary
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.second_opinion import confirm, confirm_apart
from anonymizer_gui.engine.rooms.microdata.told import blurred, inside_of, told_of
from anonymizer_gui.engine.rooms.microdata.written import as_published, read_back, refuse_unmarked_name, write_options
from anonymizer_gui.engine.storage.saving import replace_file


@dataclass(frozen=True, slots=True, eq=False)
class LeavingTable:
    """A release ready to leave: the table exactly as it will be written, and the checklist over it."""

    release: Release
    original: Table
    population: Table | None
    table: Table
    measured: Measured
    checks: tuple[Check, ...]
    meeting: Meeting
    people: Newcomer | None
    safeguards: Safeguards
    last_entry: int = 0
    """The newest entry of the ledger that this one was compared with."""
    head: LedgerHead | None = None
    """The end of the ledger then, which the certificate holds."""
    rows: npt.NDArray[np.int64] | None = None
    """The original row of each row of the table."""
    policies: tuple[Judged, ...] = ()
    """Every policy of the project with what was found."""
    questions: tuple[Question, ...] = ()
    """What the European regulators ask, answered with figures."""
    apart: Table | None = None
    """The sets that leave in a file of their own, in an order that tells nothing of the rows they were in."""

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that do not hold and keep it from leaving."""
        return tuple(check for check in self.checks if not check.holds and check.blocks)

    def persons(self) -> list[str | None] | None:
        """Tell for every row that leaves whom it is about, where somebody has several rows; it leaves with no file."""
        person = person_of(self.original, self.release.project)
        if person is None or self.rows is None or self.measured.people is None:
            return None
        texts = [None if label == MISSING else folded(label) for label in person.labels]
        return [texts[code] for code in person.codes[self.rows].tolist()]

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What is promised, as it was measured on the table that leaves."""
        return self.measured.promises

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers measured on the table that leaves."""
        release, measured = self.release, self.measured.to_json()
        return {**measured, **blurred(self.measured.loss), "md": release.measured.md, "suppressed": release.suppressed}

    @property
    def reason(self) -> str:
        """Why it may leave although a check fails."""
        return self.safeguards.reason

    def with_reason(self, reason: str) -> Self:
        """Let it leave although a check fails."""
        return replace(self, safeguards=replace(self.safeguards, reason=reason))

    def files(self, path: Path) -> "tuple[OutputFile, ...]":
        """Give the table, the sets where they leave unlinked, and what stands behind the labels where that is wanted.

        Raises BadParameter when cells are not truthful and the name does not say so.
        """
        refuse_unmarked_name(self.release.project, path)
        apart = () if self.apart is None else (SetsFile(place_apart(path), self, self.apart),)
        is_wanted = self.release.project.publishing.labels_file
        labels = (LabelsFile(path.with_name(path.name + LABELS), self),) if is_wanted else ()
        return TableFile(path, self), *apart, *labels

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""
        return told_of(self, path, write_options(self.release.project, path))

    def inside(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the inside copy."""
        return inside_of(self, write_options(self.release.project, path))

    def checked_again(self) -> Self:
        """Run the attack again when the ledger has got releases since the check.

        A reason that was given before does not speak of what fails only now.
        """
        last_entry, head = _end(self.safeguards)
        if last_entry == self.last_entry:
            return self
        meeting = _meeting(self.people, self.safeguards, SILENT)
        others = [check for check in self.checks if not check.name.startswith(MEETINGS)]
        checks = (*others, *meeting_checks(meeting))
        newer = replace(self, checks=checks, meeting=meeting, last_entry=last_entry, head=head)
        if set(newer.failed) <= set(self.failed):
            return newer
        return replace(newer, safeguards=replace(newer.safeguards, reason=""))

    @contextmanager
    def entered(self, path: Path, sha256: str) -> Iterator[None]:
        """Write the release into the ledger, and take it out again when it does not leave after all.

        Raises Tampered when the ledger does not know of releases that lie beside this one and were entered into it.
        """
        ledger, people, key = self.safeguards.ledger, self.people, self.safeguards.key
        if ledger is None or people is None:
            yield
            return
        ledger.refuse_older_copy(heads_in_certificates(path.parent))
        kept = kept_of(ledger, people, key)
        new = NewEntry(self.release.project.room, self._name(path), self.release.created, sha256, self.numbers, kept)
        with ledger.entered(new, key, path, after=self.last_entry):
            yield

    def _name(self, path: Path) -> str:
        """Name the release as people know it: the project, and the file it leaves in."""
        project = self.release.project.name
        return f"{project} ({path.name})" if project else path.name


@dataclass(frozen=True, slots=True, eq=False)
class TableFile:
    """The file a table leaves in."""

    place: Path
    leaving: LeavingTable

    def write(self, target: Path, progress: Progress) -> None:
        """Write the table as its project says, in the format of the place."""
        options = write_options(self.leaving.release.project, self.place)
        writer_of(self.place).write(self.leaving.table, target, options, progress)

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back and count it anew from its bytes; raises PromiseBroken unless it is the release."""
        options = write_options(self.leaving.release.project, self.place)
        read_back(target, self.leaving.table, options, progress.sub(0.0, 0.4))
        found = confirm(target, self.leaving, options, progress.sub(0.4, 1.0))
        confirm_policies(self.leaving, found)
        confirm_summary(self.leaving, options)


@dataclass(frozen=True, slots=True, eq=False)
class SetsFile:
    """The file that sets leave in when nothing may link them to their rows."""

    place: Path
    leaving: LeavingTable
    table: Table

    def write(self, target: Path, progress: Progress) -> None:
        """Write the sets as the table beside them is written."""
        options = write_options(self.leaving.release.project, self.place)
        writer_of(self.place).write(self.table, target, options, progress)

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back and count it anew from its bytes; raises PromiseBroken unless the sets hold."""
        options = write_options(self.leaving.release.project, self.place)
        read_back(target, self.table, options, progress.sub(0.0, 0.4))
        confirm_apart(target, self.leaving, options, progress.sub(0.4, 1.0))


def prepare(
    release: Release,
    original: Table,
    safeguards: Safeguards,
    progress: Progress = SILENT,
    population: Table | None = None,
) -> LeavingTable:
    """Make the table that would leave and check it; nothing is written.

    Raises BadParameter when pseudonyms or the ledger lack their key or an identifier.
    """
    progress(0.0, "Putting the rows in order")
    table, rows = leaving_table(release, original, safeguards.key)
    measured = measure_leaving(table, rows, release, original, population, progress.sub(0.3, 0.7))
    table, apart = parted(table, release.project)
    people = _people(table, rows, release, original, safeguards, progress.sub(0.7, 0.8))
    last_entry, head = _end(safeguards)
    meeting = _meeting(people, safeguards, progress.sub(0.8, 0.9))
    checks = checklist(
        table,
        rows,
        original,
        release.project,
        measured,
        meeting,
        asks=safeguards.asks,
        progress=progress.sub(0.9, 1.0),
    )
    policies, questions = judge_leaving(table, release, measured.to_json(), original.n_rows)
    checks += policy_checks(policies)
    return LeavingTable(
        release,
        original,
        population,
        table,
        measured,
        checks,
        meeting,
        people,
        safeguards,
        last_entry,
        head,
        rows,
        policies,
        questions,
        apart,
    )


def export_mapping(leaving: LeavingTable, path: Path, progress: Progress = SILENT) -> None:
    """Write which pseudonym stands for which identifier; the file is its owner's alone, to be kept apart.

    Raises BadParameter when the release has no pseudonyms, UnwritableFile.
    """
    if not leaving.release.project.publishing.pseudonyms:
        raise BadParameter("The release has no pseudonyms to map.", "Choose pseudonyms for an identifier first.")
    mapping = pseudonym_table(leaving.release, leaving.original, leaving.safeguards.key)
    writer = writer_of(path)
    replace_file(path, lambda target: writer.write(mapping, target, WriteOptions(), progress), private=True)


def measure_leaving(
    table: Table,
    rows: npt.NDArray[np.int64],
    release: Release,
    original: Table,
    population: Table | None,
    progress: Progress,
) -> Measured:
    """Measure a table as it leaves, against the goals of its release."""
    project = release.project
    person = person_of(original, project)
    return measure_table(
        as_published(table, project),
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        goals=project.goals,
        background=Background(
            hierarchies=project.hierarchies,
            schema=project.schema,
            original=original,
            rows=rows if project.schema.sets else None,
            population=population,
            weights=project.weights,
            suppressed=original.n_rows - table.n_rows,
            person=None if person is None else person.take(rows),
        ),
        progress=progress,
    )


def _people(
    table: Table,
    rows: npt.NDArray[np.int64],
    release: Release,
    original: Table,
    safeguards: Safeguards,
    progress: Progress,
) -> Newcomer | None:
    """Take from the release what the ledger remembers; without a ledger nothing is."""
    if safeguards.ledger is None:
        return None
    if not safeguards.key:
        raise BadParameter("The ledger needs the key file.", "Choose the key that people are matched with.")
    project = release.project
    return newcomer(as_published(table, project), rows, original, project, safeguards.key, progress)


def _end(safeguards: Safeguards) -> tuple[int, LedgerHead | None]:
    """Give the newest entry of the ledger, and its head."""
    return (safeguards.ledger.last(), safeguards.ledger.head()) if safeguards.ledger else (0, None)


def _meeting(people: Newcomer | None, safeguards: Safeguards, progress: Progress) -> Meeting:
    """Attack everybody with this release and all earlier ones together."""
    if people is None or safeguards.ledger is None:
        return Meeting()
    return meeting_with(safeguards.ledger, people, safeguards.key, progress)
