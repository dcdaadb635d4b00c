"""Spark Connect."""

import contextlib
import csv
import os
import secrets
import shutil
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlsplit

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter, MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.scale.contract import CSV, PARQUET, REMOTE, EngineFailed, EngineInput, SpillFolder

if TYPE_CHECKING:
    import pyarrow as pa


_ROWS_AT_ONCE = 1 << 17


def write_expanded_rows(
    batches: "Iterable[pa.RecordBatch]",
    names: Sequence[str],
    target: Path,
    options: WriteOptions,
    progress: Progress = SILENT,
) -> None:
    """Write rows of texts, whose last column says how often each occurs, as Parquet or delimited text."""
    if target.suffix.lower() in (".parquet", ".pq"):
        _write_parquet(_repeated(batches, progress), names, target)
    else:
        _write_text(_repeated(batches, progress), names, target, options)


def _repeated(batches: "Iterable[pa.RecordBatch]", progress: Progress) -> "Iterator[pa.RecordBatch]":
    """Tell every row as often as it occurs, some at a time however often that is."""
    import pyarrow as pa

    for batch in batches:
        left = batch.column(batch.num_columns - 1).to_numpy(zero_copy_only=False).astype(np.int64)
        ends = np.cumsum(left)
        total = int(ends[-1]) if len(ends) else 0
        for start in range(0, total, _ROWS_AT_ONCE):
            progress.check()
            rows = np.searchsorted(ends, np.arange(start, min(start + _ROWS_AT_ONCE, total)), side="right")
            yield pa.RecordBatch.from_arrays(
                [column.take(pa.array(rows)) for column in batch.columns[:-1]], names=batch.schema.names[:-1]
            )


def _write_parquet(batches: "Iterable[pa.RecordBatch]", names: Sequence[str], target: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    schema = pa.schema([pa.field(name, pa.string()) for name in names])
    with pyarrow.parquet.ParquetWriter(
        target, schema, use_dictionary=True, write_statistics=False, store_schema=False, compression="snappy"
    ) as writer:
        for batch in batches:
            columns = [column.cast(pa.string()) for column in batch.columns]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))


def _write_text(batches: "Iterable[pa.RecordBatch]", names: Sequence[str], target: Path, options: WriteOptions) -> None:
    is_tabbed = target.suffix.lower() in (".tsv", ".tab") and options.delimiter == ","
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t" if is_tabbed else options.delimiter, lineterminator="\n")
        writer.writerow(names)
        for batch in batches:
            columns = [["" if cell is None else cell for cell in column.to_pylist()] for column in batch.columns]
            writer.writerows(zip(*columns, strict=True))


TOKEN = "ANONYMIZER_SPARK_TOKEN"
"""The environment variable a token is taken from; otherwise the keyring is asked, under the name of the program."""

SCHEME = "sc://"

_KEYRING = "anonymizer-gui"

_LOOK_EVERY_S = 0.05

_TRIES = 2

_PARTITIONS = "spark.sql.shuffle.partitions"

_AT_ONCE = 65_536

_PARQUET_SUFFIXES = (".parquet", ".pq", "")

Answer = TypeVar("Answer")


