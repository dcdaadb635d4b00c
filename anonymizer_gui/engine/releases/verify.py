"""Measure a release again and compare it with its certificate, and tell who vouches for it: what differs is told."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.errors import AnonymizerError, MissingExtra, UnreadableFile
from anonymizer_gui.engine.files.partials import sweep
from anonymizer_gui.engine.files.source import checksum, is_on_another_computer
from anonymizer_gui.engine.files.table_files import digest_of, files_of
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.releases.certificate import INSIDE, certificate_bytes, certificate_in, damaged, read_inside
from anonymizer_gui.engine.releases.signing import fingerprint
from anonymizer_gui.engine.releases.waiting import DOCUMENTS, certificate_of, found_as, signed_by
from anonymizer_gui.engine.room import Findings, room_of
from anonymizer_gui.engine.words import Sentence, say

_NONSENSE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, csv.Error)
"""What a room meets when certificate and release are of a stranger, and not what they should be."""


@dataclass(frozen=True, slots=True)
class Signer:
    """Who must have signed a release for it to be taken."""

    public: str = ""
    """The public key; empty takes anybody's."""
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found: nothing when the file is what its certificate says."""

    certificate: Path
    differences: tuple[str, ...]
    unchecked: tuple[str, ...]
    numbers: Mapping[str, Json]
    signer: str = ""
    """The public key of whoever signed it; empty when nobody did."""

    @property
    def holds(self) -> bool:
        """Whether the release is what its certificate says."""
        return not self.differences

    @property
    def signed(self) -> Sentence:
        """Say who vouches for the release."""
        if not self.signer:
            return say("Unsigned: anybody could have made this release and its certificate.")
        return say("Signed by {who}.", who=fingerprint(self.signer))


def verify(
    path: Path, certificate: Path | None = None, progress: Progress = SILENT, wanted: Signer | None = None
) -> Verification:
    """Measure a release again against its certificate, which lies beside it unless it is given.

    What an export that was killed has left half-written beside it is swept.
    Raises UnreadableFile when there is no certificate or the release cannot be read at all, MissingExtra when a
    signature is there and nothing that can check it.
    """
    sweep(path)
    beside = certificate or certificate_of(path)
    content = certificate_bytes(beside)
    told, is_unchanged = certificate_in(content, beside)
    try:
        if not path.is_file():
            raise UnreadableFile(say("There is no file “{name}”.", name=path.name), "Check the name and the folder.")
        changed = () if is_unchanged else (say("The certificate has been changed since it was written."),)
        signer, forged = _signature(path, told, content, wanted or Signer())
        differences = (*changed, *forged, *_other_files(path, told))
        found = _measured(path, told, progress)
        unchecked = (*found.unchecked, *_unseen(path, told))
        return Verification(beside, (*differences, *found.differences), unchecked, found.numbers, signer)
    except AnonymizerError:
        raise
    except _NONSENSE:
        raise damaged(beside) from None


def _signature(
    path: Path, told: Mapping[str, Json], content: bytes, wanted: Signer
) -> tuple[str, tuple[Sentence, ...]]:
    """Give who signed the bytes of the certificate, and what is wrong about it."""
    named = str(told.get("signer", ""))
    try:
        signer = signed_by(path, content) if named else ""
    except MissingExtra:
        if wanted.public or wanted.is_required:
            raise
        return "", (say("The release is signed, and the package cryptography, which can check that, is missing."),)
    if named and not signer:
        return "", (say("The signature is forged or missing: {who} has not signed this.", who=fingerprint(named)),)
    if signer != named:
        return "", (say("The signature is forged: it is not of the key that the certificate names."),)
    if not signer and (wanted.public or wanted.is_required):
        return "", (say("The release is not signed."),)
    if wanted.public and signer != wanted.public:
        return signer, (say("The release is signed by another key, {who}.", who=fingerprint(signer)),)
    return signer, ()


def _other_files(path: Path, told: Mapping[str, Json]) -> Iterator[Sentence]:
    """Tell the files of the release and its documents that are others than those the certificate speaks of."""
    release = told["release"]
    if checksum(path) != release["sha256"]:
        yield say("The file's checksum (SHA-256) is another one.")
    for name, digest in release["others"].items():
        if checksum(path.with_name(Path(name).name)) != digest:
            yield say("The checksum (SHA-256) of “{name}” is another one.", name=name)
    documents = release.get("documents", {})
    for name, digest in documents.items():
        place = path.with_name(Path(name).name)
        if place.exists() and found_as(place, digest) is None:
            yield say("The checksum (SHA-256) of “{name}” is another one.", name=name)
    for place in _documents_of(path) if documents else ():
        if place.exists() and place.name not in documents:
            yield say("“{name}” does not belong to this release.", name=place.name)
    inside = path.with_name(path.name + INSIDE)
    if told.get("inside") and inside.exists() and found_as(inside, told["inside"]) is None:
        yield say("“{name}” does not belong to this release.", name=inside.name)


def _unseen(path: Path, told: Mapping[str, Json]) -> Iterator[Sentence]:
    """Tell the documents that could not be compared: not there, or not named by a certificate of an earlier version."""
    documents = told["release"].get("documents", {})
    for name, digest in documents.items():
        place = path.with_name(Path(name).name)
        if not place.exists() and found_as(place, digest) is None:
            yield say("“{name}”, which is not there", name=name)
    for place in _documents_of(path) if not documents else ():
        if place.exists():
            yield say("“{name}”, of which the certificate holds no checksum", name=place.name)


def _documents_of(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in DOCUMENTS]


def _measured(path: Path, told: Mapping[str, Json], progress: Progress) -> Findings:
    """Have the room measure the release again, with the inside copy where it lies beside."""
    place = path.with_name(path.name + INSIDE)
    found = found_as(place, str(told.get("inside", "")))
    inside = None if found is None else read_inside(found)
    findings = room_of(str(told["room"])).verify(path, {**told, "inside": inside}, progress.sub(0.0, 0.9))
    if inside is None:
        return findings
    moved = tuple(
        say("the source “{name}”, which is not there as it was", name=Path(source["path"]).name)
        for source in inside["sources"].values()
        if source["sha256"] and source["path"] and not _is_same(Path(source["path"]), source["sha256"], progress)
    )
    return Findings(findings.differences, (*findings.unchecked, *moved), findings.numbers)


def _is_same(path: Path, digest: str, progress: Progress) -> bool:
    """Compare what an inside copy names on this machine; it may be as large as any, so this can be stopped."""
    try:
        return not is_on_another_computer(path) and digest_of(files_of(str(path)), progress.sub(0.9, 1.0)) == digest
    except UnreadableFile:
        return False
