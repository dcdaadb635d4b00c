"""Rows to look at and exact figures of a table that stays in its engine."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import to_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions
from anonymizer_gui.engine.data.tables.io.contract import TextEncoder
from anonymizer_gui.engine.data.tables.io.parquet import add_values
from anonymizer_gui.engine.data.tables.io.read_write import (
    IN_MEMORY,
    ImportPreview,
    engine_of,
    options_of_source,
    preview_import,
)
from anonymizer_gui.engine.data.tables.normalisation import NormalisationCounts, normalise_column, repair_names
from anonymizer_gui.engine.data.tables.suggestions import guess_types, guessed_schema
from anonymizer_gui.engine.data.tables.table import Column, ColumnCounts, CountedColumn, SampledTable, Table
from anonymizer_gui.engine.scale.contract import (
    DATABASE,
    Engine,
    EngineInput,
    find_input,
    is_for_cluster,
    is_for_engines,
)
from anonymizer_gui.engine.scale.duckdb_engine import DuckEngine, EngineLimits
from anonymizer_gui.engine.scale.engine_choice import DUCKDB, open_engine, reason_for_engine, refuse_unsound_engine
from anonymizer_gui.engine.scale.frequency_set import NO_REWRITES, ValueRewrites, distinct_values, scalar
from anonymizer_gui.engine.scale.spark_engine import SCHEME
from anonymizer_gui.engine.storage.sources import ENGINE_OPTION, Source, is_address

if TYPE_CHECKING:
    import pyarrow as pa


def table_from_arrow(names: Sequence[str], batches: "Iterable[pa.RecordBatch]", missing: Iterable[str] = ()) -> Table:
    """Make a table of an engine's answer, whose columns are in the order of the names."""
    coders = [TextEncoder() for _ in names]
    n_rows = 0
    for batch in batches:
        n_rows += batch.num_rows
        for coder, values in zip(coders, batch.columns, strict=True):
            add_values(coder, values)
    tokens, tally = frozenset(missing), NormalisationCounts()
    columns = [
        normalise_column(name, np.asarray(codes), labels, tokens, tally)
        for name, (codes, labels) in zip(names, (coder.finish() for coder in coders), strict=True)
    ]
    return Table(tuple(columns), n_rows)


SHOWN_ROWS = 20_000

MOST_LISTED = 1_000_000
"""Columns of more different values are not listed; the engine tells their figures."""

_TOP = 12

_FIRST_ROWS = 200

Preparing = Callable[[Engine, Sequence[str], EngineInput], ValueRewrites]
"""Prepares a table that an engine has opened; tells how its values are written then."""


def engine_for(source: Source) -> str:
    """Say which engine is to hold the table of a source: DuckDB where that was chosen, or where memory is too small.

    Nothing where memory holds it. A project may come from anybody: a cluster that it names is called up only for a
    table that only clusters see, which nobody reads unasked. Raises BadParameter.
    """
    holder = engine_of(source)
    if is_for_cluster(source.path):
        return cluster_address(source.path, holder)
    if holder:
        return "" if holder == IN_MEMORY else DUCKDB
    return DUCKDB if reason_for_engine(source.path) is not None else ""


def read_sampled_table(
    source: Source,
    address: str,
    progress: Progress = SILENT,
    room: EngineLimits | None = None,
    preparing: Preparing | None = None,
) -> tuple[SampledTable, Source]:
    """Look at a table through an engine; gives the source as a project keeps it, too.

    Raises UnreadableFile, EngineFailed, MissingExtra, BadParameter.
    """
    found = find_input(source.path, options_of_source(source))
    with closing(open_engine(address, found.files, room)) as engine:
        refuse_unsound_engine(engine, progress)
        table = sample_table(engine, found, progress.sub(0.0, 0.9), preparing)
    place = found.place if is_address(found.place) else str(Path(found.place).absolute())
    options = {**to_json(found.options), ENGINE_OPTION: address}
    return table, replace(source, path=place, sha256=found.digest(progress.sub(0.9, 1.0)), options=options)


def cluster_address(place: str, address: str) -> str:
    """Give the address of the cluster that sees a place; raises BadParameter when none is named."""
    if not address.startswith(SCHEME):
        raise BadParameter(
            message("Only a cluster reads “{name}”.", name=place), "Name the cluster, such as sc://localhost:15002."
        )
    return address


def sampled_table_note(name: str, table: SampledTable) -> Message:
    """Say in one line that a table stays where it is, and what is shown of it."""
    return message(
        "“{name}” stays where it is: {shown:,} of {rows:,} rows are shown, drawn at random. The figures of columns are "
        "exact, of all rows.",
        name=name,
        shown=table.n_rows,
        rows=table.n_whole,
    )


