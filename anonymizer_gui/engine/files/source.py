"""A file a project speaks of: where it is, the checksum it had, and the options it was read with."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PureWindowsPath

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.files.regular import open_regular

HOLDER = "engine"
"""Among the options of a source: who holds its table, where that was decided."""
FOLDER = "folder"
"""Among the options of a source: that all files beside it were read, one record in each."""
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """Where data came from: path or database address, checksum, and the options it was read with."""

    path: str
    sha256: str = ""
    options: Mapping[str, Json] = field(default_factory=dict)
    mark: str = field(default="", compare=False)
    """What a project file says of the checksum, until the data is read; see `source_mark`."""


def called(source: Source) -> Path:
    """Give what data may be called by: its file, or the folder of many, for the name of one may name a person."""
    path = Path(source.path)
    return path.parent if source.options.get(FOLDER) else path


def without_holder(source: Source) -> Source:
    """Give a source that does not say who is to hold its table."""
    return replace(source, options={name: value for name, value in source.options.items() if name != HOLDER})


def is_address(path: str) -> bool:
    """Tell the address of a database from the path of a file.

    >>> is_address("sqlite:///people.db"), is_address("people.csv")
    (True, False)
    """
    return "://" in path


def is_on_another_computer(path: str | Path, beside: Path | None = None, *, windows: bool = os.name == "nt") -> bool:
    r"""Tell a path that Windows would reach over the network, unless the file that names it is on the same share.

    Looking at such a file signs the user in at that computer, whoever it belongs to.

    >>> is_on_another_computer(r"\\elsewhere\share\people.csv", windows=True)
    True
    """
    if not windows:
        return False
    drive = PureWindowsPath(path).drive.lower()
    return drive.startswith("\\\\") and (beside is None or drive != PureWindowsPath(beside).drive.lower())


def checksum(path: Path, progress: Progress = SILENT) -> str:
    """Give the SHA-256 of a file; raises UnreadableFile."""
    digest = hashlib.sha256()
    try:
        size = max(path.stat().st_size, 1)
        with open_regular(path) as file:
            while block := file.read(_BLOCK):
                digest.update(block)
                progress(file.tell() / size)
    except OSError:
        raise UnreadableFile(
            message("“{name}” cannot be read.", name=path.name), "Check that it is still there."
        ) from None
    return digest.hexdigest()
