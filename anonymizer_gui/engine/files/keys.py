"""The key file: random bytes that pseudonyms and the people of a ledger are made with; never part of a project."""

import os
import secrets
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.files.regular import read_regular

KEY_BYTES = 32
_LARGEST_BYTES = 1 << 16


def make_key(path: Path) -> None:
    """Write a new random key into a file only the user can read; an existing file is never overwritten."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UnwritableFile(
            message("“{name}” exists already; a key is never overwritten.", name=path.name), "Choose another file name."
        ) from None
    except OSError as error:
        raise _unwritable(error) from None
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
            file.flush()
            os.fsync(handle)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise _unwritable(error) from None


def _unwritable(error: OSError) -> UnwritableFile:
    return UnwritableFile(
        message("The key file cannot be written: {reason}.", reason=error.strerror), "Choose another folder."
    )


def read_key(path: Path) -> bytes:
    """Read a key written by `make_key`."""
    try:
        key = bytes.fromhex(read_regular(path, _LARGEST_BYTES).decode("ascii").strip())
    except ValueError:
        key = b""
    if len(key) < KEY_BYTES:
        raise UnreadableFile(
            message("“{name}” is not a key file.", name=path.name), "Make a new key, or choose the file that holds it."
        )
    return key
