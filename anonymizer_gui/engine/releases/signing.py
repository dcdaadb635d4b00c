"""Who vouches for a release: a signing key of one's own (Ed25519), and the signature beside the certificate."""

import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.storage.json_io import parse_strict
from anonymizer_gui.engine.storage.safe_open import read_regular
from anonymizer_gui.engine.storage.saving import write_error

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SIGNATURE = ".release.sig"
_FORMAT = "anonymizer signature"
_VERSION = 1
_LARGEST_BYTES = 1 << 16
_PUBLIC = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_HEX = re.compile(r"[0-9a-f]+")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SigningKey:
    """A key that signs; its secret half is shown nowhere."""

    _secret: "Ed25519PrivateKey"

    @property
    def public(self) -> str:
        """The public half, by which others tell the signatures of this key."""
        return self._secret.public_key().public_bytes_raw().hex()

    def signed(self, content: bytes) -> str:
        """Give the text of the signature over exactly these bytes."""
        told = {
            "format": _FORMAT,
            "version": _VERSION,
            "algorithm": "ed25519",
            "public": self.public,
            "signature": self._secret.sign(content).hex(),
        }
        return json.dumps(told, indent=1) + "\n"


def fingerprint(public: str) -> str:
    """Give a public key in a form that people can compare.

    >>> fingerprint("00" * 32)
    '6668 7aad f862 bd77 6c8f c18b 8e9f 8e20'
    """
    digest = hashlib.sha256(bytes.fromhex(public)).hexdigest()[:32]
    return " ".join(digest[at : at + 4] for at in range(0, 32, 4))


def make_signing_key(path: Path) -> SigningKey:
    """Write a new signing key into a file only the user can read; an existing file is never overwritten."""
    _load_library()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    secret = Ed25519PrivateKey.generate()
    text = secret.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UnwritableFile(
            message("“{name}” exists already; a key is never overwritten.", name=path.name), "Choose another file name."
        ) from None
    except OSError as error:
        raise write_error(path, error) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(handle)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise write_error(path, error) from None
    return SigningKey(secret)


def read_signing_key(path: Path) -> SigningKey:
    """Read a key written by `make_signing_key`; raises UnreadableFile."""
    _load_library()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    content = read_regular(path, _LARGEST_BYTES)
    try:
        secret = load_pem_private_key(content, password=None)
        is_ours = isinstance(secret, Ed25519PrivateKey)
    except Exception:  # noqa: BLE001 - whatever the library says about a foreign file, it is none of ours
        is_ours = False
    if not is_ours or not isinstance(secret, Ed25519PrivateKey):
        raise UnreadableFile(
            message("“{name}” is not a signing key.", name=path.name),
            "Make one with: anonymizer-gui keys new --to FILE",
        )
    return SigningKey(secret)


def parse_public_key(words: str) -> str:
    """Take a public key as it is typed, or from the file that holds it; raises UnreadableFile."""
    plain = words.strip().lower()
    if _PUBLIC.fullmatch(plain):
        return plain
    path = Path(words)
    text = read_regular(path, _LARGEST_BYTES).decode("utf-8", "replace")
    if "PRIVATE KEY" in text:
        return read_signing_key(path).public
    found: set[str] = set(_PUBLIC.findall(text.lower()))
    if len(found) != 1:
        raise UnreadableFile(
            message("“{name}” holds no public key.", name=path.name),
            "Give what `anonymizer-gui keys show FILE` prints.",
        )
    return found.pop()


def verify_signature(signature: Path, content: bytes) -> str:
    """Give the public key that signed exactly these bytes; empty when the signature is not of them.

    Raises MissingExtra when the library that can tell is not there.
    """
    try:
        told = parse_strict(read_regular(signature, _LARGEST_BYTES))
        public, signed = _bytes(told, "public", 32), _bytes(told, "signature", 64)
    except (ValueError, RecursionError, KeyError, TypeError, UnreadableFile):
        return ""
    return public.hex() if _is_signed(public, signed, content) else ""


def _bytes(told: object, name: str, length: int) -> bytes:
    """Take one entry of a signature; raises ValueError for all that could be read in another way, too."""
    if not isinstance(told, dict) or set(told) != {"format", "version", "algorithm", "public", "signature"}:
        raise ValueError
    if (told["format"], told["version"], told["algorithm"]) != (_FORMAT, _VERSION, "ed25519"):
        raise ValueError
    if not _HEX.fullmatch(told[name]) or len(told[name]) != 2 * length:
        raise ValueError
    return bytes.fromhex(told[name])


def _is_signed(public: bytes, signature: bytes, content: bytes) -> bool:
    _load_library()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key: Ed25519PublicKey = Ed25519PublicKey.from_public_bytes(public)
        key.verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def _load_library() -> None:
    """Load the library that signs, only where it is used; raises MissingExtra."""
    try:
        import cryptography.hazmat.primitives.asymmetric.ed25519  # noqa: F401
    except ImportError:
        raise MissingExtra(
            "Signatures need the package cryptography, which is not installed.",
            message("Install it with: {command}", command="pip install 'anonymizer-gui[signing]'"),
        ) from None
