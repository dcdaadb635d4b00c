"""Estimates and reports as files; checklist."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import PromiseBroken, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.releases.ledger.releases import NewEntry
from anonymizer_gui.engine.releases.release_candidate import GuardedCandidate
from anonymizer_gui.engine.room import Check, Finding, Promise
from anonymizer_gui.engine.rooms.survey.certificate import certificate_entries
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.rooms.survey.estimates import Estimate, QuestionEstimates
from anonymizer_gui.engine.rooms.survey.independent.recount import check_collection
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.engine.rooms.survey.reports import report_lines

HEAD = ("question", "value", "n", "support", "estimate", "sd", "low95", "high95", "consistent")

SUFFIXES = (".csv", ".json")

REPORTS_SUFFIX = ".reports.jsonl"


def require_suffix(path: Path) -> None:
    """Raise UnwritableFile when estimates cannot be written in a file of that name."""
    if path.suffix.lower() not in SUFFIXES:
        raise UnwritableFile(
            message("Estimates cannot be written as “{name}”.", name=path.name),
            "Choose a name that ends in .csv or .json.",
        )


def estimates_text(collection: Collection, results: Sequence[QuestionEstimates], path: Path) -> str:
    """Write the estimates in the format of the path's suffix."""
    if path.suffix.lower() == ".json":
        return json.dumps(_told(collection, results), ensure_ascii=False, indent=1) + "\n"
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(HEAD)
    rows.writerows(_row(result, cell) for result in results for cell in result.cells)
    return file.getvalue()


def _told(collection: Collection, results: Sequence[QuestionEstimates]) -> dict[str, object]:
    questions = [
        {**result.to_json(), "support": {cell.value: cell.support for cell in result.cells}} for result in results
    ]
    return {"survey": collection.fingerprint, "epsilon": float(collection.epsilon), "questions": questions}


def _row(result: QuestionEstimates, cell: Estimate) -> list[str]:
    names = escape_formula(result.question.name), escape_formula(cell.value)
    numbers = cell.estimate, cell.sd, cell.low, cell.high, cell.consistent
    return [*names, str(result.n), str(cell.support), *(repr(number) for number in numbers)]


_SHOWN = 100


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseCandidate(GuardedCandidate):
    """A collection ready to leave."""

    release: Release
    safeguards: Any
    """Key, ledger of releases and reason, as every room is given them."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """What must be green: the proof; and what should be looked at: reports that do not count, noise alone."""
        noisy = [
            result.question.name
            for result in self.release.results
            if result.question.domain and all(cell.low <= 0 for cell in result.cells)
        ]
        return proof_check(self.release.promises[0]), _counted(self.release), signal_check(noisy)

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers of the collection as a whole."""
        release = self.release
        return {
            "reports": release.n,
            "not_counted": len(release.problems),
            "questions": len(release.results),
            "epsilon": float(release.collection.epsilon),
            "cost": release.collection.cost,
        }

    def files(self, path: Path) -> "tuple[TextFile, ...]":
        """Give the files that are written; raises UnwritableFile for a name that says no known format."""
        require_suffix(path)
        release = self.release
        lines = "".join(f"{line}\n" for line in report_lines(release.collection, release.records))
        text = estimates_text(release.collection, release.results, path)
        estimates = EstimatesFile(path, text, lines, certificate_entries(release))
        if not release.project.with_reports:
            return (estimates,)
        return estimates, TextFile(path.with_name(path.stem + REPORTS_SUFFIX), lines)

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""
        return certificate_entries(self.release)

    def inside(self, path: Path) -> dict[str, Json]:
        """Give nothing more: whatever proves a collection is public."""
        return {}

    def entered(self, path: Path, sha256: str) -> AbstractContextManager[None]:
        """Be in the ledger of releases while the files are put in their place."""
        release = self.release
        told = (release.project.room, release.name, release.created, sha256, self.numbers)
        spend = json.dumps(Budget(epsilon=release.collection.epsilon).to_json())
        return self.in_ledger(lambda _: NewEntry(*told, subject=release.collection.fingerprint, spend=spend), path)


@dataclass(frozen=True, slots=True, eq=False)
class TextFile:
    """A file of the release: its text is written, and must be there when it is read back."""

    place: Path
    text: str

    def write(self, target: Path, progress: Progress) -> None:
        """Write the text."""
        progress(0.0, "Writing the estimates")
        target.write_bytes(self.text.encode())

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back; raises PromiseBroken unless it holds exactly the text."""
        progress(0.0, "Reading the estimates back")
        if target.read_bytes() != self.text.encode():
            raise PromiseBroken(
                message("The file written as “{name}” is not what was to be written.", name=self.place.name),
                "Nothing was released. Choose another folder, and report this.",
            )


@dataclass(frozen=True, slots=True, eq=False)
class EstimatesFile(TextFile):
    """The estimates: proof, counts and numbers are found again from the file and the reports before it may leave."""

    reports: str
    told: Mapping[str, Json]

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back and have it judged by other code; raises PromiseBroken unless all of it holds."""
        TextFile.check(self, target, progress)
        content, reports = target.read_bytes(), self.reports.encode()
        for found in check_collection(self.place.name, content, reports, self.told, progress):
            raise PromiseBroken(
                message("Counted again: {found}", found=found),
                "Nothing was released. Please report this with the project.",
            )


def proof_check(promise: Promise) -> Check:
    """Compose the check that the chances of the protocols keep the promise."""
    return Check("proof", "No report tells more than epsilon allows", promise.holds, promise.sentence, is_promise=True)


def _counted(release: Release) -> Check:
    title = "Every report counts"
    if not release.problems:
        return Check("counted", title, True, message("{n:report|reports}, all of them counted.", n=release.n))
    sentence = message(
        "{bad:report does|reports do} not count, {good:,} do; who sent them may have been left out.",
        bad=len(release.problems),
        good=release.n,
    )
    found = tuple(Finding(problem.sentence, problem.place) for problem in release.problems[:_SHOWN])
    return Check("counted", title, False, sentence, blocks=False, findings=found)


def signal_check(noisy: Sequence[str]) -> Check:
    """Warn of questions of which no estimate is larger than the noise of a value that nobody has."""
    title = "The estimates are more than noise"
    if not noisy:
        return Check("signal", title, True, "Every question has an answer that stands out from the noise.")
    sentence = message("No answer to “{name}” can be told from noise: collect more reports.", name=noisy[0])
    return Check("signal", title, False, sentence, blocks=False)
