"""Written beside the target, checked, placed together; as command line and script."""

import functools
import hashlib
import json
import os
import shlex
import subprocess
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import AnonymizerError, Infeasible
from anonymizer_gui.engine.core.messages import as_message, join_messages, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.releases.certificate import (
    CERTIFICATE,
    PRIVATE_COPY,
    REPORT,
    REPORT_PDF,
    WrittenFile,
    build_certificate,
    private_copy_text,
    read_certificate,
    seal_certificate,
)
from anonymizer_gui.engine.releases.interrupted_export import companion_names, finish_interrupted, pending_name
from anonymizer_gui.engine.releases.report import render_report
from anonymizer_gui.engine.releases.signing import SIGNATURE, SigningKey
from anonymizer_gui.engine.room import Check, OutputFile, ReleaseCandidate
from anonymizer_gui.engine.storage.saving import StagedFiles, encode_text
from anonymizer_gui.engine.storage.sources import checksum, files_of_sources, refuse_overwrite

_MOST_FINDINGS = 5


def check_text(check: Check) -> str:
    """Give the sentence and the first findings that are about no rows, such as rules that are not met."""
    more = [found.sentence for found in check.findings if not found.rows]
    told = [sentence for sentence in more if not check.sentence.startswith(sentence)]
    return join_messages(check.sentence, *told[:_MOST_FINDINGS])


Printer = Callable[[str, Path], None]
"""Makes a document of the report, which is given as HTML."""


class NotReady(AnonymizerError):
    """A check of the release is not green, and no reason was given to release it nevertheless."""


class GoalsNotMet(NotReady, Infeasible):
    """What was promised does not hold for the release as it leaves, alone or beside earlier releases."""


@dataclass(frozen=True, slots=True)
class ExportResult:
    """What was written, and the numbers measured after reading it back."""

    path: Path
    certificate: Path
    report: Path
    inside: Path
    sha256: str
    numbers: Mapping[str, Json]
    signer: str = ""
    """The public key of whoever signed it; empty when nobody did."""


def export(
    leaving: ReleaseCandidate,
    path: Path,
    progress: Progress = SILENT,
    printers: Mapping[str, Printer] | None = None,
    signer: SigningKey | None = None,
    own: Sequence[Path] = (),
) -> ExportResult:
    """Write the release with certificate and report; on any failure what was there before is untouched.

    Everything is written and checked beside its place first, and put there together at the end. The ledger knows
    of the release before it is there: a release it does not know would be worse than one that never left.
    `printers` make further documents of the report, each told by what is added to the name of the release; `signer`
    signs the certificate; what is read and what `own` names is never overwritten. Raises NotReady when a check fails
    and no reason is given, BadParameter, UnwritableFile, PromiseBroken, and Overtaken when another program enters a
    release into the ledger at the same time.
    """
    own = [*files_of_sources(leaving.release.project.sources().values()), *own]
    refuse_overwrite(target_paths(leaving.files(path)), own)
    leaving = leaving.checked_again()
    refuse_unready(leaving)
    finish_interrupted(path)
    earlier = _earlier_others(path)
    public = signer.public if signer else ""
    with StagedFiles() as staged:
        files = leaving.files(path)
        written = tuple(
            _stage_file(staged, file, progress.sub(0.9 * at / len(files), 0.9 * (at + 1) / len(files)))
            for at, file in enumerate(files)
        )
        told = build_certificate(leaving, path, written)
        documents = _stage_documents(staged, told, path, printers or {})
        inside = _stage_beside(staged, path, PRIVATE_COPY, private_copy_text(leaving, path), private=True)
        _stage_certificate(staged, seal_certificate(told, documents, inside, public), path, signer)
        progress(0.95, "Putting the release in its place")
        with leaving.entered(path, written[0].sha256):
            staged.place()
    _remove_others(earlier, {file.name for file in written}, own)
    _remove_outdated(path, [SIGNATURE] * (signer is None) + [REPORT_PDF] * (REPORT_PDF not in (printers or {})))
    placed, report, inside_place = (
        path.with_name(path.name + suffix) for suffix in (CERTIFICATE, REPORT, PRIVATE_COPY)
    )
    return ExportResult(
        path, placed, report, inside_place, written[0].sha256, told["numbers"], signer.public if signer else ""
    )


def target_paths(files: Sequence[OutputFile]) -> list[Path]:
    """List every name that is written when these files leave."""
    first, *others = [file.place for file in files]
    return [first, *others, *companion_names(first)]


def refuse_unready(leaving: ReleaseCandidate) -> None:
    failed = [check for check in leaving.checks if not check.holds and check.blocks]
    if not failed or leaving.reason.strip():
        return
    promised = [check for check in failed if check.is_promise]
    kind, first = (GoalsNotMet, promised[0]) if promised else (NotReady, failed[0])
    raise kind(
        message("The release is not ready: {why}", why=as_message(check_text(first))),
        "Mend it, or give a reason that will stand in the report.",
    )


def _stage_file(staged: StagedFiles, file: OutputFile, progress: Progress) -> WrittenFile:
    """Write one file beside its place, have it read back and measured again; give its checksum."""
    digests = []

    def check(temporary: Path) -> None:
        file.check(temporary, progress.sub(0.4, 0.9))
        digests.append(checksum(temporary, progress.sub(0.9, 1.0)))

    staged.add(file.place, lambda target: file.write(target, progress.sub(0.0, 0.4)), check)
    return WrittenFile(file.place.name, digests[0])


