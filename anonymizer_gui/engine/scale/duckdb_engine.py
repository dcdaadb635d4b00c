"""DuckDB, embedded, in a process of its own: memory limited, private spill, no network, no foreign code."""

import contextlib
import json
import os
import queue
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.memory import free_memory
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.io.sandboxed_readers.client import program_command, worker_environment
from anonymizer_gui.engine.scale.contract import CSV, DATABASE, PARQUET, REMOTE, EngineFailed, EngineInput, SpillFolder

if TYPE_CHECKING:
    import pyarrow as pa

WORD = "count-apart"
"""The word with which the program is started as the process of an engine; no command of the user's."""
_LOOK_EVERY_S = 0.05
_LEAST_MEMORY = 200 << 20
_UNKNOWN_MEMORY = 2 << 30
_BUFFERS, _LEAST_BUFFERS = 0.6, 120 << 20
_ENCODINGS = {"utf-8": "utf-8", "utf-16": "utf-16", "iso-8859-1": "latin-1"}
# Another file, renamed at the end, would have no lock, and nobody would sweep it after a kill.
_IN_PLACE = "USE_TMP_FILE false"
_PARQUET_SUFFIXES = (".parquet", ".pq")


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """How much an engine on this machine may take: bytes of memory (0: half of what is free), and where it spills."""

    memory: int = 0
    spill: Path | None = None

    def limit(self) -> int:
        """Give the bytes of memory."""
        return self.memory or max((free_memory() or _UNKNOWN_MEMORY) // 2, _LEAST_MEMORY)


class DuckEngine:
    """DuckDB on this machine."""

    def __init__(self, allowed: Sequence[Path], room: EngineLimits | None = None) -> None:
        _installed()
        room = room or EngineLimits()
        self._spill = SpillFolder(room.spill)
        self._process = subprocess.Popen(
            program_command(WORD),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=worker_environment(),
            encoding="utf-8",
            start_new_session=True,  # Ctrl+C is for the program, which ends this one
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        try:
            self._run([*_settings(allowed, room.limit(), self._spill.folder)], SILENT)
        except BaseException:
            self.close()
            raise

    @property
    def address(self) -> str:
        """How it is called on the command line."""
        return "duckdb"

    @property
    def process_id(self) -> int:
        """The number of the process it works in, as the system knows it."""
        return self._process.pid

    def described(self) -> dict[str, str]:
        """Tell the version."""
        import duckdb

        return {"engine": "DuckDB", "version": duckdb.__version__}

    def name(self, text: str) -> str:
        """Quote a name."""
        return '"' + text.replace('"', '""') + '"'

    def sampled(self, rows: int) -> str:
        """Draw rows of the source, the same every time."""
        return f"SELECT * FROM source USING SAMPLE reservoir({rows} ROWS) REPEATABLE (0)"

    def open(self, source: EngineInput, progress: Progress = SILENT) -> list[str]:
        """Call a table `opened` and `source`, and its columns c0, c1, ..."""
        scan = self._scan(source, progress)
        names = list(source.names) or [row[0] for row in self._run([f"DESCRIBE SELECT * FROM {scan}"], progress)]
        self._view("opened", scan, len(names), progress)
        self.see("source", "SELECT * FROM opened", progress)
        return names

    def see(self, name: str, sql: str, progress: Progress = SILENT) -> None:
        """Give a query a name."""
        self._run([f"CREATE OR REPLACE TEMP VIEW {name} AS {sql}"], progress)

    def run(self, sql: str, progress: Progress = SILENT) -> None:
        """Do something that has no answer."""
        self._run([sql], progress)

    def keep(self, name: str, sql: str, progress: Progress = SILENT) -> None:
        """Keep the answer to a query in a table."""
        self._run([f"CREATE OR REPLACE TEMP TABLE {name} AS {sql}"], progress)

    def fetch(self, sql: str, progress: Progress = SILENT, *, last: bool = False) -> "Iterator[pa.RecordBatch]":
        """Give the answer to a query; it comes through a file of the private folder.

        After the last question the process ends, so that whoever looks at the answer has its memory.
        """
        import pyarrow as pa

        place = self._spill.new(".arrow")
        self._ask({"do": "fetch", "sql": [sql], "to": str(place)}, progress)
        if last:
            self._end()
        try:
            # Not mapped into memory: what was read and let go would count as taken until the end.
            with pa.OSFile(str(place)) as file:
                reader = pa.ipc.open_file(file)
                for at in range(reader.num_record_batches):
                    progress.check()
                    yield reader.get_batch(at)
        finally:
            with contextlib.suppress(OSError):
                place.unlink()

    def load(self, name: str, table: "pa.Table", progress: Progress = SILENT) -> None:
        """Take a table."""
        import pyarrow as pa

        place = self._spill.new(".arrow")
        try:
            with pa.OSFile(str(place), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)
        except OSError as error:
            raise _full() from error
        sql = f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT * FROM taken"
        self._ask({"do": "load", "sql": [sql], "from": str(place)}, progress)
        place.unlink()

    def write(
        self, sql: str, names: Sequence[str], target: Path, options: WriteOptions, progress: Progress = SILENT
    ) -> None:
        """Write the answer to a query, each row as often as its column `n` says."""
        texts = [f"t{at}" for at in range(len(names))]
        called = ", ".join(f"{text} AS {self.name(name)}" for text, name in zip(texts, names, strict=True))
        rows = f"SELECT {called} FROM (SELECT {', '.join(texts)}, unnest(range(n)) FROM ({sql}))"
        self._run([f"COPY ({rows}) TO {_text(str(target))} ({_written(target, options)})"], progress)

    def read(self, name: str, target: Path, columns: int, options: WriteOptions, progress: Progress = SILENT) -> None:
        """Read a file that was written."""
        if target.suffix.lower() in _PARQUET_SUFFIXES:
            scan = f"read_parquet({_text(str(target))})"
        else:
            scan = _csv([target], columns, delimiter=_delimiter(target, options), quote='"', skip=0, encoding="utf-8")
        self._view(name, scan, columns, progress)

    def close(self) -> None:
        """End the process, and remove its folder."""
        self._end()
        self._spill.close()

    def _end(self) -> None:
        for pipe in filter(None, (self._process.stdin,)):
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            self._process.wait(2.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _scan(self, source: EngineInput, progress: Progress) -> str:
        if source.kind == PARQUET:
            return f"read_parquet({_list(source.files)}, hive_partitioning=false, filename=false)"
        if source.kind == CSV:
            options = source.options
            if options.encoding not in _ENCODINGS:
                raise UnreadableFile(
                    "DuckDB reads text as UTF-8, UTF-16 or ISO 8859-1 only.", "Save the table as Parquet or UTF-8."
                )
            return _csv(
                source.files,
                len(source.names),
                delimiter=options.delimiter,
                quote=options.quote,
                skip=options.skip_lines,
                encoding=_ENCODINGS[options.encoding],
                header=options.header,
            )
        if source.kind == REMOTE:
            raise UnreadableFile("DuckDB reads files of this machine only.", "Choose a file, or a Spark cluster.")
        return self._attached(source, progress)

    def tables(self, source: EngineInput, progress: Progress = SILENT) -> list[str]:
        """Name the tables of a DuckDB file."""
        self._run([f"ATTACH IF NOT EXISTS {_text(str(source.files[0]))} AS held (READ_ONLY)"], progress)
        asked = "SELECT table_name FROM information_schema.tables WHERE table_catalog = 'held' ORDER BY 1"
        return [row[0] for row in self._run([asked], progress)]

    def _attached(self, source: EngineInput, progress: Progress) -> str:
        names = self.tables(source, progress)
        wanted = source.options.part or (names[0] if len(names) == 1 else "")
        if source.kind != DATABASE or wanted not in names:
            raise UnreadableFile(
                message("The file holds {count:table|tables}, and none was chosen.", count=len(names)),
                message("Choose one of: {names}.", names=names[:10]),
            )
        return f"held.{self.name(wanted)}"

    def _view(self, name: str, scan: str, columns: int, progress: Progress) -> None:
        called = ", ".join(f"c{at}" for at in range(columns))
        self._run([f"CREATE OR REPLACE TEMP VIEW {name} AS SELECT * FROM {scan} AS t({called})"], progress)

    def _run(self, statements: list[str], progress: Progress) -> list[list[Any]]:
        return self._ask({"do": "run", "sql": statements, "answer": True}, progress)

    def _ask(self, question: dict[str, Any], progress: Progress) -> list[list[Any]]:
        """Ask and wait; a stop ends the process at once, with whatever it was doing."""
        answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise _ended()
        try:
            stdin.write(json.dumps(question) + "\n")
            stdin.flush()
        except OSError:
            raise _ended() from None
        listener = threading.Thread(target=lambda: answers.put(stdout.readline()), daemon=True)
        listener.start()
        try:
            while True:
                progress.check()
                with contextlib.suppress(queue.Empty):
                    return read_answer(answers.get(timeout=_LOOK_EVERY_S))
        except BaseException:
            if listener.is_alive():
                self._process.kill()
            raise
        finally:
            listener.join()


def read_answer(line: str) -> list[list[Any]]:
    """Take an answer of the process, or raise what it says went wrong; no cell is part of it."""
    if not line:
        raise _ended()
    answer = json.loads(line)
    if "error" not in answer:
        return list(answer["rows"])
    if answer["error"] == "disk":
        raise _full()
    if answer["error"] == "memory":
        raise EngineFailed(
            "The engine has too little memory for this table.", "Allow it more memory, or use fewer columns."
        )
    if answer["error"] == "csv":
        place = message("line {line}", line=answer["line"]) if answer["line"] else message("an unknown line")
        raise UnreadableFile(
            message("The text of the table cannot be read at {place}.", place=place),
            "Check delimiter, quotation marks and the number of cells of every row.",
            line=answer["line"] or None,
        )
    if answer["error"] == "read":
        raise UnwritableFile(
            "The engine cannot read or write a file.", "Check that the table is still there, and the disk."
        )
    raise EngineFailed(
        message("The engine does not understand what it was asked ({name}).", name=answer["name"]),
        "Check that all files are of one table. Otherwise please report this.",
    )


def _full() -> EngineFailed:
    return EngineFailed(
        "The disk is full where the engine spills or writes.", "Free some space, or let it spill to another disk."
    )


def _ended() -> EngineFailed:
    return EngineFailed(
        "The engine was ended while it worked, most likely for want of memory.",
        "Allow it less memory, close other programs, and run again.",
    )


def _settings(allowed: Sequence[Path], memory: int, folder: Path) -> Iterator[str]:
    """Hold DuckDB to its limits; the last line keeps it from changing them."""
    folders = sorted({str(folder), *(str(path if path.is_dir() else path.parent) for path in allowed)})
    # The limit governs its buffers only; what it hands over and sorts on the way takes as much again by half.
    yield f"SET memory_limit='{max(int(memory * _BUFFERS), _LEAST_BUFFERS) >> 20}MiB'"
    yield f"SET threads={max((os.cpu_count() or 2) - 1, 1)}"
    yield f"SET temp_directory={_text(str(folder))}"
    yield "SET TimeZone='UTC'"
    yield "SET autoinstall_known_extensions=false"
    yield "SET autoload_known_extensions=false"
    yield f"SET allowed_directories=[{', '.join(map(_text, folders))}]"
    yield "SET enable_external_access=false"
    yield "SET lock_configuration=true"


def _csv(
    files: Sequence[Path],
    columns: int,
    *,
    delimiter: str,
    quote: str,
    skip: int,
    encoding: str,
    header: bool = True,
) -> str:
    """Read text as text: nothing is guessed, every cell stays what it is."""
    called = ", ".join(f"'c{at}': 'VARCHAR'" for at in range(columns))
    return (
        f"read_csv({_list(files)}, auto_detect=false, columns={{{called}}}, header={str(header).lower()}, "
        f"delim={_text(delimiter)}, quote={_text(quote)}, escape={_text(quote)}, skip={skip}, "
        f"encoding={_text(encoding)}, strict_mode=true, null_padding=false)"
    )


def _written(target: Path, options: WriteOptions) -> str:
    if target.suffix.lower() in _PARQUET_SUFFIXES:
        return f"FORMAT parquet, COMPRESSION snappy, {_IN_PLACE}"
    return (
        f"FORMAT csv, {_IN_PLACE}, HEADER true, DELIMITER {_text(_delimiter(target, options))}, QUOTE '\"', ESCAPE '\"'"
    )


def _delimiter(target: Path, options: WriteOptions) -> str:
    return "\t" if target.suffix.lower() in (".tsv", ".tab") and options.delimiter == "," else options.delimiter


def _list(files: Sequence[Path]) -> str:
    return f"[{', '.join(_text(str(file)) for file in files)}]"


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _installed() -> None:
    try:
        import duckdb  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError:
        raise MissingExtra(
            "Tables beyond memory need the packages duckdb and pyarrow, which are not installed.",
            message("Install them with: {command}", command="pip install 'anonymizer-gui[scale]'"),
        ) from None
