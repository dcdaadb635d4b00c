"""Write a file so that the old one stays until the new one is whole and checked."""

import contextlib
import errno
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from anonymizer_gui.engine.errors import UnwritableFile

_ABANDONED_SECONDS = 600
_REASONS = {
    errno.ENOSPC: ("the disk is full", "Free some space or choose another disk."),
    errno.EDQUOT: ("your share of the disk is used up", "Free some space or choose another disk."),
    errno.EACCES: ("the folder does not allow it", "Choose a folder you may write to."),
    errno.EPERM: ("the folder does not allow it", "Choose a folder you may write to."),
    errno.EROFS: ("the disk is read-only", "Choose a folder you may write to."),
    errno.ENOENT: ("the folder does not exist", "Choose another folder."),
    errno.ENOTDIR: ("the folder does not exist", "Choose another folder."),
    errno.EISDIR: ("there is a folder of that name", "Choose another name."),
    errno.ENAMETOOLONG: ("the name is too long", "Choose a shorter name."),
    errno.EFBIG: ("the file would be larger than the disk allows", "Choose another disk."),
}


def _accept(path: Path) -> None:
    """Take the file as it was written."""


def replace_file(path: Path, write: Callable[[Path], None], check: Callable[[Path], None] = _accept) -> None:
    """Write beside the target, sync, check, rename; on any failure the old file is untouched.

    `write` and `check` get the temporary path, which has the same suffix. Raises UnwritableFile, or whatever
    `check` raises.
    """
    temporary = path.with_name(f".{path.stem}.{secrets.token_hex(4)}.partial{path.suffix}")
    try:
        _sweep(path)
        write(temporary)
        _sync(temporary)
        check(temporary)
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Replace a text file (UTF-8, line feeds as given); what was written is read back and compared."""
    content = text.encode("utf-8")

    def compare(temporary: Path) -> None:
        if temporary.read_bytes() != content:
            raise UnwritableFile(f"“{path.name}” could not be written in full.", "Choose another disk.")

    replace_file(path, lambda temporary: _write_all(temporary, content), compare)


def unwritable(path: Path, error: OSError) -> UnwritableFile:
    """Turn an error of the operating system into a sentence; the file's content is never part of it."""
    reason, hint = _REASONS.get(error.errno or 0, (f"{error.strerror or 'unknown reason'}", "Choose another place."))
    return UnwritableFile(f"“{path.name}” could not be written: {reason}.", hint)


def _write_all(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows cannot open a folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sweep(path: Path) -> None:
    """Remove what an interrupted run left beside the target long enough ago to be nobody's."""
    for leftover in path.parent.glob(f".{_literal(path.stem)}.????????.partial{_literal(path.suffix)}"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _ABANDONED_SECONDS:
                leftover.unlink()


def _literal(text: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in text)