class SparkEngine:
    """A Spark cluster, or whoever else speaks Spark Connect, behind one address."""

    def __init__(self, address: str) -> None:
        self.address = checked_address(address)
        sessions = _sessions()
        self._views: dict[str, Any] = {}
        try:
            self._spark = sessions.builder.remote(with_token(self.address)).create()
            _give_up_soon(self._spark)
            self._version = str(self._spark.version)
            self._spark.conf.set("spark.sql.session.timeZone", "UTC")
        except _failures() as error:
            raise _lost(self.address) from error

    def described(self) -> dict[str, str]:
        """Tell the version of the server."""
        return {"engine": "Spark Connect", "version": self._version}

    def name(self, text: str) -> str:
        """Quote a name: between other marks than DuckDB does, which would make a text of it."""
        return "`" + text.replace("`", "``") + "`"

    def sampled(self, rows: int) -> str:
        """Draw rows of the source by a digest of their cells, the same every time."""
        columns = ", ".join(self._views["source"].columns)
        return f"SELECT * FROM source ORDER BY xxhash64({columns}) LIMIT {rows}"

    def open(self, source: EngineInput, progress: Progress = SILENT) -> list[str]:
        """Call a table `opened` and `source`, and its columns c0, c1, ..."""
        frame = self._asked(lambda: self._frame(source), progress)
        names = list(source.names) or list(self._asked(lambda: frame.columns, progress))
        self._view("opened", frame, len(names), progress)
        self.see("source", "SELECT * FROM opened", progress)
        return names

    def see(self, name: str, sql: str, progress: Progress = SILENT) -> None:
        """Give a query a name."""

        def named() -> Any:
            frame = self._spark.sql(sql)
            frame.createOrReplaceTempView(name)
            return frame

        self._views[name] = self._asked(named, progress)

    def run(self, sql: str, progress: Progress = SILENT) -> None:
        """Do something that has no answer."""
        self._asked(lambda: self._spark.sql(sql).collect(), progress)

    def keep(self, name: str, sql: str, progress: Progress = SILENT) -> None:
        """Keep the answer to a query in the memory and on the disks of the cluster."""

        def kept() -> Any:
            frame = self._spark.sql(sql).persist()
            frame.createOrReplaceTempView(name)
            frame.count()
            return frame

        before = self._views.get(name)
        self._views[name] = self._asked(kept, progress)
        if before is not None:
            before.unpersist()

    def fetch(self, sql: str, progress: Progress = SILENT, *, last: bool = False) -> "Iterator[pa.RecordBatch]":
        """Give the answer to a query."""
        table = self._asked(lambda: self._spark.sql(sql).toArrow(), progress)
        yield from table.to_batches()

    def load(self, name: str, table: "pa.Table", progress: Progress = SILENT) -> None:
        """Send a table to the cluster; of one without rows the client must be told what its columns are."""
        from pyspark.sql.pandas.types import from_arrow_schema

        def sent() -> None:
            schema = None if table.num_rows else from_arrow_schema(table.schema)
            self._spark.createDataFrame(table, schema).createOrReplaceTempView(name)

        self._asked(sent, progress)

    def write(
        self, sql: str, names: Sequence[str], target: Path, options: WriteOptions, progress: Progress = SILENT
    ) -> None:
        """Let the cluster write Parquet where it sees the folder of the file; otherwise fetch the rows and write here.

        Fetched are distinct rows with their counts, each of which is written as often as it occurs.
        """
        is_parquet = target.suffix.lower() in _PARQUET_SUFFIXES
        if not is_parquet or not self._written_there(sql, names, target, progress):
            write_expanded_rows(self.fetch(sql, progress), names, target, options, progress)

    def read(self, name: str, target: Path, columns: int, options: WriteOptions, progress: Progress = SILENT) -> None:
        """Read a file that cluster and program both see."""
        place = target.absolute().as_uri()
        if target.suffix.lower() in _PARQUET_SUFFIXES:
            frame = self._asked(lambda: self._spark.read.parquet(place), progress)
        else:
            chosen = {"header": True, "sep": options.delimiter, "quote": '"', "escape": '"', "multiLine": True}
            frame = self._asked(lambda: self._spark.read.options(**chosen).csv(place), progress)
        self._view(name, frame, columns, progress)

    def close(self) -> None:
        """Leave the cluster, which forgets what it kept."""
        with contextlib.suppress(Exception):
            for frame in self._views.values():
                frame.unpersist()
        with contextlib.suppress(Exception):
            self._spark.stop()

    def _written_there(self, sql: str, names: Sequence[str], target: Path, progress: Progress) -> bool:
        """Have one sorted file written by the cluster; tells whether it could."""
        called = ", ".join(f"t{at} AS {self.name(name)}" for at, name in enumerate(names))
        # Two steps, so that a row that occurs a million times is never told in one list.
        parts = f"SELECT *, explode(sequence(0, (n - 1) div {_AT_ONCE})) AS part FROM ({sql}) s"
        each = f"SELECT *, explode(sequence(1, least({_AT_ONCE}, n - part * {_AT_ONCE}))) AS time FROM ({parts}) p"

        def written(folder: Path) -> None:
            before = self._spark.conf.get(_PARTITIONS)
            self._spark.conf.set(_PARTITIONS, "1")  # one sorted file, whatever the cluster likes
            try:
                frame = self._spark.sql(f"SELECT {called} FROM ({each}) e").coalesce(1)
                frame.write.option("compression", "snappy").parquet(folder.as_uri())
            finally:
                self._spark.conf.set(_PARTITIONS, before)

        with closing(SpillFolder(target.parent)) as place:
            try:
                if not self._sees(place.new(".txt"), progress):
                    return False
                folder = place.new(".parquet")
                self._asked(lambda: written(folder), progress)
            except (EngineFailed, UnreadableFile):
                return False  # to fetch the rows tells whether the connection is lost
            found = list(folder.glob("part-*.parquet"))
            if len(found) != 1:
                return False
            # Into the file that is there: others know by its lock that it is being written.
            with found[0].open("rb") as made, target.open("wb") as file:
                shutil.copyfileobj(made, file, 1 << 20)
        return True

    def _sees(self, file: Path, progress: Progress) -> bool:
        """Tell whether the cluster reads and writes the same disk as this program."""
        token = secrets.token_hex(16)
        file.write_text(token, encoding="ascii")
        found = self._asked(lambda: self._spark.read.text(file.as_uri()).toArrow(), progress)
        return bool(found.num_rows == 1 and found.column(0)[0].as_py() == token)

    def _frame(self, source: EngineInput) -> Any:
        if source.kind == REMOTE:
            return self._remote(source)
        places = [file.as_uri() for file in source.files]
        if source.kind == PARQUET:
            return self._spark.read.parquet(*places)
        if source.kind != CSV or source.options.skip_lines:
            raise UnreadableFile(
                "A cluster reads Parquet, and CSV without lines above the table.", "Save the table as Parquet."
            )
        return self._spark.read.options(**_reading(source)).csv(places)

    def _remote(self, source: EngineInput) -> Any:
        scheme, _, rest = source.place.partition("://")
        if scheme == "table":
            return self._spark.table(rest)
        if Path(rest).suffix.lower() in _PARQUET_SUFFIXES:
            return self._spark.read.parquet(source.place)
        return self._spark.read.options(**_reading(source)).csv(source.place)

    def _view(self, name: str, frame: Any, columns: int, progress: Progress) -> None:
        named = frame.toDF(*(f"c{at}" for at in range(columns)))
        self._views[name] = named
        self._asked(lambda: named.createOrReplaceTempView(name), progress)

    def _asked(self, question: Callable[[], Answer], progress: Progress) -> Answer:
        """Ask on another thread and wait; a stop stops what the cluster is doing for us, too."""
        answers: list[Answer] = []
        errors: list[BaseException] = []

        def ask() -> None:
            try:
                answers.append(question())
            except BaseException as error:  # noqa: BLE001 - told on the thread that waits
                errors.append(error)

        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        try:
            while asking.is_alive():
                progress.check()
                asking.join(_LOOK_EVERY_S)
        except BaseException:
            with contextlib.suppress(Exception):
                self._spark.interruptAll()
            asking.join(10.0)
            raise
        if errors:
            raise _told(errors[0], self.address)
        return answers[0]


