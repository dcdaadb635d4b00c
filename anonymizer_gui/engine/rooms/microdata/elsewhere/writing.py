"""The release as an engine writes it: every combination by its published texts, sorted, as often as it occurs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.dictionary_encoding import text_order
from anonymizer_gui.engine.data.tables.io.contract import written_labels
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.rooms.microdata.elsewhere.fetching import Fetched
from anonymizer_gui.engine.scale.contract import Engine
from anonymizer_gui.engine.scale.frequency_set import DistinctValues, canonical_checksum

Ints = npt.NDArray[np.int64]
RELEASE = "published"
"""The name of the release in the engine: the texts t0, t1, ... and how often each row occurs, n."""


@dataclass(frozen=True, slots=True, eq=False)
class Further:
    """A column that the engine takes along as it is, or by pseudonyms: its values, and the texts they leave with."""

    values: DistinctValues
    written: Column


def publish_whole(engine: Engine, table: Table, options: WriteOptions, progress: Progress) -> None:
    """Give the engine a release that fits into memory, row by row or counted."""
    import pyarrow as pa

    codes = {f"p{at}": ranked(column)[column.codes] for at, column in enumerate(table.columns)}
    times = np.ones(table.n_told, dtype=np.int64) if table.times is None else table.times
    engine.load("made", pa.table({**codes, "n": times}), progress)
    listed = ", ".join(codes)
    grouped = f"SELECT {listed}, CAST(sum(n) AS BIGINT) AS n FROM made GROUP BY {listed}"
    _keep_release(engine, grouped, table.columns, options, progress)


def publish_joined(
    engine: Engine,
    fetched: Fetched,
    release: tuple[Table, Ints],
    further: Mapping[str, Further],
    order: Sequence[str],
    options: WriteOptions,
    progress: Progress,
) -> None:
    """Let the engine join what was decided about every combination to its rows, further columns beside.

    `release` is the published table and the row of the counted table that each of its rows was; `order` names all
    columns that leave.
    """
    load_decided(engine, fetched, release, progress)
    table = release[0]
    place = {column.name: f"p{at}" for at, column in enumerate(table.columns)}
    for one in further.values():
        engine.load(
            f"f{one.values.at}", one.values.lookup(ranked(one.written)[one.written.codes].astype(np.int64)), progress
        )
    picked = [
        f"{_further(further[name])} AS q{at}" if name in further else f"m.{place[name]} AS q{at}"
        for at, name in enumerate(order)
    ]
    taken = [f"c{one.values.at}" for one in further.values()]
    joins = [f"LEFT JOIN f{one.values.at} ON r.c{one.values.at} = f{one.values.at}.raw" for one in further.values()]
    on = " AND ".join(f"r.{key} = m.{key}" for key in fetched.keys.names)
    rows = f"({fetched.keys.of_rows(more=taken)}) r JOIN decided m ON {on} {' '.join(joins)}"
    listed = ", ".join(f"q{at}" for at in range(len(order)))
    grouped = f"SELECT {listed}, count(*) AS n FROM (SELECT {', '.join(picked)} FROM {rows}) g GROUP BY {listed}"
    columns = [further[name].written if name in further else table.column(name) for name in order]
    _keep_release(engine, _renamed(grouped, len(order)), columns, options, progress)


def load_decided(engine: Engine, fetched: Fetched, release: tuple[Table, Ints], progress: Progress) -> None:
    """Give the engine the published codes of every combination that is published, by its keys."""
    import pyarrow as pa

    table, rows = release
    keys = {name: key[rows] for name, key in zip(fetched.keys.names, fetched.key_of_row, strict=True)}
    codes = {f"p{at}": ranked(column)[column.codes] for at, column in enumerate(table.columns)}
    engine.load("decided", pa.table({**keys, **codes}), progress)


def kept_rows(fetched: Fetched, column: int) -> str:
    """Give the SQL of one column of the rows that are published."""
    on = " AND ".join(f"r.{key} = m.{key}" for key in fetched.keys.names)
    return f"(SELECT r.c{column} FROM ({fetched.keys.of_rows(more=[f'c{column}'])}) r JOIN decided m ON {on}) kept"


def write_release(engine: Engine, names: Sequence[str], target: Path, options: WriteOptions, progress: Progress) -> str:
    """Write the release that the engine has, and give its canonical checksum, as it ought to be found in the file."""
    texts = [f"t{at}" for at in range(len(names))]
    progress(0.0, message("Adding up the release"))
    digest = canonical_checksum(engine, RELEASE, texts, progress)
    progress(0.3, message("Writing the release"))
    order = ", ".join(f"p{at}" for at in range(len(texts)))
    ordered = f"SELECT {', '.join([*texts, 'n'])} FROM {RELEASE} ORDER BY {order}"
    engine.write(ordered, names, target, options, progress)
    return digest


def _keep_release(
    engine: Engine, grouped: str, columns: Sequence[Column], options: WriteOptions, progress: Progress
) -> None:
    """Put texts beside the codes, by which the rows will be sorted: their order tells nothing of the source's."""
    import pyarrow as pa

    for at, column in enumerate(columns):
        texts = pa.array(texts_in_file(column, options), pa.string())
        engine.load(f"l{at}", pa.table({"code": ranked(column), "label": texts}), progress)
    picked = ", ".join([*(f"l{at}.label AS t{at}" for at in range(len(columns))), "g.n"])
    joins = " ".join(f"JOIN l{at} ON g.p{at} = l{at}.code" for at in range(len(columns)))
    order = ", ".join(f"g.p{at}" for at in range(len(columns)))
    engine.keep(RELEASE, f"SELECT {picked}, {order} FROM ({grouped}) g {joins}", progress)


def texts_in_file(column: Column, options: WriteOptions) -> list[str | None]:
    """Give the text of every label as a file has it; None where nothing is written for a missing cell."""
    texts: list[str | None] = [*written_labels(column, options)]
    if MISSING in column.labels and not options.missing:
        texts[column.labels.index(MISSING)] = None
    return texts


def ranked(column: Column) -> npt.NDArray[np.int32]:
    """Give every label its place among the texts; narrow, for it is sent for every combination."""
    rank = np.empty(len(column.labels), dtype=np.int32)
    rank[text_order(column.labels)] = np.arange(len(column.labels), dtype=np.int32)
    return rank


def _further(one: Further) -> str:
    """Give the SQL of the code of a further column; null cells have the code of missing ones."""
    at = one.values.null_at()
    null = int(ranked(one.written)[one.written.codes[at]]) if at >= 0 else 0
    return f"CASE WHEN r.c{one.values.at} IS NULL THEN CAST({null} AS BIGINT) ELSE f{one.values.at}.place END"


def _renamed(grouped: str, columns: int) -> str:
    picked = ", ".join([*(f"q{at} AS p{at}" for at in range(columns)), "n"])
    return f"SELECT {picked} FROM ({grouped}) q"
