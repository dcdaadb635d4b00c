"""Releases are, byte for byte, those that earlier versions gave for the same call.

`tests/data/same_bytes.json` holds the calls and what came out. An entry is only ever changed together with a line in
the CHANGELOG that says why the same settings give another release now.
"""

import hashlib
import json
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from tests.released_bytes import written_bytes

DATA = Path(__file__).resolve().parent / "data"
CALLS: dict[str, dict[str, str]] = json.loads((DATA / "same_bytes.json").read_text(encoding="utf-8"))


def test_the_calls_take_all_samples_and_many_settings() -> None:
    assert len(CALLS) >= 10
    assert len({entry["call"] for entry in CALLS.values()}) == len(CALLS)
    assert len({entry["sha256"] for entry in CALLS.values()}) == len(CALLS)
    for sample in ("lecture", "hospital", "census"):
        assert sum(sample in entry["call"] for entry in CALLS.values()) >= 3


@pytest.mark.parametrize("name", CALLS)
def test_a_call_gives_the_bytes_it_gave(name: str, tmp_path: Path) -> None:
    call, out = CALLS[name]["call"], tmp_path / CALLS[name]["file"]
    places = {"samples": resource_path("samples"), "earlier": DATA / "earlier", "key": DATA / "earlier" / "key"}
    words = [word.format(**places) for word in call.split(" ")]
    assert main([*words, "-o", str(out)]) == 0
    assert hashlib.sha256(written_bytes(out)).hexdigest() == CALLS[name]["sha256"]