def _stage_documents(
    staged: StagedFiles, told: Mapping[str, Json], path: Path, printers: Mapping[str, Printer]
) -> tuple[WrittenFile, ...]:
    """Write the report beside its place, as page and in print; give the checksums, which the certificate will hold."""
    page = render_report(told)
    printed = [_stage_print(staged, path, suffix, printer, page) for suffix, printer in printers.items()]
    return (_stage_beside(staged, path, REPORT, page), *printed)


def _stage_print(staged: StagedFiles, path: Path, suffix: str, printer: Printer, page: str) -> WrittenFile:
    place, digests = path.with_name(path.name + suffix), list[str]()

    def check(temporary: Path) -> None:
        digests.append(checksum(temporary))

    staged.add(place, functools.partial(printer, page), check, beside=pending_name(place))
    return WrittenFile(place.name, digests[0])


def _stage_certificate(staged: StagedFiles, told: Mapping[str, Json], path: Path, signer: SigningKey | None) -> None:
    """Write the certificate beside its place, its signature before it: whoever finds it waiting finds that, too."""
    text = json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    if signer is not None:
        _stage_beside(staged, path, SIGNATURE, signer.signed(encode_text(text)))
    _stage_beside(staged, path, CERTIFICATE, text)


def _stage_beside(staged: StagedFiles, path: Path, suffix: str, text: str, *, private: bool = False) -> WrittenFile:
    """Write a text that belongs to the release; it waits under a name by which `verify` finds it."""
    place = path.with_name(path.name + suffix)
    content = staged.add_text(place, text, beside=pending_name(place), private=private)
    return WrittenFile(place.name, hashlib.sha256(content).hexdigest())


def _remove_outdated(path: Path, suffixes: Sequence[str]) -> None:
    """Take away what belongs to the release that was there before and was not written anew."""
    for suffix in suffixes:
        with suppress(OSError):  # the release has left; `verify` tells that what is left is not of it
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def _earlier_others(path: Path) -> dict[Path, str]:
    """Give the further files of the release that was there before, such as its labels, as they were when it left."""
    with suppress(AnonymizerError, KeyError, TypeError, AttributeError, OSError):
        others = read_certificate(path.with_name(path.name + CERTIFICATE))[0]["release"]["others"]
        named = {name: digest for name, digest in others.items() if isinstance(name, str) and Path(name).name == name}
        return {path.with_name(name): str(digest) for name, digest in named.items() if name.startswith(path.stem)}
    return {}


def _remove_others(earlier: Mapping[Path, str], written: Collection[str], own: Sequence[Path]) -> None:
    """Take away what still is as it left with the earlier release, and would now lie beside one it does not tell of.

    What is read by now stays, whoever wrote it.
    """
    for place, digest in earlier.items():
        with suppress(OSError, AnonymizerError):
            refuse_overwrite([place], own)
            if place.name not in written and place.is_file() and not place.is_symlink() and checksum(place) == digest:
                place.unlink()


_SCRIPT = '''"""Run and export a saved project."""

import anonymizer_gui.engine as anonymizer

KEY_FILE = {key!r}  # for pseudonyms and the ledger; empty when there are none
LEDGER_FILE = {ledger!r}  # the releases this one is checked against; empty when there are none
SIGNING_FILE = {sign!r}  # the key that signs the certificate; empty when nobody signs
REASON = {reason!r}  # why a failed check is overridden; empty when none is

opened = anonymizer.open({project!r}{allowed})
release = anonymizer.run(opened)
exported = anonymizer.export(
    opened, release, {output!r}, key=KEY_FILE, ledger=LEDGER_FILE, reason=REASON, sign=SIGNING_FILE
)
print(f"{{exported.path}}: {{release.sentence()}}")
'''


def export_command(
    project: Path,
    output: Path,
    key: str = "",
    reason: str = "",
    ledger: str = "",
    sign: str = "",
    *,
    allow_database: bool = False,
) -> str:
    """Give the call that exports a saved project, quoted for the shell of this system."""
    # What begins with a dash would be taken for an option.
    place = str(project) if not str(project).startswith("-") else os.path.join(".", project)
    words = ["anonymizer-gui", "run", place]
    given = (("-o", str(output)), ("--key", key), ("--ledger", ledger), ("--sign", sign), ("--reason", reason))
    for option, value in given:
        if value.startswith("-"):
            words.append(f"{option}{value}" if option == "-o" else f"{option}={value}")
        elif value:
            words += [option, value]
    words += ["--allow-database"] if allow_database else []
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def export_script(
    project: Path,
    output: Path,
    key: str = "",
    reason: str = "",
    ledger: str = "",
    sign: str = "",
    *,
    allow_database: bool = False,
) -> str:
    """Give a script that exports a saved project with the engine as a library."""
    allowed = ", allow_database=True" if allow_database else ""
    files = {"key": key, "ledger": ledger, "sign": sign}
    return _SCRIPT.format(project=str(project), output=str(output), reason=reason, allowed=allowed, **files)
