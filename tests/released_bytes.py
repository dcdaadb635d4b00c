"""The bytes of a release that this program decides about."""

import zipfile
from pathlib import Path


def written_bytes(path: Path) -> bytes:
    """Give a file's bytes; of a workbook those of its parts, as other versions of zlib may pack them otherwise."""
    if path.suffix != ".xlsx":
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        parts = [(repr((part.filename, part.date_time, part.compress_type)), part) for part in archive.infolist()]
        return b"\0".join(told.encode() + b"\0" + archive.read(part) for told, part in parts)
