"""Checklist and files of answers, tables, models."""

import json
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.errors import AnonymizerError, PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.data.tables.io.read_write import writer_of
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.ledger.releases import NewEntry
from anonymizer_gui.engine.releases.release_candidate import GuardedCandidate
from anonymizer_gui.engine.room import Check, OutputFile
from anonymizer_gui.engine.rooms.statistics.certificate import certificate_entries
from anonymizer_gui.engine.rooms.statistics.output_format import (
    Cells,
    answer_rows,
    check_suffix,
    read_cells,
    read_model,
    read_rows,
    rows_as_written,
    write_answers,
)
from anonymizer_gui.engine.rooms.statistics.release import (
    ModelOutput,
    Release,
    model_digest,
    output_files,
    promise_in_model,
)


def output_file(place: Path, made: ModelOutput, release: Release) -> OutputFile:
    """Give the file of a table or of a model."""
    if made.table is not None:
        return TableFile(place, made.table)
    return ModelFile(place, {**(made.model or {}), "promise": promise_in_model(release.project, release.spent)})


def output_entry(place: Path, made: ModelOutput) -> dict[str, Json]:
    """Give what the certificate tells of it: of a table its size, of a model what tells it from others."""
    told: dict[str, Json] = {"answer": made.at, "kind": made.kind, "file": place.name}
    if made.table is not None:
        return {**told, "synthetic": True, "rows": made.table.n_rows, "columns": list(made.table.names)}
    return {**told, "digest": model_digest(made.model or {})}


@dataclass(frozen=True, slots=True, eq=False)
class TableFile:
    """The file a synthetic table leaves in."""

    place: Path
    table: Table

    def write(self, target: Path, progress: Progress) -> None:
        """Write the table in the format of the place."""
        writer_of(self.place).write(self.table, target, WriteOptions(), progress)

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back; raises PromiseBroken unless it holds exactly the table."""
        try:
            found = read_rows(target, progress)
        except (AnonymizerError, ValueError):
            found = []
        if found != _cells(self.table):
            raise _broken(self.place)


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """The file a model leaves in: plain JSON, nothing that could be run."""

    place: Path
    model: Mapping[str, Json]

    def write(self, target: Path, progress: Progress) -> None:
        """Write the model."""
        progress(0.0, "Writing the model")
        target.write_bytes((json.dumps(self.model, ensure_ascii=False, indent=1) + "\n").encode())

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back; raises PromiseBroken unless it holds exactly the model."""
        progress(0.0, "Reading the model")
        if read_model(target) != json.loads(json.dumps(self.model)):
            raise _broken(self.place)


def _cells(table: Table) -> Cells:
    """Give head and rows as a reader of the file finds them."""
    texts = [["" if text == MISSING else escape_formula(text) for text in column.texts()] for column in table.columns]
    return [[escape_formula(name) for name in table.names], *(list(row) for row in zip(*texts, strict=True))]


def _broken(place: Path) -> PromiseBroken:
    return PromiseBroken(
        message("Read back from its file, “{name}” is not what was made.", name=place.name),
        "Nothing was released. Choose another format, and report this.",
    )


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseCandidate(GuardedCandidate):
    """A release ready to leave, and the ledger that remembers what it cost."""

    release: Release
    ledger: BudgetLedger | None
    safeguards: Any
    """Key, ledger of releases and reason, as every room is given them."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """What must be green: the budget is not overdrawn, and the ledger, where there is one, holds every spend."""
        release = self.release
        holds = all(promise.holds for promise in release.promises)
        spent = budget_check(release.spent.epsilon, release.total.epsilon, holds=holds)
        return (spent, ledger_check(release.entries, self.ledger)) if release.account.subject else (spent,)

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers of the release as a whole."""
        release = self.release
        return {
            "answers": len(release.answers),
            "cost": float(release.cost.epsilon),
            "spent": float(release.spent.epsilon),
            "left": float(release.left.epsilon),
            "delta": float(release.spent.delta),
        }

    def files(self, path: Path) -> tuple[OutputFile, ...]:
        """Give the files: answers, tables and models; raises UnwritableFile for a name that says no known format."""
        check_suffix(path)
        release = self.release
        places = output_files(path, release.answers, release.made)
        return tuple(
            AnswersFile(at, release) if made is None else output_file(at, made, release) for at, made in places
        )

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""
        places = output_files(path, self.release.answers, self.release.made)
        ledger = "" if self.ledger is None else self.ledger.path.name
        return {
            **certificate_entries(self.release, ledger),
            "made": [output_entry(at, made) for at, made in places if made],
        }

    def inside(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the inside copy: where the ledger is, and under which name it knows the data."""
        place = "" if self.ledger is None else str(self.ledger.path.absolute())
        return {"ledger": {"path": place, "data": self.release.account.subject}}

    def entered(self, path: Path, sha256: str) -> AbstractContextManager[None]:
        """Be in the ledger of releases, too; what it costs was written before anybody saw it."""
        release = self.release
        told = (release.project.room, release.name, release.created, sha256, self.numbers)
        spend = json.dumps(release.cost.budget().to_json())
        return self.in_ledger(lambda _: NewEntry(*told, subject=release.account.subject or None, spend=spend), path)


@dataclass(frozen=True, slots=True, eq=False)
class AnswersFile:
    """The file the answers leave in."""

    place: Path
    release: Release

    def write(self, target: Path, progress: Progress) -> None:
        """Write the answers in the format of the place."""
        project = self.release.project
        about = {"unit": str(project.unit), "epsilon": float(project.epsilon), "delta": float(project.delta)}
        write_answers(self.release.answers, about, target, progress)

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back; raises PromiseBroken unless it holds exactly the answers."""
        try:
            found = read_cells(target, progress)
        except (AnonymizerError, ValueError):
            found = []
        if found != rows_as_written(answer_rows(self.release.answers), target):
            raise PromiseBroken(
                message("The file written as “{name}” does not hold the answers.", name=self.place.name),
                "Nothing was released. Choose another format, and report this.",
            )


def budget_check(spent: Fraction, total: Fraction, *, holds: bool) -> Check:
    """Compose the check that no more was spent than is allowed."""
    title = "The budget is not overdrawn"
    sentence = message(
        "All releases together have spent epsilon {spent:.6g} of {total:.6g}.", spent=float(spent), total=float(total)
    )
    return Check("budget", title, holds, sentence, is_promise=True)


def ledger_check(entries: Iterable[str], ledger: BudgetLedger | None) -> Check:
    """Compose the check that the ledger holds every entry of a release."""
    title = "The ledger knows what was spent"
    missing = [entry for entry in entries if ledger is None or not ledger.holds(entry)]
    if missing:
        return Check("ledger", title, False, "A spend of this release is not in the ledger.")
    return Check("ledger", title, True, "Every spend of this release is in the ledger.")
