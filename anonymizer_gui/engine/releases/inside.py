"""The inside copy of a release: what the house needs to prove it, and what would confirm guesses if it were published.

The certificate holds only a checksum of it, which tells nothing: a secret number that nobody can guess is part of it.
"""

import json
import secrets
from collections.abc import Mapping
from pathlib import Path

from anonymizer_gui.engine.files.regular import read_regular
from anonymizer_gui.engine.files.source import Source, is_address
from anonymizer_gui.engine.files.strict_json import read_strictly
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.room import Leaving

INSIDE = ".inside.json"
_FORMAT = "anonymizer inside copy"
_LARGEST_BYTES = 256 << 20
_SECRET_BYTES = 32


def inside_text(leaving: Leaving, path: Path) -> str:
    """Write down where the data came from, and what the room keeps inside."""
    told = {
        "format": _FORMAT,
        "version": 1,
        "note": "Never publish this file: it confirms what the release hides.",
        "secret": secrets.token_hex(_SECRET_BYTES),
        "sources": {role: _place(source) for role, source in leaving.release.project.sources().items()},
        **leaving.inside(path),
    }
    return json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read_inside(path: Path) -> Mapping[str, Json]:
    """Read an inside copy whose checksum is known to be right; raises UnreadableFile, ValueError."""
    told = read_strictly(read_regular(path, _LARGEST_BYTES))
    if not isinstance(told, dict) or told.get("format") != _FORMAT:
        raise ValueError
    return told


def _place(source: Source) -> dict[str, Json]:
    path = "" if is_address(source.path) or not source.path else str(Path(source.path).absolute())
    return {"path": path, "sha256": source.sha256}
