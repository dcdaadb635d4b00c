"""What a project reads: path, database address, folder or pattern; checksum; never overwritten."""

import contextlib
import glob
import hashlib
import json
import os
import re
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PureWindowsPath

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.storage.safe_open import open_regular

ENGINE_OPTION = "engine"
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


def display_name(source: Source) -> Path:
    """Give what data may be called by: its file, or the folder of many, for the name of one may name a person."""
    path = Path(source.path)
    return path.parent if source.options.get(FOLDER) else path


def without_engine(source: Source) -> Source:
    """Give a source that does not say who is to hold its table."""
    return replace(source, options={name: value for name, value in source.options.items() if name != ENGINE_OPTION})


def is_address(path: str) -> bool:
    """Tell the address of a database from the path of a file.

    >>> is_address("sqlite:///people.db"), is_address("people.csv")
    (True, False)
    """
    return "://" in path


def is_network_path(path: str | Path, beside: Path | None = None, *, windows: bool = os.name == "nt") -> bool:
    r"""Tell a path that Windows would reach over the network, unless the file that names it is on the same share.

    Looking at such a file signs the user in at that computer, whoever it belongs to.

    >>> is_network_path(r"\\elsewhere\share\people.csv", windows=True)
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


PASSWORD = "ANONYMIZER_DATABASE_PASSWORD"
"""The environment variable that may hold the password of a database."""

_ADDRESS = re.compile(
    r"(?P<driver>[a-z][a-z0-9]*(?:\+[a-z0-9]+)?)://"
    r"(?:(?P<user>[^:/?#@\s]*)(?::(?P<password>[^/?#@\s]*))?@)?"
    r"(?P<host>[A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?:/(?P<database>[^?#/=:@\\]*))?(?:\?(?P<options>[^#@]*))?"
)

_PASSWORD_OPTION = re.compile(r"(?<=[?&])[^=&]*pass[^=&]*=[^&]*&?|(?<=[?&])pwd=[^&]*&?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of an address, with nothing escaped in them."""

    driver: str
    user: str = ""
    password: str = ""
    host: str = ""
    port: int | None = None
    database: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def place(self) -> str:
        """Where the database is, for people: user, server and name, never the password."""
        server = (self.host or dict(self.options).get("host") or "localhost") + (f":{self.port}" if self.port else "")
        return (f"{self.user}@" if self.user else "") + server + (f"/{self.database}" if self.database else "")

    def with_password(self, password: str) -> "Address":
        """Give the same address with another password."""
        return replace(self, password=password)

    def __str__(self) -> str:
        """Write the address, password included."""
        secret = f":{_escaped(self.password)}" if self.password else ""
        who = f"{_escaped(self.user)}{secret}@" if self.user or secret else ""
        port = f":{self.port}" if self.port is not None else ""
        options = urllib.parse.urlencode(self.options)
        return f"{self.driver}://{who}{self.host}{port}/{_escaped(self.database)}" + (f"?{options}" if options else "")


class PasswordNeeded(UnreadableFile):
    """The database did not let us in; with a password, or another one, it may."""

    def __init__(self, address: Address) -> None:
        self.address = address.with_password("")
        super().__init__(
            message("The database “{place}” asks for a password.", place=address.place),
            message("Type it when asked, or put it into the environment variable {variable}.", variable=PASSWORD),
        )


def parse_address(text: str) -> Address:
    """Take an address apart; raises UnreadableFile for whatever could be understood in two ways."""
    found = _ADDRESS.fullmatch(text.strip())
    if found is None:
        raise UnreadableFile(
            "This is not the address of a database.",
            "An address looks like postgresql://user@host/database; write odd characters of a password as %40.",
        )
    parts = {name: urllib.parse.unquote(found[name] or "") for name in ("user", "password", "database")}
    options = urllib.parse.parse_qsl(found["options"] or "", keep_blank_values=True)
    return Address(
        driver=found["driver"],
        host=found["host"],
        port=int(found["port"]) if found["port"] else None,
        options=tuple(options),
        **parts,
    )


