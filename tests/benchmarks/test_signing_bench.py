"""What a signature adds to an export and to its verification: less than 50 ms."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.signing import make_signing_key, read_signing_key
from anonymizer_gui.engine.releases.verification import RequiredSigner, verify_release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from tests.engine.rooms.microdata.making import hospital_release

pytestmark = pytest.mark.bench
TIMES = 25
LONGEST_MS = 50


def milliseconds(plain: Callable[[], object], signed: Callable[[], object]) -> tuple[float, float]:
    """Call both in turn; give the middle time of each."""
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(TIMES):
        for times, call in zip(found, (plain, signed), strict=True):
            started = time.perf_counter()
            call()
            times.append(1000 * (time.perf_counter() - started))
    return median(found[0]), median(found[1])


def test_a_signature_adds_little_to_export_and_verification(tmp_path: Path) -> None:
    release, original = hospital_release(2000)
    leaving = prepare_candidate(release, original, Safeguards())
    public = make_signing_key(tmp_path / "key.pem").public
    bare, signed = tmp_path / "bare.csv", tmp_path / "signed.csv"
    exporting = milliseconds(
        lambda: export(leaving, bare), lambda: export(leaving, signed, signer=read_signing_key(tmp_path / "key.pem"))
    )
    verifying = milliseconds(
        lambda: verify_release(bare), lambda: verify_release(signed, wanted=RequiredSigner(public, is_required=True))
    )
    for what, (without, with_it) in (("export", exporting), ("verification", verifying)):
        ratio = with_it / without
        sys.stdout.write(f"\n{what}: {without:.1f} ms, signed {with_it:.1f} ms (x {ratio:.2f})\n")
        assert with_it - without < LONGEST_MS
