"""Reads the files of statistics programs: SPSS, Stata and SAS."""

from functools import partial
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING, ClassVar

import pandas as pd

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.contract import (
    READERS,
    TableAddress,
    TextEncoder,
    build_table,
    check_cells,
    check_column_count,
    max_cells,
)
from anonymizer_gui.engine.data.tables.io.input_stream import checked_path
from anonymizer_gui.engine.data.tables.io.options import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_report import ReadReport
from anonymizer_gui.engine.data.tables.normalisation import canonical_text, repair_names
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.storage.safe_open import open_regular

if TYPE_CHECKING:
    from collections.abc import Callable

    ReadFunction = Callable[..., tuple[pd.DataFrame, "Metadata"]]

_ROWS_AT_ONCE = 20_000
_FUNCTIONS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_HEADS = {b"$FL2": ".sav", b"$FL3": ".zsav", b"<stata_dta>": ".dta", b"HEADER RECORD*******LIBRARY": ".xpt"}


class Metadata:
    """What the package tells about a file, as far as it is used here."""

    column_names: list[str]
    variable_value_labels: dict[str, dict[object, str]]


def _pyreadstat() -> ModuleType:
    try:
        import pyreadstat
    except ImportError:
        raise MissingExtra(
            "SPSS, Stata and SAS files need the package pyreadstat, which is not installed.",
            message("Install it with: {command}", command="pip install 'anonymizer-gui[statistics]'"),
        ) from None
    module: ModuleType = pyreadstat
    return module


@READERS.register
class StatPackageReader:
    """Tables of SPSS, Stata and SAS."""

    name: ClassVar[str] = "statistics"
    title: ClassVar[str] = "SPSS, Stata, SAS"
    summary: ClassVar[str] = "The stored values of a statistics file; value labels are not applied."
    suffixes: ClassVar[tuple[str, ...]] = tuple(_FUNCTIONS)
    choices: ClassVar[tuple[str, ...]] = ("decimal", "missing")
    is_apart: ClassVar[bool] = True
    packages: ClassVar[tuple[str, ...]] = ("pyreadstat", "pandas")

    def accepts(self, source: TableAddress, head: bytes) -> bool:
        """Know a file by its first bytes or its suffix."""
        return bool(_suffix(source, head))

    def parts(self, source: TableAddress) -> tuple[str, ...]:
        """Offer no choice: the file is one table."""
        return ()

    def sniff(self, source: TableAddress) -> ReadOptions:
        """Propose the plain options."""
        return ReadOptions()

    def read(
        self, source: TableAddress, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        """Read the table, or its first `limit` rows."""
        path = checked_path(source)
        package = _pyreadstat()
        try:
            with open_regular(path) as file:
                function = getattr(package, _FUNCTIONS[_suffix(path, file.read(64))])
                return self._read(partial(function, _name(path, file)), path, options, progress, limit)
        except (package.ReadstatError, package.PyreadstatError, UnicodeError, ValueError, OSError, OverflowError):
            raise UnreadableFile(
                message("“{name}” is damaged or not a file of SPSS, Stata or SAS.", name=path.name),
                "Save it anew, or export it as CSV.",
            ) from None

    def _read(
        self, function: "ReadFunction", path: Path, options: ReadOptions, progress: Progress, limit: int | None
    ) -> tuple[Table, ReadReport]:
        _, about = function(metadataonly=True)
        check_column_count(len(about.column_names))
        coders = [TextEncoder() for _ in about.column_names]
        size = _ROWS_AT_ONCE if limit is None else min(limit, _ROWS_AT_ONCE)
        count, more, most = 0, True, max_cells(path.stat().st_size)
        while more and (limit is None or count < limit):
            frame, _ = function(row_offset=count, row_limit=size)
            for number, coder in enumerate(coders):
                codes, uniques = pd.factorize(frame.iloc[:, number].astype(object), use_na_sentinel=False)
                coder.add_coded(codes, [canonical_text(_plain(value)) for value in uniques])
            count += len(frame)
            check_cells(count, len(coders), most)
            more = len(frame) == size
            progress(0.5, message("Reading {count:row|rows}", count=count))
        names, renamed = repair_names(about.column_names)
        report = ReadReport(source=path.name, kind=self.name, renamed=renamed, notes=_notes(about))
        return build_table(names, [coder.finish() for coder in coders], count, options, report)


def _name(path: Path, file: IO[bytes]) -> str:
    """Give a name under which the package finds the file; it knows none but those in UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return f"/dev/fd/{file.fileno()}"
    return str(path)


def _suffix(source: TableAddress, head: bytes) -> str:
    for magic, suffix in _HEADS.items():
        if head.startswith(magic):
            return suffix
    suffix = Path(source).suffix.lower()
    return suffix if suffix in _FUNCTIONS else ""


def _plain(value: object) -> object:
    return value.to_pydatetime() if isinstance(value, pd.Timestamp) else value


def _notes(about: Metadata) -> tuple[str, ...]:
    labelled = list(about.variable_value_labels)
    if not labelled:
        return ()
    return (message("The stored codes were read, not their labels, in: {columns}.", columns=labelled),)
