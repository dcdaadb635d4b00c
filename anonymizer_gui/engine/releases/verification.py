"""Verification of a release: every entry of its certificate is measured again, or named as not measured.

The room gives the entries that follow from the bytes of the release and the parameters in the certificate, its promises
composed anew; they are compared here, once for all rooms. An entry that is neither measured nor named makes a
certificate unreadable.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import AnonymizerError, MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.releases.certificate import (
    PRIVATE_COPY,
    VERSION,
    certificate_bytes,
    damaged_certificate,
    parse_certificate,
    read_private_copy,
)
from anonymizer_gui.engine.releases.entry_comparison import Comparison
from anonymizer_gui.engine.releases.interrupted_export import DOCUMENTS, find_by_checksum, find_certificate, signed_by
from anonymizer_gui.engine.releases.signing import fingerprint
from anonymizer_gui.engine.room import VerificationResult, room_of
from anonymizer_gui.engine.storage.saving import sweep_abandoned
from anonymizer_gui.engine.storage.sources import checksum, files_of_table, is_network_path, table_checksum

_NONSENSE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, csv.Error)
"""What a room meets when certificate and release are of a stranger, and not what they should be."""


@dataclass(frozen=True, slots=True)
class RequiredSigner:
    """Who must have signed a release for it to be taken."""

    public: str = ""
    """The public key; empty takes anybody's."""
    is_required: bool = False


_WORDS = ("title", "sentence", "stops", "leaves_open", "formula", "reference")
"""The entries of a promise that are wording: another version may word them differently."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result: without differences the release is what its certificate says, as far as it was measured."""

    certificate: Path
    differences: tuple[str, ...]
    unchecked: tuple[str, ...]
    numbers: Mapping[str, Json]
    signer: str = ""
    """The public key that signed it; empty when it is unsigned."""
    measured: tuple[str, ...] = ()
    """The entries of the certificate that were measured again, by dotted names."""
    not_measured: Mapping[str, str] = field(default_factory=dict)
    """The entries that were taken from the certificate, by dotted names, each with what it is."""
    exceptions: tuple[Message, ...] = ()
    """The checks that had failed when it was released."""
    other_version: str = ""
    """The version of the program that wrote the certificate, where it is not this one."""

    @property
    def holds(self) -> bool:
        """Whether the release is what its certificate says."""
        return not self.differences

    @property
    def verdict(self) -> Message:
        """Say in one sentence whether the release is what its certificate says, exceptions included."""
        if not self.holds:
            return message("The release is not what its certificate says.")
        if self.exceptions:
            return message(
                "The release is what its certificate says, but it was released although {n:check|checks} had failed: "
                "{titles}.",
                n=len(self.exceptions),
                titles=tuple(exception.values["title"] for exception in self.exceptions),
            )
        if self.other_version:
            return message(
                "The release is what its certificate says. Version {version} wrote it: its wording was not compared.",
                version=self.other_version,
            )
        return message("The release is what its certificate says.")

    @property
    def taken(self) -> Message | None:
        """Say which entries were taken from the certificate without being measured."""
        what = tuple(dict.fromkeys(self.not_measured.values()))
        return message("Taken from the certificate, not measured: {what}.", what=what) if what else None

    @property
    def signed(self) -> Message:
        """Say who vouches for the release."""
        if not self.signer:
            return message("Unsigned: anybody could have made this release and its certificate.")
        return message("Signed by {who}.", who=fingerprint(self.signer))