def without_password(address: str) -> str:
    """Give an address as it may be kept in files: whatever could be a password is left out.

    >>> without_password("postgresql://ann:secret@host/people?sslmode=require")
    'postgresql://ann@host/people?sslmode=require'
    >>> without_password("people.csv")
    'people.csv'
    """
    driver, mark, rest = address.partition("://")
    if not mark:
        return address
    who, at, where = rest.rpartition("@")
    rest = who.partition(":")[0] + at + where if at else rest
    return driver + mark + _PASSWORD_OPTION.sub("", rest).rstrip("?&")


def _escaped(text: str) -> str:
    return urllib.parse.quote(text, safe="")


PARQUET_SUFFIXES = (".parquet", ".pq")

TEXT_SUFFIXES = (".csv", ".tsv", ".tab", ".txt")

DATABASE_SUFFIXES = (".duckdb", ".ddb")

_READABLE = (*PARQUET_SUFFIXES, *TEXT_SUFFIXES, *DATABASE_SUFFIXES)


def files_of_table(place: str) -> tuple[Path, ...]:
    """Find the files of a table; raises UnreadableFile when there is nothing."""
    path = Path(place)
    if path.is_file():
        return (path.resolve(),)
    if path.is_dir():
        inside = [file for file in sorted(path.rglob("*")) if file.is_file() and not _is_hidden(file, path)]
        return tuple(file.resolve() for file in inside if is_engine_file(file))
    found = [Path(file) for file in sorted(glob.glob(place, recursive=True))] if is_pattern(place) else []
    files = tuple(file.resolve() for file in found if file.is_file())
    if not files:
        raise UnreadableFile(
            message("There is nothing called “{name}”.", name=path.name), "Check the name and the folder."
        )
    return files


def table_checksum(files: Sequence[Path], progress: Progress = SILENT) -> str:
    """Give the SHA-256 of the one file, or of the names and checksums of several; nothing where there is none."""
    if len(files) == 1:
        return checksum(files[0], progress)
    if not files:
        return ""
    each = [[file.name, checksum(file)] for file in files]
    return hashlib.sha256(json.dumps(each).encode()).hexdigest()


def is_pattern(place: str) -> bool:
    """Tell whether a place names files by a pattern."""
    return any(sign in place for sign in "*?[") and not Path(place).exists()


def is_engine_file(path: Path) -> bool:
    """Tell whether a file is of a kind that engines read."""
    return table_suffix(path) in _READABLE


def is_table_folder(folder: Path) -> bool:
    """Tell whether there are files in a folder that an engine may take for a table."""
    return any(is_engine_file(file) and not _is_hidden(file, folder) for file in folder.rglob("*"))


def table_suffix(path: Path) -> str:
    """Give what tells the kind of a file; packed text is text."""
    return path.with_suffix("").suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()


def _is_hidden(file: Path, folder: Path) -> bool:
    """Leave out what programs keep beside their data, such as _SUCCESS and half-written files."""
    return any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)


_SQLITE = "sqlite:///"

_COMPANIONS = ("", "-journal", "-wal", "-shm", ".head")
"""What lies beside a database, told by what is added to its name."""

Identity = tuple[str, ...]


def refuse_overwrite(written: Iterable[Path], own: Iterable[Path]) -> None:
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


def refuse_same_target(written: Iterable[Path]) -> None:
    """Raise BadParameter when two things would be written into one file."""
    seen: set[Identity] = set()
    for path in written:
        identities = _identities(path)
        if not seen.isdisjoint(identities):
            raise BadParameter(message("“{name}” would be written twice.", name=path.name), "Give each its own file.")
        seen |= identities


def files_of_sources(sources: Iterable[Source]) -> list[Path]:
    """Give the files that sources are read from; a database that is a file has companions."""
    places = [source.path for source in sources if source.path]
    files = [Path(place) for place in places if not is_address(place)]
    databases = [place.removeprefix(_SQLITE).partition("?")[0] for place in places if place.startswith(_SQLITE)]
    return [*files, *(path for place in databases if place for path in sqlite_files(Path(place)))]


def sqlite_files(path: Path) -> list[Path]:
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
