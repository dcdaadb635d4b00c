"""Refuses archives that were made to harm: unpacked size beyond reason, entries that lie over each other."""

import zipfile
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message

FREE_SIZE = 64 << 20
LARGEST_RATIO = 200
_LOCAL_HEADER = 30


def too_large(name: str) -> UnreadableFile:
    """Say that a file unpacks to far more than it holds."""
    return UnreadableFile(
        message("“{name}” unpacks to more than {ratio} times its size.", name=name, ratio=LARGEST_RATIO),
        "If you trust it, unpack it yourself and open the result.",
    )


def check_archive(path: Path) -> tuple[str, ...]:
    """Check a zip archive without unpacking it, and list its files; raises UnreadableFile."""
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, OSError):
        raise UnreadableFile(
            message("“{name}” is damaged.", name=path.name), "Fetch it again or save it anew."
        ) from None
    if sum(info.file_size for info in infos) > max(FREE_SIZE, LARGEST_RATIO * path.stat().st_size):
        raise too_large(path.name)
    last = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < last:
            raise UnreadableFile(
                message("“{name}” holds files that lie over each other.", name=path.name), "Do not trust it."
            )
        last = info.header_offset + _LOCAL_HEADER + info.compress_size
    return tuple(info.filename for info in infos if not info.is_dir())
