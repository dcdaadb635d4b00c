"""The few things every engine must do: name a table, be asked in SQL, take and give Arrow tables, write files."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.scale.inputs import Input

if TYPE_CHECKING:
    import pyarrow as pa


class EngineFailed(AnonymizerError):
    """An engine could not do what it was asked: it ended, was cut off, or had too little room."""


class Engine(Protocol):
    """Somebody who answers SQL about tables; one at a time, and stopped by progress."""

    @property
    def address(self) -> str:
        """How it is called on the command line: duckdb, or sc://host:port."""

    def described(self) -> dict[str, str]:
        """Tell what it is and in which version, for the certificate."""

    def name(self, text: str) -> str:
        """Quote the name of a table or column."""

    def sampled(self, rows: int) -> str:
        """Give the SQL of so many rows of the source, drawn at random but the same every time."""

    def open(self, source: Input, progress: Progress = SILENT) -> list[str]:
        """Give a table the names `opened` and `source` and its columns c0, c1, ...; returns the names they had."""

    def see(self, name: str, sql: str, progress: Progress = SILENT) -> None:
        """Give a query a name; it is asked anew whenever the name is used."""

    def run(self, sql: str, progress: Progress = SILENT) -> None:
        """Do something that has no answer; raises EngineFailed."""

    def keep(self, name: str, sql: str, progress: Progress = SILENT) -> None:
        """Keep the answer to a query under a name until the engine is closed."""

    def fetch(self, sql: str, progress: Progress = SILENT, *, last: bool = False) -> "Iterator[pa.RecordBatch]":
        """Give the answer to a query, some rows at a time; nothing more is asked after the `last` one."""

    def load(self, name: str, table: "pa.Table", progress: Progress = SILENT) -> None:
        """Take a table and keep it under a name."""

    def write(
        self, sql: str, names: Sequence[str], target: Path, options: WriteOptions, progress: Progress = SILENT
    ) -> None:
        """Write the answer to a query into a file of the kind its name tells, in the order it comes in.

        The query gives the texts t0, t1, ..., which get these names, and n, how often each row is written.
        """

    def read(self, name: str, target: Path, columns: int, options: WriteOptions, progress: Progress = SILENT) -> None:
        """Give a file that was written the name `name` and its columns the names c0, c1, ..."""

    def close(self) -> None:
        """End it, and take away what it has left on the disk."""
