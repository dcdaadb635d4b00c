"""What an export needs beyond the project: the key file, the ledger, and the reason to override a failed check."""

from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.releases.ledger import Ledger
from anonymizer_gui.engine.storage.keys import read_key


@dataclass(frozen=True, slots=True, eq=False)
class Safeguards:
    """Key for pseudonyms and people, ledger of earlier releases, reason to release although a check fails."""

    key: bytes = b""
    ledger: Ledger | None = None
    reason: str = ""
    asks: bool = True
    """Whether decisions that are still open keep a release from leaving; a call in one line cannot be asked."""


def safeguards_from(key_file: str = "", ledger_file: str = "", reason: str = "") -> Safeguards:
    """Read the key, which is kept nowhere, and find the ledger; raises UnreadableFile."""
    key = read_key(Path(key_file)) if key_file else b""
    return Safeguards(key, Ledger(Path(ledger_file)) if ledger_file else None, reason)
