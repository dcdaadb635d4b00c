"""Keyed numbers of texts that add up to a fingerprint: whoever lacks the key can neither guess nor compare them."""

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress

Lanes = npt.NDArray[np.uint64]
_AT_ONCE = 1 << 14


def keyed_marks(labels: Sequence[str], name: str, key: bytes, progress: Progress = SILENT) -> Lanes:
    """Give every label two keyed numbers; those of another name are others."""
    prefix = len(name.encode()).to_bytes(4, "big") + name.encode()
    digests = bytearray()
    for at, label in enumerate(labels):
        if at % _AT_ONCE == 0:
            progress.check()
        content = prefix + label.encode("utf-8", "surrogatepass")
        digests += hashlib.blake2b(content, key=key, digest_size=16).digest()
    return np.frombuffer(bytes(digests), dtype="<u8").astype(np.uint64).reshape(-1, 2).T


def mixed(rows: Lanes) -> Lanes:
    """Spread every bit over all others, so that rows do not cancel out (the end of splitmix64)."""
    with np.errstate(over="ignore"):
        rows = (rows ^ (rows >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        rows = (rows ^ (rows >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(rows ^ (rows >> np.uint64(31)))
