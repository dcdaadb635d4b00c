"""The certificate of a release (`release.json`): checksum, promises, checks, and how it was made; and its inside copy.

No value of the source that is not published stands in the certificate. What would confirm guesses stands in the inside
copy, which is never published; the certificate holds only a checksum of it, which tells nothing: a secret number that
nobody can guess is part of it.
"""

import hashlib
import json
import platform
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import ReleaseCandidate
from anonymizer_gui.engine.storage.json_io import parse_strict
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.sources import FOLDER, Source, is_address

CERTIFICATE = ".release.json"
PENDING = ".new"
"""Added to the name of a certificate until its release is in its place."""
REPORT = ".report.html"
REPORT_PDF = ".report.pdf"
FORMAT = "anonymizer release"
VERSION = 3
"""2 had no names of checks; 1 knew only tables."""
_LARGEST_BYTES = 64 << 20
PRIVATE_COPY = ".inside.json"
_INSIDE_FORMAT = "anonymizer inside copy"
_INSIDE_BYTES = 256 << 20
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file of the release as it was written."""

    name: str
    sha256: str


def build_certificate(leaving: ReleaseCandidate, path: Path, written: tuple[WrittenFile, ...]) -> dict[str, Json]:
    """Write down what left, what it promises, and how it was made; the report is rendered from this."""
    release, failed = leaving.release, [check for check in leaving.checks if not check.holds and check.blocks]
    return {
        "format": FORMAT,
        "version": VERSION,
        "room": release.project.room,
        "release": {
            "file": written[0].name,
            "sha256": written[0].sha256,
            "created": release.created,
            "others": {file.name: file.sha256 for file in written[1:]},
        },
        "promises": [promise.to_json() for promise in leaving.promises],
        "checks": [check.to_json() for check in leaving.checks],
        "override": {"reason": leaving.reason.strip(), "failed": [f"{c.title}: {c.sentence}" for c in failed]}
        if failed
        else None,
        "numbers": dict(leaving.numbers),
        "program": {
            "anonymizer": release.version,
            "python": platform.python_version(),
            # What was not loaded had no part in it, and takes long to be asked.
            **{name: str(sys.modules[name].__version__) for name in ("numpy", "pandas") if name in sys.modules},
        },
        **leaving.told(path),
    }


def seal_certificate(
    told: Mapping[str, Json], documents: tuple[WrittenFile, ...], inside: WrittenFile, signer: str = ""
) -> dict[str, Json]:
    """Close a certificate over the documents beside the release, the inside copy, and who will sign it."""
    release = {**told["release"], "documents": {file.name: file.sha256 for file in documents}}
    whole = {**told, "release": release, "inside": inside.sha256, "signer": signer}
    return {**whole, "sha256": certificate_digest(whole)}


def certificate_digest(told: Mapping[str, Json]) -> str:
    """Give the SHA-256 of all entries of a certificate but this one, so that a change of any of them is found."""
    entries = {name: entry for name, entry in told.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()


def read_certificate(path: Path) -> tuple[Mapping[str, Json], bool]:
    """Read a certificate, as this version writes it, and say whether it is unchanged since it was written.

    Raises UnreadableFile with one sentence.
    """
    return parse_certificate(certificate_bytes(path), path)


def certificate_bytes(path: Path) -> bytes:
    """Read the bytes of a certificate, which are what is signed; raises UnreadableFile."""
    if not path.exists():
        raise UnreadableFile(
            message("There is no certificate “{name}” beside the release.", name=path.name),
            "Put it there, or name it with --certificate.",
        )
    return read_regular(path, _LARGEST_BYTES)


def parse_certificate(content: bytes, path: Path) -> tuple[Mapping[str, Json], bool]:
    """Take the certificate out of the bytes of its file; raises UnreadableFile, also where an entry stands twice."""
    try:
        told = parse_strict(content)
    except (ValueError, RecursionError):
        raise damaged_certificate(path) from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise UnreadableFile(
            message("“{name}” is not a certificate of a release.", name=path.name),
            "Choose the release.json of the file.",
        )
    is_unchanged = told.get("sha256") == certificate_digest(told)
    if told.get("version") not in (1, 2, VERSION):
        raise UnreadableFile(
            message("“{name}” was written by a newer version.", name=path.name), "Install the newer version."
        )
    return (_migrated(told, path) if told["version"] == 1 else told), is_unchanged


def damaged_certificate(path: Path) -> UnreadableFile:
    """Say that a certificate cannot be used."""
    return UnreadableFile(
        message("The certificate “{name}” is damaged.", name=path.name), "Ask for it again where the release came from."
    )


def _migrated(told: dict[str, Json], path: Path) -> dict[str, Json]:
    """Give the entries of the first version, which knew only tables, under the names they have now."""
    try:
        release = told["release"]
        written = {name: release[name] for name in ("options", "columns")}
        promises = [{**goal, "name": goal["model"]} for goal in told["goals"]]
    except (KeyError, TypeError):
        raise damaged_certificate(path) from None
    return {**told, "room": FIRST_ROOM, "release": {**release, "others": {}}, "written": written, "promises": promises}


def private_copy_text(leaving: ReleaseCandidate, path: Path) -> str:
    """Write down where the data came from, and what the room keeps inside."""
    told = {
        "format": _INSIDE_FORMAT,
        "version": 1,
        "note": "Never publish this file: it confirms what the release hides.",
        "secret": secrets.token_hex(_SECRET_BYTES),
        "sources": {role: _place(source) for role, source in leaving.release.project.sources().items()},
        **leaving.inside(path),
    }
    return json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read_private_copy(path: Path) -> Mapping[str, Json]:
    """Read an inside copy whose checksum is known to be right; raises UnreadableFile, ValueError."""
    told = parse_strict(read_regular(path, _INSIDE_BYTES))
    if not isinstance(told, dict) or told.get("format") != _INSIDE_FORMAT:
        raise ValueError
    return told


def _place(source: Source) -> dict[str, Json]:
    path = "" if is_address(source.path) or not source.path else str(Path(source.path).absolute())
    # The checksum of many files is that of no file: nothing could be compared with it.
    return {"path": path, "sha256": "" if source.options.get(FOLDER) else source.sha256}
