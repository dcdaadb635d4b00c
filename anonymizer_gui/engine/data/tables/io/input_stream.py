"""Opens plain and compressed files as blocks of UTF-8; refuses archive bombs."""

import codecs
import gzip
import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.io.read_report import Lines
from anonymizer_gui.engine.storage.safe_open import open_regular, read_error

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


BLOCK = 1 << 21

_STRAY = "\N{REPLACEMENT CHARACTER}"

_BOMS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
         codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}  # fmt: skip


def checked_path(source: str | Path) -> Path:
    """Return the path of an ordinary file that can be read and is not empty; raises UnreadableFile."""
    path = Path(source)
    with open_regular(path) as file:
        try:
            first = file.read(1)
        except OSError as error:
            raise read_error(path, error) from None
    if not first:
        raise UnreadableFile(
            message("“{name}” is empty.", name=path.name), "Choose a file with at least a header line."
        )
    return path


def head_of(path: Path, size: int = 1 << 20) -> bytes:
    """Read the first bytes of a file as they are on disk."""
    with open_regular(path) as file:
        return file.read(size)


def archive_members(path: Path) -> tuple[str, ...]:
    """List the files inside a zip archive; nothing for any other file. Raises UnreadableFile."""
    return check_archive(path) if head_of(path, 4) == b"PK\x03\x04" else ()


def read_member(path: Path, part: str, most: int) -> bytes:
    """Read one small file of an archive; raises UnreadableFile when it is not there or has more bytes."""
    with open_input(path, part) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise UnreadableFile(
            message("“{part}” in “{name}” is too large.", part=part, name=path.name), "Check that the file is whole."
        )
    return data


@contextmanager
def open_input(path: Path, part: str = "") -> Iterator["InputStream"]:
    """Open a file, or what is compressed in it (gzip, xz, or one file of a zip archive)."""
    head = head_of(path, 6)
    try:
        with open_regular(path) as raw:
            if head.startswith(b"\x1f\x8b"):
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield InputStream(path, raw, unpacked)
            elif head.startswith(b"\xfd7zXZ\x00"):
                with lzma.LZMAFile(raw) as unpacked:
                    yield InputStream(path, raw, unpacked)
            elif head.startswith(b"PK\x03\x04"):
                check_archive(path)
                with zipfile.ZipFile(path) as archive, _member(path, archive, part) as unpacked:
                    yield InputStream(path, raw, unpacked)
            else:
                yield InputStream(path, raw, raw)
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile, NotImplementedError):
        raise _damaged(path) from None
    except OSError as error:
        raise read_error(path, error) from None


def _damaged(path: Path) -> UnreadableFile:
    return UnreadableFile(
        message("The compressed file “{name}” is damaged.", name=path.name), "Fetch it again, or unpack it yourself."
    )


def _member(path: Path, archive: zipfile.ZipFile, part: str) -> IO[bytes]:
    infos = [info for info in archive.infolist() if not info.is_dir() and (not part or info.filename == part)]
    if len(infos) != 1:
        names = [info.filename for info in archive.infolist()[:5]] or message("nothing")
        raise UnreadableFile(
            message("“{name}” does not hold exactly one such file.", name=path.name),
            message("Choose one of: {names}.", names=names),
        )
    if infos[0].flag_bits & 1:
        raise UnreadableFile(message("“{name}” is protected by a password.", name=path.name), "Unpack it first.")
    return archive.open(infos[0])


class ByteStream(Protocol):
    """Bytes one after the other."""

    def read(self, size: int, /) -> bytes:
        """Give the next bytes, nothing at the end."""


@dataclass(slots=True)
class InputStream:
    """A stream of bytes that knows how far it is and refuses to unpack beyond reason."""

    path: Path
    raw: IO[bytes]
    stream: ByteStream
    taken: int = 0

    def read(self, size: int) -> bytes:
        """Read the next bytes; raises UnreadableFile for a file that unpacks to far more than it holds."""
        data = self.stream.read(size)
        self.taken += len(data)
        if self.stream is not self.raw and self.taken > max(FREE_SIZE, LARGEST_RATIO * self._size()):
            raise too_large(self.path.name)
        return data

    def fraction(self) -> float:
        """Tell how much of the file was read."""
        return min(self.raw.tell() / max(self._size(), 1), 1.0)

    def _size(self) -> int:
        return os.fstat(self.raw.fileno()).st_size


def encoding_by_mark(head: bytes) -> str:
    """Name the encoding a byte order mark states; nothing if there is none."""
    return next((encoding for mark, encoding in _BOMS.items() if head.startswith(mark)), "")


class Utf8Blocks:
    """The text of a stream as blocks of UTF-8 without a byte order mark, checked on the way.

    Bytes that stand for no letter raise UnreadableFile, or are marked by `�`; `strays` tells the lines then.
    """

    def __init__(self, opened_file: InputStream, encoding: str, marks_strays: bool = False) -> None:
        self._file = opened_file
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)("replace" if marks_strays else "strict")
        self._marks = marks_strays
        self._started = False
        self._tail = b""
        self._lines = 1
        self.strays = Lines()

    def next(self) -> tuple[bytes, bool]:
        """Give the next block and whether it is the last one; raises UnreadableFile for a wrong encoding."""
        raw = self._file.read(BLOCK)
        data = self._utf8(raw, not raw)
        if not self._started and data:
            data = data.removeprefix(codecs.BOM_UTF8)
            self._started = True
        self._lines += data.count(b"\n")
        return data, not raw

    def _utf8(self, raw: bytes, final: bool) -> bytes:
        if self._encoding == "utf-8" and not self._tail and raw.isascii():
            return raw
        try:
            if self._encoding != "utf-8" or self._marks:
                return self._noted(self._decoder.decode(raw, final)).encode()
            raw = self._tail + raw
            _, used = codecs.utf_8_decode(raw, "strict", final)
            self._tail = raw[used:]
            return raw[:used]
        except UnicodeError as error:
            raise self._wrong(error, raw) from None

    def _noted(self, text: str) -> str:
        """Note the lines with marks."""
        if self._marks and _STRAY in text:
            lines = [self._lines + place for place, line in enumerate(text.split("\n")) if _STRAY in line]
            self.strays = self.strays.plus(lines)
        return text

    def _wrong(self, error: UnicodeError, raw: bytes) -> UnreadableFile:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = self._lines + raw[:start].count(b"\n")
        place = self._file.taken - len(raw) + start + 1
        return UnreadableFile(
            message(
                "Line {line:,} of “{name}” is not {encoding} text (byte {place:,} of the file).",
                line=line,
                name=self._file.path.name,
                encoding=self._encoding,
                place=place,
            ),
            "Correct that line, choose another encoding, or have such bytes marked.",
            line=line,
        )
