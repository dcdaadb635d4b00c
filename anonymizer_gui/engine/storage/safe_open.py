"""Reads ordinary files only, and no more of them than is reasonable: devices and pipes have no end."""

import os
import stat
from pathlib import Path
from typing import IO

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.memory import free_memory
from anonymizer_gui.engine.core.messages import message

# A pipe that nobody writes into would keep `open` waiting, a terminal would become ours.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_SHARE_OF_FREE = 0.85


def open_regular(path: Path) -> IO[bytes]:
    """Open an ordinary file for reading; raises UnreadableFile for what is none, without waiting for it."""
    try:
        _refuse_others(path, os.stat(path).st_mode)
        handle = os.open(path, _FLAGS)
        try:
            _refuse_others(path, os.fstat(handle).st_mode)  # it may have been replaced meanwhile
            return os.fdopen(handle, "rb")
        except BaseException:
            os.close(handle)
            raise
    except (OSError, ValueError) as error:
        raise read_error(path, error) from None


def read_regular(path: Path, most: int) -> bytes:
    """Read an ordinary file of at most so many bytes; raises UnreadableFile."""
    with open_regular(path) as file:
        try:
            is_huge = os.fstat(file.fileno()).st_size > most
            content = b"" if is_huge else file.read(most + 1)  # some files are longer than they say
        except OSError as error:
            raise read_error(path, error) from None
    if is_huge or len(content) > most:
        raise UnreadableFile(
            message(
                "“{name}” is larger than {size:,} MB, which no such file is.", name=path.name, size=max(most >> 20, 1)
            ),
            "Choose another file.",
        )
    return content


def refuse_beyond_memory(path: Path, needed: int) -> None:
    """Refuse a file whose content would hardly fit into memory, before it is tried; raises UnreadableFile."""
    free = free_memory()
    if free is not None and needed > _SHARE_OF_FREE * free:
        raise UnreadableFile(
            message(
                "To read “{name}” takes about {needed:,.1f} GB of memory, and {free:,.1f} GB are free.",
                name=path.name,
                needed=needed / 1e9,
                free=free / 1e9,
            ),
            "Close other programs, or choose a part of it.",
        )


def read_error(path: Path, error: Exception) -> UnreadableFile:
    """Turn an error of the operating system into a sentence; the file's content is never part of it."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return UnreadableFile(message("There is no file “{name}”.", name=path.name), "Check the name and the folder.")
    if isinstance(error, PermissionError):
        return UnreadableFile(
            message("You may not read “{name}”.", name=path.name), "Ask its owner for permission to read it."
        )
    reason = (
        os.strerror(error.errno) if isinstance(error, OSError) and error.errno else message("its name cannot be used")
    )
    return UnreadableFile(
        message("“{name}” cannot be read: {reason}.", name=path.name, reason=reason),
        "Copy it to another place and try again.",
    )


def _refuse_others(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise UnreadableFile(message("“{name}” is a folder, not a file.", name=path.name), "Choose a file inside it.")
    if not stat.S_ISREG(mode):
        raise UnreadableFile(message("“{name}” is not an ordinary file.", name=path.name), "Choose a file on disk.")
