"""Measure a release again and compare it with its certificate: what differs is told."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.errors import AnonymizerError, UnreadableFile
from anonymizer_gui.engine.files.partials import sweep
from anonymizer_gui.engine.files.source import checksum
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.releases.certificate import CERTIFICATE, WAITING, damaged, read_certificate
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.words import say


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found: nothing when the file is what its certificate says."""

    certificate: Path
    differences: tuple[str, ...]
    unchecked: tuple[str, ...]
    numbers: Mapping[str, Json]

    @property
    def holds(self) -> bool:
        """Whether the release is what its certificate says."""
        return not self.differences


def verify(path: Path, certificate: Path | None = None, progress: Progress = SILENT) -> Verification:
    """Measure a release again against its certificate, which lies beside it unless it is given.

    What an export that was killed has left half-written beside it is swept.
    Raises UnreadableFile when there is no certificate or the release cannot be read at all.
    """
    sweep(path)
    beside = certificate or certificate_of(path)
    told, is_unchanged = read_certificate(beside)
    try:
        return _compared(path, beside, told, is_unchanged=is_unchanged, progress=progress)
    except AnonymizerError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError):
        raise damaged(beside) from None


def certificate_of(path: Path) -> Path:
    """Find the certificate; an export that was killed at its very end has left the right one waiting."""
    placed = path.with_name(path.name + CERTIFICATE)
    waiting = path.with_name(path.name + CERTIFICATE + WAITING)
    with contextlib.suppress(AnonymizerError, KeyError, TypeError, OSError):
        is_there = waiting.is_file() and path.is_file()
        if is_there and read_certificate(waiting)[0]["release"]["sha256"] == checksum(path):
            return waiting
    return placed


def _compared(
    path: Path, beside: Path, told: Mapping[str, Json], *, is_unchanged: bool, progress: Progress
) -> Verification:
    if not path.is_file():
        raise UnreadableFile(say("There is no file “{name}”.", name=path.name), "Check the name and the folder.")
    differences = [] if is_unchanged else [say("The certificate has been changed since it was written.")]
    if checksum(path) != told["release"]["sha256"]:
        differences.append(say("The file's checksum (SHA-256) is another one."))
    for name, digest in told["release"]["others"].items():
        if checksum(path.with_name(Path(name).name)) != digest:
            differences.append(say("The checksum (SHA-256) of “{name}” is another one.", name=name))
    found = room_of(str(told["room"])).verify(path, told, progress)
    return Verification(beside, (*differences, *found.differences), found.unchecked, found.numbers)