def verify_release(
    path: Path, certificate: Path | None = None, progress: Progress = SILENT, wanted: RequiredSigner | None = None
) -> Verification:
    """Measure a release again against its certificate, which lies beside it unless it is given.

    What an export that was killed has left half-written beside it is swept.
    Raises UnreadableFile when there is no certificate or the release cannot be read at all, MissingExtra when a
    signature is there and nothing that can check it.
    """
    sweep_abandoned(path)
    beside = certificate or find_certificate(path)
    content = certificate_bytes(beside)
    told, is_unchanged = parse_certificate(content, beside)
    try:
        if not path.is_file():
            raise UnreadableFile(
                message("There is no file “{name}”.", name=path.name), "Check the name and the folder."
            )
        changed = () if is_unchanged else (message("The certificate has been changed since it was written."),)
        signer, forged = _signature(path, told, content, wanted or RequiredSigner())
        differences = (*changed, *forged, *_other_files(path, told))
        findings = _measured(path, told, progress)
        compared = _compare(told, findings)
        measured, not_measured, unknown = compared.labelled(_reasons(told, findings))
        if unknown:
            raise UnreadableFile(
                message("The certificate has the entry “{name}”, which is unknown here.", name=unknown[:80]),
                "Ask for it again where the release came from.",
            )
        return Verification(
            beside,
            tuple(dict.fromkeys((*differences, *findings.differences, *compared.differences))),
            (*findings.unchecked, *_unseen(path, told)),
            findings.numbers,
            signer,
            measured,
            not_measured,
            _exceptions(told),
            "" if _is_current(told) else str(told.get("program", {}).get("anonymizer", "?")),
        )
    except AnonymizerError:
        raise
    except _NONSENSE:
        raise damaged_certificate(beside) from None


def _is_current(told: Mapping[str, Json]) -> bool:
    """Tell whether this version wrote the certificate: then every word of it can be composed anew."""
    return bool(told["version"] == VERSION and told["program"]["anonymizer"] == __version__)


def _compare(told: Mapping[str, Json], findings: VerificationResult) -> Comparison:
    """Compare what the room measured with the certificate, entry by entry, and the checks that were run again."""
    _refuse_texts(told["numbers"])
    listed = {(check.get("name", place), check.get("title")) for place, check in enumerate(told["checks"])}
    if len(listed) < len(told["checks"]):
        raise ValueError("a check that is listed twice")
    is_current, expected = _is_current(told), dict(findings.expected)
    if is_current and "signer" not in told:
        raise ValueError("a certificate that does not say who signed it")
    compared = Comparison(told, is_strict=is_current)
    compared.mark("format", "version", "room", "sha256", "signer", "release.sha256", "release.others")
    compared.mark("release.documents", *findings.measured)
    if not is_current:
        expected["promises"] = [
            {name: entry for name, entry in promise.items() if name not in _WORDS}
            for promise in expected.get("promises", ())
        ]
    compared.compare(expected)
    for place, check in enumerate(told["checks"]):
        again = findings.checks.get(check.get("name", ""))
        if again is not None:
            compared.compare({"checks": {place: again.to_json() if is_current else {"holds": again.holds}}})
    if is_current:
        failed = [f"{check['title']}: {check['sentence']}" for check in told["checks"] if _blocked(check)]
        compared.compare({"override": {"failed": failed} if failed else None})
    return compared


def _refuse_texts(numbers: Json) -> None:
    """Raise ValueError where a number is written as text."""
    inner = numbers.values() if isinstance(numbers, dict) else numbers if isinstance(numbers, list) else ()
    for number in inner:
        if isinstance(number, str) and number.strip().lstrip("+-").replace(".", "", 1).isdigit():
            raise ValueError("a number as text")
        _refuse_texts(number)


def _blocked(check: Mapping[str, Json]) -> bool:
    return not check["holds"] and bool(check.get("blocks", True))


def _reasons(told: Mapping[str, Json], findings: VerificationResult) -> dict[str, str]:
    """Say what the entries are that no file can confirm, by dotted names."""
    reasons: dict[str, str] = {
        "release.file": message("file names and times"),
        "release.created": message("file names and times"),
        "program": message("the versions of the programs"),
        "inside": message("the checksum of the inside copy"),
        "override.reason": message("the reason of an exception"),
        **findings.not_measured,
    }
    if not _is_current(told):
        reasons[""] = message("what only the version that wrote the certificate knows")
    return reasons


def _exceptions(told: Mapping[str, Json]) -> tuple[Message, ...]:
    """List the checks that had failed when the release was made, each with the reason for releasing it nevertheless."""
    reason = str((told["override"] or {}).get("reason", ""))
    given = message("Reason given: {reason}", reason=reason)
    return tuple(
        message(
            "{title}: {sentence} {reason}" if reason and _blocked(check) else "{title}: {sentence}",
            title=message(check["title"]),
            sentence=message(check["sentence"]),
            reason=given,
        )
        for check in told["checks"]
        if not check["holds"]
    )


