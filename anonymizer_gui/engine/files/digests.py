"""Digests of long lists, taken piece by piece."""

import json
from collections.abc import Sequence
from typing import Protocol

_AT_ONCE = 1 << 14


class Digest(Protocol):
    """What bytes are fed to."""

    def update(self, data: bytes, /) -> None:
        """Take further bytes."""


def feed_list(digest: Digest, items: Sequence[object]) -> None:
    """Feed a list as JSON; written at once, a million items would keep every other thread waiting.

    >>> import hashlib
    >>> pieces, whole = hashlib.sha256(), hashlib.sha256(b'[["a", 1], ["b", 2]]')
    >>> feed_list(pieces, [("a", 1), ("b", 2)])
    >>> pieces.digest() == whole.digest()
    True
    """
    digest.update(b"[")
    for at in range(0, len(items), _AT_ONCE):
        piece = json.dumps(items[at : at + _AT_ONCE])[1:-1]
        digest.update(f"{', ' if at else ''}{piece}".encode())
    digest.update(b"]")
