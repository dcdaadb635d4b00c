"""Key files and the machine's secret by which a project knows its data again.

A plain SHA-256 of a table confirms guesses: whoever knows all but one cell tries its values until the digest fits.
So the file holds an HMAC of it under a secret that stays in the user's own folder and never leaves with a project.
"""

import hmac
import os
import secrets
import sys
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.storage.safe_open import read_regular

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


_BYTES = 32

_NAME = "project-marks.key"


def source_mark(sha256: str) -> str:
    """Give the mark of data with this checksum; empty where there is none, or no place for a secret."""
    secret = _secret() if sha256 else b""
    return f"{_name_of(secret)}:{_keyed(secret, sha256)}" if secret else ""


def matches_mark(mark: str, sha256: str) -> bool | None:
    """Tell whether a mark was made of this checksum; None when it was made under another secret."""
    secret = _secret()
    name, _, keyed = mark.partition(":")
    if not secret or name != _name_of(secret):
        return None
    return hmac.compare_digest(keyed.encode(), _keyed(secret, sha256).encode())


def _keyed(secret: bytes, text: str) -> str:
    return hmac.digest(secret, text.encode(), "sha256").hex()


def _name_of(secret: bytes) -> str:
    return _keyed(secret, "which secret this is")[:16]


def _secret() -> bytes:
    """Give the secret of this user, made when first needed; empty when the folder cannot be written."""
    path = _folder() / _NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.with_name(f"{_NAME}.{secrets.token_hex(8)}")
        if not path.exists():
            with open(os.open(whole, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(secrets.token_bytes(_BYTES))
            _put(whole, path)
        found = path.read_bytes()
    except OSError:
        return b""
    return found if len(found) == _BYTES else b""


def _put(whole: Path, path: Path) -> None:
    """Give a whole file its name, unless another program was first."""
    try:
        os.link(whole, path)
    except FileExistsError:
        pass
    except OSError:  # a disk without links
        whole.rename(path)
        return
    whole.unlink()


def _folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "Anonymizer"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Anonymizer"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "Anonymizer"