def _signature(
    path: Path, told: Mapping[str, Json], content: bytes, wanted: RequiredSigner
) -> tuple[str, tuple[Message, ...]]:
    """Give who signed the bytes of the certificate, and what is wrong about it."""
    named = str(told.get("signer", ""))
    try:
        signer = signed_by(path, content) if named else ""
    except MissingExtra:
        if wanted.public or wanted.is_required:
            raise
        return "", (message("The release is signed, and the package cryptography, which can check that, is missing."),)
    if named and not signer:
        return "", (message("The signature is forged or missing: {who} has not signed this.", who=fingerprint(named)),)
    if signer != named:
        return "", (message("The signature is forged: it is not of the key that the certificate names."),)
    if not signer and (wanted.public or wanted.is_required):
        return "", (message("The release is not signed."),)
    if wanted.public and signer != wanted.public:
        return signer, (message("The release is signed by another key, {who}.", who=fingerprint(signer)),)
    return signer, ()


def _other_files(path: Path, told: Mapping[str, Json]) -> Iterator[Message]:
    """Tell the files of the release and its documents that are others than those the certificate speaks of."""
    release = told["release"]
    if checksum(path) != release["sha256"]:
        yield message("The file's checksum (SHA-256) is another one.")
    for name, digest in release["others"].items():
        if checksum(path.with_name(Path(name).name)) != digest:
            yield message("The checksum (SHA-256) of “{name}” is another one.", name=name)
    documents = release.get("documents", {})
    for name, digest in documents.items():
        place = path.with_name(Path(name).name)
        if place.exists() and find_by_checksum(place, digest) is None:
            yield message("The checksum (SHA-256) of “{name}” is another one.", name=name)
    for place in _documents_of(path) if documents or _is_current(told) else ():
        if place.exists() and place.name not in documents:
            yield message("“{name}” does not belong to this release.", name=place.name)
    inside = path.with_name(path.name + PRIVATE_COPY)
    if told.get("inside") and inside.exists() and find_by_checksum(inside, told["inside"]) is None:
        yield message("“{name}” does not belong to this release.", name=inside.name)


def _unseen(path: Path, told: Mapping[str, Json]) -> Iterator[Message]:
    """Tell the documents that could not be compared: not there, or not named by a certificate of an earlier version."""
    documents = told["release"].get("documents", {})
    for name, digest in documents.items():
        place = path.with_name(Path(name).name)
        if not place.exists() and find_by_checksum(place, digest) is None:
            yield message("“{name}”, which is not there", name=name)
    for place in _documents_of(path) if not documents else ():
        if place.exists():
            yield message("“{name}”, of which the certificate holds no checksum", name=place.name)


def _documents_of(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in DOCUMENTS]


def _measured(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    """Have the room measure the release again, with the inside copy where it lies beside."""
    place = path.with_name(path.name + PRIVATE_COPY)
    found = find_by_checksum(place, str(told.get("inside", "")))
    inside = None if found is None else read_private_copy(found)
    findings = room_of(str(told["room"])).verify(path, {**told, "inside": inside}, progress.sub(0.0, 0.9))
    if inside is None:
        return findings
    moved = tuple(
        message("the source “{name}”, which is not there as it was", name=Path(source["path"]).name)
        for source in inside["sources"].values()
        if source["sha256"] and source["path"] and not _is_same(Path(source["path"]), source["sha256"], progress)
    )
    return replace(findings, unchecked=(*findings.unchecked, *moved), measured=(*findings.measured, "inside"))


def _is_same(path: Path, digest: str, progress: Progress) -> bool:
    """Compare what an inside copy names on this machine; it may be as large as any, so this can be stopped."""
    try:
        return not is_network_path(path) and table_checksum(files_of_table(str(path)), progress.sub(0.9, 1.0)) == digest
    except UnreadableFile:
        return False
