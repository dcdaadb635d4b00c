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
from anonymizer_gui.engine.data.tables.normalisation import fold_text
from anonymizer_gui.engine.data.tables.table import MISSING, Role, Table
from anonymizer_gui.engine.releases.ledger.releases import LedgerHead, NewEntry, heads_in_certificates
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.room import Check, OutputFile, Promise
from anonymizer_gui.engine.rooms.microdata.composition.attack import CompositionResult
from anonymizer_gui.engine.rooms.microdata.composition.ledger_records import (
    NewRelease,
    attack_with_ledger,
    ledger_parts,
    new_release_view,
)
from anonymizer_gui.engine.rooms.microdata.measurement import MeasurementContext, TableMeasurement, measure_table
from anonymizer_gui.engine.rooms.microdata.people import person_column
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import JudgedPolicy
from anonymizer_gui.engine.rooms.microdata.policies.wp29_questions import Question
from anonymizer_gui.engine.rooms.microdata.release.certificate import certificate_entries, private_entries, rounded_loss
from anonymizer_gui.engine.rooms.microdata.release.checklist import COMPOSITION_CHECKS, checklist, composition_checks
from anonymizer_gui.engine.rooms.microdata.release.codebook import LABELS, CodebookFile, confirm_summary
from anonymizer_gui.engine.rooms.microdata.release.independent_check import check_release, check_sets_file
from anonymizer_gui.engine.rooms.microdata.release.output_format import (
    require_marked_name,
    require_same_table,
    with_file_spelling,
    write_options,
)
from anonymizer_gui.engine.rooms.microdata.release.output_table import (
    output_table,
    pseudonym_mapping,
    separate_sets,
    sets_path,
)
from anonymizer_gui.engine.rooms.microdata.release.policy_check import confirm_policies, judge_output, policy_checks
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.storage.saving import replace_file


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseCandidate:
    """A release ready to leave: the table exactly as it will be written, and the checklist over it."""

    release: Release
    original: Table
    population: Table | None
    table: Table
    measured: TableMeasurement
    checks: tuple[Check, ...]
    meeting: CompositionResult
    people: NewRelease | None
    safeguards: Safeguards
    last_entry: int = 0
    """The newest entry of the ledger that this one was compared with."""
    head: LedgerHead | None = None
    """The end of the ledger then, which the certificate holds."""
    rows: npt.NDArray[np.int64] | None = None
    """The original row of each row of the table."""
    policies: tuple[JudgedPolicy, ...] = ()
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
        person = person_column(self.original, self.release.project)
        if person is None or self.rows is None or self.measured.people is None:
            return None
        texts = [None if label == MISSING else fold_text(label) for label in person.labels]
        return [texts[code] for code in person.codes[self.rows].tolist()]

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What is promised, as it was measured on the table that leaves."""
        return self.measured.promises

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers measured on the table that leaves."""
        release, measured = self.release, self.measured.to_json()
        return {
            **measured,
            **rounded_loss(self.measured.loss),
            "md": release.measured.md,
            "suppressed": release.suppressed,
        }

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
        require_marked_name(self.release.project, path)
        apart = () if self.apart is None else (SeparateSetsFile(sets_path(path), self, self.apart),)
        is_wanted = self.release.project.publishing.labels_file
        labels = (CodebookFile(path.with_name(path.name + LABELS), self),) if is_wanted else ()
        return TableFile(path, self), *apart, *labels

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""
        return certificate_entries(self, path, write_options(self.release.project, path))

    def inside(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the inside copy."""
        return private_entries(self, write_options(self.release.project, path))

    def checked_again(self) -> Self:
        """Run the attack again when the ledger has got releases since the check.

        A reason that was given before does not speak of what fails only now.
        """
        last_entry, head = _end(self.safeguards)
        if last_entry == self.last_entry:
            return self
        meeting = _meeting(self.people, self.safeguards, SILENT)
        others = [check for check in self.checks if not check.name.startswith(COMPOSITION_CHECKS)]
        checks = (*others, *composition_checks(meeting))
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
        kept = ledger_parts(ledger, people, key)
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
    leaving: ReleaseCandidate

    def write(self, target: Path, progress: Progress) -> None:
        """Write the table as its project says, in the format of the place."""
        options = write_options(self.leaving.release.project, self.place)
        writer_of(self.place).write(self.leaving.table, target, options, progress)

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back and count it anew from its bytes; raises PromiseBroken unless it is the release."""
        options = write_options(self.leaving.release.project, self.place)
        require_same_table(target, self.leaving.table, options, progress.sub(0.0, 0.4))
        found = check_release(target, self.leaving, options, progress.sub(0.4, 1.0))
        confirm_policies(self.leaving, found)
        confirm_summary(self.leaving, options)


@dataclass(frozen=True, slots=True, eq=False)
class SeparateSetsFile:
    """The file that sets leave in when nothing may link them to their rows."""

    place: Path
    leaving: ReleaseCandidate
    table: Table

    def write(self, target: Path, progress: Progress) -> None:
        """Write the sets as the table beside them is written."""
        options = write_options(self.leaving.release.project, self.place)
        writer_of(self.place).write(self.table, target, options, progress)

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back and count it anew from its bytes; raises PromiseBroken unless the sets hold."""
        options = write_options(self.leaving.release.project, self.place)
        require_same_table(target, self.table, options, progress.sub(0.0, 0.4))
        check_sets_file(target, self.leaving, options, progress.sub(0.4, 1.0))


def prepare_candidate(
    release: Release,
    original: Table,
    safeguards: Safeguards,
    progress: Progress = SILENT,
    population: Table | None = None,
) -> ReleaseCandidate:
    """Make the table that would leave and check it; nothing is written.

    Raises BadParameter when pseudonyms or the ledger lack their key or an identifier.
    """
    progress(0.0, "Putting the rows in order")
    table, rows = output_table(release, original, safeguards.key)
    measured = measure_release(table, rows, release, original, population, progress.sub(0.3, 0.7))
    table, apart = separate_sets(table, release.project)
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
    policies, questions = judge_output(table, release, measured.to_json(), original.n_rows)
    checks += policy_checks(policies)
    return ReleaseCandidate(
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


def write_pseudonym_mapping(leaving: ReleaseCandidate, path: Path, progress: Progress = SILENT) -> None:
    """Write which pseudonym stands for which identifier; the file is its owner's alone, to be kept apart.

    Raises BadParameter when the release has no pseudonyms, UnwritableFile.
    """
    if not leaving.release.project.publishing.pseudonyms:
        raise BadParameter("The release has no pseudonyms to map.", "Choose pseudonyms for an identifier first.")
    mapping = pseudonym_mapping(leaving.release, leaving.original, leaving.safeguards.key)
    writer = writer_of(path)
    replace_file(path, lambda target: writer.write(mapping, target, WriteOptions(), progress), private=True)


def measure_release(
    table: Table,
    rows: npt.NDArray[np.int64],
    release: Release,
    original: Table,
    population: Table | None,
    progress: Progress,
) -> TableMeasurement:
    """Measure a table as it leaves, against the goals of its release."""
    project = release.project
    person = person_column(original, project)
    return measure_table(
        with_file_spelling(table, project),
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        goals=project.goals,
        background=MeasurementContext(
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
) -> NewRelease | None:
    """Take from the release what the ledger remembers; without a ledger nothing is."""
    if safeguards.ledger is None:
        return None
    if not safeguards.key:
        raise BadParameter("The ledger needs the key file.", "Choose the key that people are matched with.")
    project = release.project
    return new_release_view(with_file_spelling(table, project), rows, original, project, safeguards.key, progress)


def _end(safeguards: Safeguards) -> tuple[int, LedgerHead | None]:
    """Give the newest entry of the ledger, and its head."""
    return (safeguards.ledger.last(), safeguards.ledger.head()) if safeguards.ledger else (0, None)


def _meeting(people: NewRelease | None, safeguards: Safeguards, progress: Progress) -> CompositionResult:
    """Attack everybody with this release and all earlier ones together."""
    if people is None or safeguards.ledger is None:
        return CompositionResult()
    return attack_with_ledger(safeguards.ledger, people, safeguards.key, progress)