def checked_address(address: str) -> str:
    """Refuse an address that is none, or that holds a token: it would be saved and shown. Raises BadParameter."""
    parts = urlsplit(address)
    if not address.startswith(SCHEME) or not parts.hostname:
        raise BadParameter(message("“{address}” is no address of a cluster.", address=address), "It is sc://host:port.")
    if "token=" in address.lower():
        raise BadParameter(
            "A token does not belong into the address.",
            message("Put it into the keyring, or into the environment as {name}.", name=TOKEN),
        )
    return address


def with_token(address: str) -> str:
    """Put the token into the address the client connects to, and nowhere else."""
    token = quote(os.environ.get(TOKEN, "") or _from_keyring(address), safe="")  # many end with =, which parts words
    if not token:
        return address
    place, _, options = address.partition("/;")
    return f"{place.rstrip('/')}/;{options};token={token}" if options else f"{place.rstrip('/')}/;token={token}"


def _from_keyring(address: str) -> str:
    try:
        import keyring
    except ImportError:
        return ""
    with contextlib.suppress(Exception):  # no keyring on this system is no error
        return keyring.get_password(_KEYRING, urlsplit(address).netloc) or ""
    return ""


def _reading(source: EngineInput) -> dict[str, Any]:
    """Read text as text: nothing is guessed, every cell stays what it is."""
    options = source.options
    return {
        "header": options.header,
        "sep": options.delimiter,
        "quote": options.quote,
        "escape": options.quote,
        "encoding": options.encoding,
        "multiLine": True,
        "inferSchema": False,
        "ignoreLeadingWhiteSpace": False,
        "ignoreTrailingWhiteSpace": False,
        "mode": "FAILFAST",
    }


def _sessions() -> Any:
    try:
        from pyspark.sql.connect.session import SparkSession
    except ImportError:
        raise MissingExtra(
            "A Spark cluster needs the package pyspark-client, which is not installed.",
            message("Install it with: {command}", command="pip install 'anonymizer-gui[spark]'"),
        ) from None
    # The sentence we tell says the same; as a warning it would stand beside it.
    warnings.filterwarnings("ignore", r"\[RETRIES_EXCEEDED\]")
    return SparkSession


def _give_up_soon(spark: Any) -> None:
    """Tell a lost connection after seconds, not after the ten minutes the client would go on trying."""
    from pyspark.sql.connect.client.retries import DefaultPolicy

    spark.client.set_retry_policies([DefaultPolicy(max_retries=_TRIES, max_backoff=1000)])


def _failures() -> tuple[type[BaseException], ...]:
    import grpc
    from pyspark.errors import PySparkException

    return (PySparkException, grpc.RpcError, OSError, ValueError)


def _told(error: BaseException, address: str) -> BaseException:
    """Say in one sentence what went wrong; what the cluster says may hold cells and stays out."""
    if not isinstance(error, _failures()):
        return error
    name = type(error).__name__
    if "Analysis" in name or "Parse" in name:
        return UnreadableFile(
            message("The cluster cannot read the table, or not as it was asked ({name}).", name=name),
            "Check that the cluster sees this place, and that the table is there.",
        )
    if "Grpc" in name or "Rpc" in name or "Connect" in name or isinstance(error, OSError):
        return _lost(address)
    return EngineFailed(
        message("The cluster could not finish what it was asked ({name}).", name=name),
        "Look into its log; the table may be damaged, or memory or disks of the cluster full.",
    )


def _lost(address: str) -> EngineFailed:
    return EngineFailed(
        message("There is no connection to the cluster at {address}.", address=address),
        "Check the address, the network and the token, and run again.",
    )
