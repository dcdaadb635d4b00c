"""Frames: the plain bytes in which the process apart answers; nothing in them can run."""

import enum
import os
import struct
from typing import IO

_HEAD = struct.Struct("<BQ")


class Kind(enum.IntEnum):
    """What a frame holds."""

    BEGUN = 1
    PROGRESS = 2
    ERROR = 3
    ANSWER = 4
    TABLE = 5
    CODES = 6
    LABELS = 7
    END = 8


Frame = tuple[Kind, bytearray]


def send(handle: int, kind: Kind, payload: bytes | memoryview = b"") -> None:
    """Write one frame."""
    view = memoryview(payload).cast("B") if len(payload) else memoryview(b"")
    for part in (memoryview(_HEAD.pack(kind, len(view))), view):
        while part:
            part = part[os.write(handle, part) :]


def receive(stream: IO[bytes], most: int) -> Frame | None:
    """Read one frame, None when there is no whole one; raises ValueError for one that cannot be ours."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, size = _HEAD.unpack(head)
    if size > most:
        raise ValueError("a frame is larger than anything that was asked for")
    payload = bytearray(size)
    return (Kind(kind), payload) if _filled(stream, payload) else None


def _filled(stream: IO[bytes], payload: bytearray) -> bool:
    rest = memoryview(payload)
    while rest:
        taken = stream.readinto(rest)  # type: ignore[attr-defined]
        if not taken:
            return False
        rest = rest[taken:]
    return True
