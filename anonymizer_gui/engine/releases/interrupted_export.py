"""Files that belong to a release and wait beside their places while an export is under way, or since it was killed."""

import contextlib
from pathlib import Path

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.releases.certificate import (
    CERTIFICATE,
    PENDING,
    PRIVATE_COPY,
    REPORT,
    REPORT_PDF,
    certificate_bytes,
    read_certificate,
)
from anonymizer_gui.engine.releases.signing import SIGNATURE, verify_signature
from anonymizer_gui.engine.storage.saving import lock_if_abandoned, write_error
from anonymizer_gui.engine.storage.sources import checksum

DOCUMENTS = (REPORT, REPORT_PDF)
COMPANIONS = (*DOCUMENTS, PRIVATE_COPY, SIGNATURE, CERTIFICATE)
"""What lies beside a release, told by what is added to its name."""


def pending_name(place: Path) -> Path:
    """Give the name under which a file waits until its release is in its place."""
    return place.with_name(place.name + PENDING)


def companion_names(path: Path) -> list[Path]:
    """List the names beside a release that are written with it, also while they wait."""
    placed = [path.with_name(path.name + suffix) for suffix in COMPANIONS]
    return [*placed, *map(pending_name, placed)]


def find_certificate(path: Path) -> Path:
    """Find the certificate; an export that was killed at its very end has left the right one waiting."""
    placed = path.with_name(path.name + CERTIFICATE)
    waiting = pending_name(placed)
    with contextlib.suppress(AnonymizerError, KeyError, TypeError, OSError):
        is_there = waiting.is_file() and path.is_file()
        if is_there and read_certificate(waiting)[0]["release"]["sha256"] == checksum(path):
            return waiting
    return placed


def find_by_checksum(place: Path, digest: str) -> Path | None:
    """Find the file of this checksum, in its place or waiting beside it."""
    for candidate in (place, pending_name(place)):
        if candidate.is_file() and checksum(candidate) == digest:
            return candidate
    return None


def signed_by(path: Path, content: bytes) -> str:
    """Give the public key of whoever signed these bytes, by the signature beside a release or the one that waits."""
    place = path.with_name(path.name + SIGNATURE)
    found = (verify_signature(candidate, content) for candidate in (place, pending_name(place)) if candidate.is_file())
    return next(filter(None, found), "")


def finish_interrupted(path: Path) -> None:
    """Put in its place what waits since an export was killed: ours will wait under the same names."""
    found = find_certificate(path)
    if not found.name.endswith(PENDING):
        return
    try:
        for suffix in COMPANIONS:  # the certificate last: until then it is found waiting, and all that it names
            place = path.with_name(path.name + suffix)
            if _belongs(path, suffix, found):
                _put_if_abandoned(pending_name(place), place)
    except OSError as error:
        raise write_error(path, error) from error


def _belongs(path: Path, suffix: str, certificate: Path) -> bool:
    """Tell whether what waits is what a certificate speaks of."""
    place = path.with_name(path.name + suffix)
    waiting = pending_name(place)
    if not waiting.is_file():
        return False
    if suffix == CERTIFICATE:
        return True
    if suffix == SIGNATURE:
        return bool(verify_signature(waiting, certificate_bytes(certificate)))
    told = read_certificate(certificate)[0]
    digest = told.get("inside") if suffix == PRIVATE_COPY else told["release"].get("documents", {}).get(place.name)
    return digest == checksum(waiting)


def _put_if_abandoned(waiting: Path, place: Path) -> None:
    with lock_if_abandoned(waiting) as is_abandoned:
        if is_abandoned:
            waiting.replace(place)
