"""Nothing of one's own is overwritten: what is written is compared with all that is read, by the file itself."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.files.source import Source, is_address

_SQLITE = "sqlite:///"
_COMPANIONS = ("", "-journal", "-wal", "-shm", ".head")
"""What lies beside a database, told by what is added to its name."""

Identity = tuple[str, ...]


def refuse_own(written: Iterable[Path], own: Iterable[Path]) -> None:
    """Raise BadParameter when a file that is to be written is one of one's own, under whatever name."""
    kept = {identity for path in own for identity in _identities(path)}
    for path in written:
        if not kept.isdisjoint(_identities(path)):
            raise BadParameter(
                message(
                    "“{name}” would be overwritten, and it is needed: it is read, or it is a key or ledger.",
                    name=path.name,
                ),
                "Choose another name.",
            )


def refuse_twice(written: Iterable[Path]) -> None:
    """Raise BadParameter when two things would be written into one file."""
    seen: set[Identity] = set()
    for path in written:
        identities = _identities(path)
        if not seen.isdisjoint(identities):
            raise BadParameter(message("“{name}” would be written twice.", name=path.name), "Give each its own file.")
        seen |= identities


def files_of(sources: Iterable[Source]) -> list[Path]:
    """Give the files that sources are read from; a database that is a file has companions."""
    places = [source.path for source in sources if source.path]
    files = [Path(place) for place in places if not is_address(place)]
    databases = [place.removeprefix(_SQLITE).partition("?")[0] for place in places if place.startswith(_SQLITE)]
    return [*files, *(path for place in databases if place for path in database_files(Path(place)))]


def database_files(path: Path) -> list[Path]:
    """Give a database that is a file, such as a ledger, with what may lie beside it."""
    return [path.with_name(path.name + companion) for companion in _COMPANIONS]


def _identities(path: Path) -> set[Identity]:
    """Tell a file by where its name leads to, and by itself where it is there: it may have several names."""
    found: set[Identity] = {(os.path.normcase(os.path.realpath(path)),)}
    with contextlib.suppress(OSError, ValueError):
        about = path.stat()
        if about.st_ino:
            found.add((str(about.st_dev), str(about.st_ino)))
    return found
