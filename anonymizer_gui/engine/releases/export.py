"""Export: written beside the target, read again, counted again, and only then put in its place."""

import functools
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.errors import AnonymizerError, Infeasible
from anonymizer_gui.engine.files.partials import owned_if_abandoned
from anonymizer_gui.engine.files.saving import Staged, unwritable
from anonymizer_gui.engine.files.source import checksum
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.releases.certificate import (
    CERTIFICATE,
    REPORT,
    REPORT_PDF,
    WAITING,
    WrittenFile,
    certificate,
)
from anonymizer_gui.engine.releases.report_page import render
from anonymizer_gui.engine.releases.verify import certificate_of
from anonymizer_gui.engine.room import Leaving, LeavingFile
from anonymizer_gui.engine.words import as_sentence, say

Printer = Callable[[str, Path], None]
"""Makes a document of the report, which is given as HTML."""


class NotReady(AnonymizerError):
    """A check of the release is not green, and no reason was given to release it nevertheless."""


class GoalsNotMet(NotReady, Infeasible):
    """What was promised does not hold for the release as it leaves, alone or beside earlier releases."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, and the numbers measured after reading it back."""

    path: Path
    certificate: Path
    report: Path
    sha256: str
    numbers: Mapping[str, Json]


def export(
    leaving: Leaving, path: Path, progress: Progress = SILENT, printers: Mapping[str, Printer] | None = None
) -> Exported:
    """Write the release with certificate and report; on any failure what was there before is untouched.

    Everything is written and checked beside its place first, and put there together at the end. The ledger knows
    of the release before it is there: a release it does not know would be worse than one that never left.
    `printers` make further documents of the report, each told by what is added to the name of the release.
    Raises NotReady when a check fails and no reason is given, UnwritableFile, PromiseBroken, and Overtaken when another
    program enters a release into the ledger at the same time.
    """
    leaving = leaving.checked_again()
    _refuse_unready(leaving)
    _finish_interrupted(path)
    with Staged() as staged:
        files = leaving.files(path)
        written = tuple(
            _stage_file(staged, file, progress.sub(0.9 * at / len(files), 0.9 * (at + 1) / len(files)))
            for at, file in enumerate(files)
        )
        told = certificate(leaving, path, written)
        _stage_documents(staged, told, path, printers or {})
        progress(0.95, "Putting the release in its place")
        with leaving.entered(path, written[0].sha256):
            staged.place()
    _remove_outdated(path, printers or {})
    beside = path.with_name(path.name + CERTIFICATE), path.with_name(path.name + REPORT)
    return Exported(path, *beside, written[0].sha256, told["numbers"])


def _refuse_unready(leaving: Leaving) -> None:
    failed = [check for check in leaving.checks if not check.holds and check.blocks]
    if not failed or leaving.reason.strip():
        return
    promised = [check for check in failed if check.is_promise]
    kind, first = (GoalsNotMet, promised[0]) if promised else (NotReady, failed[0])
    raise kind(
        say("The release is not ready: {why}", why=as_sentence(first.sentence)),
        "Mend it, or give a reason that will stand in the report.",
    )


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


def _stage_file(staged: Staged, file: LeavingFile, progress: Progress) -> WrittenFile:
    """Write one file beside its place, have it read back and measured again; give its checksum."""
    digests = []

    def check(temporary: Path) -> None:
        file.check(temporary, progress.sub(0.4, 0.9))
        digests.append(checksum(temporary, progress.sub(0.9, 1.0)))

    staged.add(file.place, lambda target: file.write(target, progress.sub(0.0, 0.4)), check)
    return WrittenFile(file.place.name, digests[0])


def _stage_documents(staged: Staged, told: Mapping[str, Json], path: Path, printers: Mapping[str, Printer]) -> None:
    """Write certificate and report beside their places; `verify` finds the waiting certificate, too."""
    page = render(told)
    text = json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    waiting = path.with_name(path.name + CERTIFICATE + WAITING)
    staged.add_text(path.with_name(path.name + CERTIFICATE), text, beside=waiting)
    staged.add_text(path.with_name(path.name + REPORT), page)
    for suffix, printer in printers.items():
        staged.add(path.with_name(path.name + suffix), functools.partial(printer, page))


def _remove_outdated(path: Path, printers: Mapping[str, Printer]) -> None:
    """Take away the printed report of the release that was there before, unless it was printed anew."""
    if REPORT_PDF not in printers:
        with suppress(OSError):  # the release has left; a report that cannot be removed names its own checksum
            path.with_name(path.name + REPORT_PDF).unlink(missing_ok=True)
