"""Whoever changes anything about a signed release is found; whoever signs nothing vouches for nothing."""

import hashlib
import json
import os
import random
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import AnonymizerError, MissingExtra, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.releases import signing
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.signing import (
    fingerprint,
    make_signing_key,
    parse_public_key,
    read_signing_key,
    verify_signature,
)
from anonymizer_gui.engine.releases.verification import RequiredSigner, verify_release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from tests.engine.rooms.microdata.making import hospital_release, hospital_rows

BESIDE = (".release.json", ".release.sig", ".report.html", ".report.pdf", ".inside.json")
Tampering = Callable[[Path], None]


def print_it(html: str, path: Path) -> None:
    path.write_bytes(b"%PDF " + html.encode() + b"%%EOF")


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Give a folder with a signed release, and the public key."""
    folder = tmp_path_factory.mktemp("signed")
    key = make_signing_key(folder / "key.pem")
    release, original = hospital_release()
    (folder / "out").mkdir()
    export(
        prepare_candidate(release, original, Safeguards()),
        folder / "out" / "out.csv",
        printers={".report.pdf": print_it},
        signer=key,
    )
    return folder / "out", key.public


@pytest.fixture
def out(signed: tuple[Path, str], tmp_path: Path) -> Path:
    """Copy the release to be tampered with."""
    shutil.copytree(signed[0], tmp_path / "copy")
    return tmp_path / "copy" / "out.csv"


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def is_found(path: Path, public: str) -> bool:
    try:
        return not verify_release(path, wanted=RequiredSigner(public, is_required=True)).holds
    except AnonymizerError:
        return True


def forged(change: Callable[[Any], None]) -> Tampering:
    """Change the certificate and make its own checksum right again, as every forger would."""

    def tamper(path: Path) -> None:
        certificate = beside(path, ".release.json")
        told = json.loads(certificate.read_text(encoding="utf-8"))
        change(told)
        told["sha256"] = certificate_digest(told)
        certificate.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    return tamper


def flipped(suffix: str, share: float) -> Tampering:
    def tamper(path: Path) -> None:
        file = beside(path, suffix)
        content = bytearray(file.read_bytes())
        at = int(share * (len(content) - 1))
        content[at] ^= 1 << random.Random(share).randrange(7)
        file.write_bytes(bytes(content))

    return tamper


def entry_changed(*names: Any, value: Any = "another") -> Tampering:
    def change(told: Any) -> None:
        for name in names[:-1]:
            told = told[name]
        told[names[-1]] = value

    return forged(change)


def signed_by_another(path: Path) -> None:
    key = make_signing_key(path.with_name("other.pem"))
    beside(path, ".release.sig").write_text(key.signed(beside(path, ".release.json").read_bytes()))


def named_and_signed_by_another(path: Path) -> None:
    key = make_signing_key(path.with_name("other.pem"))
    entry_changed("signer", value=key.public)(path)
    beside(path, ".release.sig").write_text(key.signed(beside(path, ".release.json").read_bytes()))


def raw_table(path: Path) -> None:
    """Put the raw table with names in the place of the release, with a certificate made to fit."""
    path.write_text("\n".join(",".join(row) for row in hospital_rows()))
    entry_changed("release", "sha256", value=hashlib.sha256(path.read_bytes()).hexdigest())(path)


def doubled_entry(path: Path) -> None:
    certificate = beside(path, ".release.json")
    text = certificate.read_text(encoding="utf-8")
    certificate.write_text(text.replace('{\n "format"', '{\n "room": "microdata",\n "format"', 1), encoding="utf-8")


def laid_out_anew(path: Path) -> None:
    certificate = beside(path, ".release.json")
    certificate.write_text(json.dumps(json.loads(certificate.read_text(encoding="utf-8"))), encoding="utf-8")


def with_signature(**changes: Any) -> Tampering:
    def tamper(path: Path) -> None:
        file = beside(path, ".release.sig")
        file.write_text(json.dumps(json.loads(file.read_text()) | changes))

    return tamper


TAMPERINGS: dict[str, Tampering] = {
    **{f"byte of {s or 'release'} at {i / 12:.2f}": flipped(s, i / 12) for s in ("", *BESIDE) for i in range(13)},
    **{
        f"entry {'.'.join(map(str, names))}": entry_changed(*names)
        for names in (
            ("release", "created"), ("release", "file"), ("source", "file"), ("source", "rows"),
            ("recipe", "seed"), ("recipe", "algorithm"), ("recipe", "title"), ("program", "numpy"), ("attacks",),
            ("warnings",), ("meetings",), ("suppression",), ("promises", 0, "title"), ("promises", 0, "sentence"),
            ("checks", 0, "sentence"), ("numbers", "md"), ("numbers", "lm"), ("loss_per_column",), ("override",),
            ("signer",), ("inside",), ("room",),
        )
    },
    "no signature": lambda path: beside(path, ".release.sig").unlink(),
    "an empty signature": lambda path: beside(path, ".release.sig").write_text(""),
    "signed by another": signed_by_another,
    "named and signed by another": named_and_signed_by_another,
    "no longer called signed": entry_changed("signer", value=""),
    "raw table": raw_table,
    "an entry twice": doubled_entry,
    "signature in capitals": with_signature(signature="AB" * 64),
    "signature of nothing": with_signature(signature="00" * 64),
    "another algorithm": with_signature(algorithm="none"),
    "an entry more in the signature": with_signature(note="trust me"),
    "laid out anew": laid_out_anew,
    "report of another": lambda path: beside(path, ".report.html").write_text("<h1>Trust me</h1>"),
    "print of another": lambda path: beside(path, ".report.pdf").write_bytes(b"%PDF Trust me %%EOF"),
}  # fmt: skip


def test_there_are_a_hundred_tamperings() -> None:
    assert len(TAMPERINGS) >= 100


@pytest.mark.parametrize("name", TAMPERINGS)
def test_every_tampering_with_a_signed_release_is_found(signed: tuple[Path, str], out: Path, name: str) -> None:
    before = {path.name: path.read_bytes() for path in out.parent.iterdir()}
    TAMPERINGS[name](out)
    assert {path.name: path.read_bytes() for path in out.parent.iterdir()} != before
    assert is_found(out, signed[1])


def test_an_untouched_release_is_said_to_be_signed_and_by_whom(
    signed: tuple[Path, str], out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = verify_release(out, wanted=RequiredSigner(signed[1], is_required=True))
    assert (found.differences, found.unchecked, found.signer) == ((), (), signed[1])
    assert main(["verify", str(out), "--signer", signed[1], "--require-signature"]) == 0
    assert f"Signed by {fingerprint(signed[1])}." in capsys.readouterr().out


def test_another_signer_than_the_wanted_one_is_found(out: Path, tmp_path: Path) -> None:
    other = make_signing_key(tmp_path / "other.pem").public
    assert main(["verify", str(out), "--signer", other]) == 1
    (tmp_path / "other.txt").write_text(f"Public key: {other}\nFingerprint: {fingerprint(other)}\n")
    assert main(["verify", str(out), "--signer", str(tmp_path / "other.txt")]) == 1


def test_an_unsigned_release_is_said_to_be_unsigned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release, original = hospital_release()
    path = export(prepare_candidate(release, original, Safeguards()), tmp_path / "out.csv").path
    assert main(["verify", str(path)]) == 0
    assert "Unsigned: anybody could have made" in capsys.readouterr().out
    assert main(["verify", str(path), "--require-signature"]) == 1


def test_an_unsigned_release_over_a_signed_one_takes_its_signature_away(out: Path) -> None:
    release, original = hospital_release(seed=8)
    export(prepare_candidate(release, original, Safeguards()), out)
    assert sorted(path.name for path in out.parent.iterdir()) == [
        "out.csv", "out.csv.inside.json", "out.csv.release.json", "out.csv.report.html",
    ]  # fmt: skip
    assert verify_release(out).holds


def test_a_forged_document_that_the_certificate_does_not_know_is_found(tmp_path: Path) -> None:
    release, original = hospital_release()
    path = export(prepare_candidate(release, original, Safeguards()), tmp_path / "out.csv").path
    beside(path, ".report.pdf").write_bytes(b"%PDF Trust me %%EOF")
    assert verify_release(path).differences == ("“out.csv.report.pdf” does not belong to this release.",)


def test_without_its_inside_copy_and_report_a_release_still_verifies_and_says_what_it_did_not_see(out: Path) -> None:
    for suffix in (".inside.json", ".report.html"):
        beside(out, suffix).unlink()
    found = verify_release(out)
    assert found.holds
    assert found.unchecked == ("LM, which needs the inside copy", "“out.csv.report.html”, which is not there")


def test_the_commands_make_and_show_a_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", "new", "--to", str(tmp_path / "key.pem")]) == 0
    made = capsys.readouterr().out
    assert main(["keys", "show", str(tmp_path / "key.pem")]) == 0
    assert capsys.readouterr().out == made
    public = read_signing_key(tmp_path / "key.pem").public
    assert public in made
    (tmp_path / "public").write_text(made)
    assert parse_public_key(str(tmp_path / "public")) == parse_public_key(public.upper()) == public
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600
    assert main(["keys", "new", "--to", str(tmp_path / "key.pem")]) == 2
    with pytest.raises(UnwritableFile, match="never overwritten"):
        make_signing_key(tmp_path / "key.pem")


@pytest.mark.parametrize("content", [b"", b"x", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_a_file_that_is_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(UnreadableFile, match="not a signing key"):
        read_signing_key(tmp_path / "key")
    with pytest.raises(UnreadableFile):
        parse_public_key(str(tmp_path / "key"))


def test_where_nothing_can_check_signatures_that_is_said(
    out: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def missing() -> None:
        raise MissingExtra("Signatures need the package cryptography, which is not installed.", "Install it.")

    monkeypatch.setattr(signing, "_load_library", missing)
    assert not verify_release(out).holds
    with pytest.raises(MissingExtra, match="cryptography"):
        verify_release(out, wanted=RequiredSigner(is_required=True))
    with pytest.raises(MissingExtra, match="cryptography"):
        make_signing_key(tmp_path / "key.pem")


def test_a_signature_is_over_the_exact_bytes(tmp_path: Path) -> None:
    key = make_signing_key(tmp_path / "key.pem")
    (tmp_path / "sig").write_text(key.signed(b"told"))
    assert verify_signature(tmp_path / "sig", b"told") == key.public
    assert verify_signature(tmp_path / "sig", b"told ") == ""
