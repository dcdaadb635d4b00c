"""How delimited text was written, told from its bytes: what ends its lines, and whether every cell is quoted."""

import io
from pathlib import Path

_TAIL = 16


def line_end_of(path: Path) -> str:
    """Name what ends the last line of a file: `lf` or `crlf`."""
    with path.open("rb") as file:
        file.seek(-min(_TAIL, file.seek(0, io.SEEK_END)), io.SEEK_END)
        tail = file.read().replace(b"\0", b"")
    return "crlf" if tail.endswith(b"\r\n") else "lf"


def is_all_quoted(path: Path, encoding: str) -> bool:
    """Say whether the first cell of a file is quoted."""
    with path.open("r", encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="") as file:
        return file.read(1) == '"'