def sample_table(
    engine: Engine, source: EngineInput, progress: Progress = SILENT, preparing: Preparing | None = None
) -> SampledTable:
    """Draw some rows of a table, and count every column of it; `preparing` is done first."""
    progress(0.0, message("Opening the table"))
    names, _ = repair_names(engine.open(source, progress))
    written = preparing(engine, names, source) if preparing is not None else NO_REWRITES
    rows = scalar(engine, "SELECT count(*) AS n FROM source", progress)
    progress(0.1, message("Drawing rows"))
    sample = table_from_arrow(names, engine.fetch(engine.sampled(SHOWN_ROWS), progress), source.options.missing)
    widths = _widths(engine, len(names), progress)
    counted = {}
    for at, name in enumerate(names):
        progress(0.2 + 0.8 * at / len(names), message("Counting the values of “{name}”", name=name))
        if widths[at] < MOST_LISTED or name in written.new:
            counted[name] = written.column(distinct_values(engine, at, name, source.options.missing, progress).column)
        else:
            counted[name] = _crowded(engine, at, sample.column(name), source.options.missing, rows, progress)
    return SampledTable(written.table(sample).columns, sample.n_rows, rows, counted, engine.address)


def preview_input(
    source: str, options: ReadOptions | None, cluster: str = "", progress: Progress = SILENT
) -> ImportPreview:
    """Look into a file, or into a folder, a pattern or a DuckDB file, which only engines read as a whole.

    What only a cluster sees it is asked for. Raises UnreadableFile, EngineFailed, MissingExtra, BadParameter.
    """
    if is_for_cluster(source):
        return _look_through(cluster_address(source, cluster), find_input(source, options), progress)
    why = reason_for_engine(source)
    if not is_for_engines(source):
        return replace(preview_import(source, options, progress), why_held=why)
    found = find_input(source, options)
    if found.kind != DATABASE:
        return replace(preview_import(str(found.files[0]), options, progress), why_held=why)
    with closing(DuckEngine(found.files)) as engine:
        parts = tuple(engine.tables(found, progress))
        chosen = replace(found.options, part=found.options.part or next(iter(parts), ""))
        return replace(_first_rows(engine, replace(found, options=chosen), progress), parts=parts, why_held=why)


def _look_through(address: str, source: EngineInput, progress: Progress) -> ImportPreview:
    with closing(open_engine(address)) as engine:
        refuse_unsound_engine(engine, progress)
        why = message("“{name}” is read by the cluster at {address}.", name=source.place, address=address)
        return replace(_first_rows(engine, source, progress), why_held=why)


def _first_rows(engine: Engine, source: EngineInput, progress: Progress) -> ImportPreview:
    names, _ = repair_names(engine.open(source, progress))
    first = engine.fetch(f"SELECT * FROM source LIMIT {_FIRST_ROWS}", progress)
    table = table_from_arrow(names, first, source.options.missing)
    schema = guessed_schema(guess_types(table, progress, source.options.decimal))
    return ImportPreview(source.options, ("missing",), (), table, schema, (), None)


def _widths(engine: Engine, columns: int, progress: Progress) -> list[int]:
    """Guess how many different values each column has."""
    if not columns:
        return []
    asked = ", ".join(f"approx_count_distinct(c{at}) AS d{at}" for at in range(columns))
    row = next(iter(engine.fetch(f"SELECT {asked} FROM source", progress)))
    return [int(row.column(at)[0].as_py()) for at in range(columns)]


def _crowded(
    engine: Engine, at: int, sample: Column, missing: Sequence[str], rows: int, progress: Progress
) -> CountedColumn:
    """Let the engine count a column of very many values; they are told apart as they are written."""
    import pyarrow as pa

    engine.load("tokens", pa.table({"token": pa.array(["", *missing], pa.string())}), progress)
    text = f"CAST(c{at} AS STRING)"
    engine.keep("crowd", f"SELECT {text} AS raw, count(*) AS n FROM source GROUP BY {text}", progress)
    known = "(SELECT raw, n FROM crowd WHERE raw IS NOT NULL AND trim(raw) NOT IN (SELECT token FROM tokens)) g"
    asked = (
        "SELECT count(*) AS many, CAST(coalesce(sum(CASE WHEN n = 1 THEN 1 ELSE 0 END), 0) AS BIGINT) AS alone, "
        "CAST(coalesce(sum(n), 0) AS BIGINT) AS present, CAST(coalesce(sum(n * (n - 1)), 0) AS BIGINT) AS same "
        f"FROM {known}"
    )
    row = next(iter(engine.fetch(asked, progress)))
    distinct, unique, present, pairs = (int(row.column(place)[0].as_py()) for place in range(4))
    frequent = table_from_arrow(
        ("raw", "n"), engine.fetch(f"SELECT raw, n FROM {known} ORDER BY n DESC, raw LIMIT {_TOP}")
    )
    gone = rows - present
    crowd = ColumnCounts(rows, distinct, gone, unique, pairs + gone * (gone - 1), _pairs(frequent))
    return CountedColumn(sample.name, sample.codes, sample.labels, None, crowd)


def _pairs(table: Table) -> tuple[tuple[str, int], ...]:
    texts, numbers = (column.texts().tolist() for column in table.columns)
    return tuple((text, int(number)) for text, number in zip(texts, numbers, strict=True))
