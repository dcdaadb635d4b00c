"""Ledgers of the version before: no seals, no chain, and of tables only which values a class holds."""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.releases.ledger_chain import Entry
from anonymizer_gui.engine.releases.ledger_file import MOST_ENTRIES

_ENTRY = ("name", "created", "sha256", "figures", "people", "classes", "key_check", "matched_by")
PART = "earlier"
"""The part under which the description stands that names the other parts."""


def earlier_entries(database: sqlite3.Connection, *, with_parts: bool) -> Iterator[Entry]:
    """Read the releases of an earlier ledger; raises ValueError for one that is not what was written."""
    numbers = database.execute("SELECT id FROM releases ORDER BY id LIMIT ?", (MOST_ENTRIES,)).fetchall()
    for (number,) in numbers:
        *stored, digest = database.execute(
            f"SELECT {', '.join(_ENTRY)}, digest FROM releases WHERE id = ?", (number,)
        ).fetchone()
        held = database.execute(
            "SELECT column, labels, classes, value FROM held WHERE release = ? ORDER BY rowid", (number,)
        ).fetchall()
        if with_parts and _digest(stored, held) != digest:
            raise ValueError
        name, created, sha256, figures = stored[:4]
        parts = _parts(stored, held) if with_parts else None
        yield Entry(int(number), FIRST_ROOM, name, created, sha256, json.loads(figures), parts=parts)


def _parts(stored: Sequence[str | bytes], held: Sequence[Sequence[str | bytes]]) -> dict[str, bytes]:
    """Give what was kept under names that a room knows."""
    described = {
        "key_check": stored[6],
        "matched_by": json.loads(stored[7]),
        "columns": [{"name": row[0], "labels": json.loads(row[1])} for row in held],
    }
    parts = {PART: json.dumps(described).encode(), "people": _bytes(stored[4]), "classes": _bytes(stored[5])}
    for number, row in enumerate(held):
        parts[f"classes{number}"], parts[f"values{number}"] = _bytes(row[2]), _bytes(row[3])
    return parts


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else bytes(content)


def _digest(entry: Sequence[str | bytes], held: Sequence[Sequence[str | bytes]]) -> str:
    """Give the SHA-256 of all that was written of a release."""
    digest = hashlib.sha256()
    for part in (*entry, *(part for row in held for part in row)):
        content = _bytes(part)
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()
