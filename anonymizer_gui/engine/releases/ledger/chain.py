"""Entries of a ledger sealed with a key and chained: whoever changes, removes or puts back one is found out."""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anonymizer_gui.engine.core.params import Json

FIRST_LINK = ""
"""Stands where the entry before would be."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One release the ledger remembers, or a spend: of which room and about what, with the parts only a room reads."""

    id: int
    room: str
    name: str
    created: str
    sha256: str
    figures: Mapping[str, Json]
    subject: str | None = None
    """What a budget is spent on, for rooms that spend."""
    spend: str | None = None
    """What was spent, as the room writes it."""
    parts: Mapping[str, bytes] | None = None
    """What the room keeps of it; None when that was not read."""


@dataclass(frozen=True, slots=True)
class Link:
    """How an entry hangs in the chain."""

    sealed_by: str
    """Tells which key it was sealed with."""
    previous: str
    mac: str
    withdrawn: str | None = None
    """Seals that the entry was taken out because the release did not leave."""


def key_check(key: bytes) -> str:
    """Give what tells one key from another and nothing else about it."""
    return hmac.digest(key, b"the key of this ledger", "sha256").hex()


def entry_mac(entry: Entry, previous: str, key: bytes) -> str:
    """Seal all that is written of an entry, and the one before it."""
    told: list[Json] = [entry.id, entry.room, entry.subject, entry.spend, entry.name, entry.created, entry.sha256]
    parts = sorted((entry.parts or {}).items())
    digests = [[name, hashlib.sha256(content).hexdigest()] for name, content in parts]
    return _mac(key, ["entry", *told, json.dumps(entry.figures, sort_keys=True), digests, previous])


def withdrawn_mac(link: Link, key: bytes) -> str:
    """Seal that an entry was taken out."""
    return _mac(key, ["withdrawn", link.mac])


def head_mac(ledger: str, entries: int, last: str, key: bytes) -> str:
    """Seal how long the chain is and which entry is its last."""
    return _mac(key, ["head", ledger, entries, last])


def is_intact(chain: Iterable[tuple[Entry, Link]], key: bytes) -> bool:
    """Tell whether entries follow each other, and those sealed with this key are as they were written."""
    last, own = FIRST_LINK, key_check(key)
    for entry, link in chain:
        if link.previous != last:
            return False
        if link.sealed_by == own and not _is_sealed(entry, link, key):
            return False
        last = link.mac
    return True


def _is_sealed(entry: Entry, link: Link, key: bytes) -> bool:
    if link.withdrawn is not None:
        return hmac.compare_digest(withdrawn_mac(link, key), link.withdrawn)
    return hmac.compare_digest(entry_mac(entry, link.previous, key), link.mac)


def _mac(key: bytes, told: Json) -> str:
    return hmac.digest(key, json.dumps(told, ensure_ascii=False).encode(), "sha256").hex()
