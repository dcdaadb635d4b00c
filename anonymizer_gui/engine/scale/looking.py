"""A table that an engine holds, to be looked at: some rows of it, and exact figures of every column."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from anonymizer_gui.engine.files.source import Source, is_address
from anonymizer_gui.engine.params import to_json
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.scale.contract import Engine
from anonymizer_gui.engine.scale.counting import scalar
from anonymizer_gui.engine.scale.duck import DuckEngine, Room
from anonymizer_gui.engine.scale.inputs import DATABASE, Input, input_of, is_for_engines
from anonymizer_gui.engine.scale.opening import DUCKDB, engine_at, why_engine
from anonymizer_gui.engine.scale.rows import table_of
from anonymizer_gui.engine.scale.values import values_of
from anonymizer_gui.engine.shapes.tables.held import Crowd, CrowdedColumn, HeldTable
from anonymizer_gui.engine.shapes.tables.import_preview import Look, look
from anonymizer_gui.engine.shapes.tables.io import ReadOptions
from anonymizer_gui.engine.shapes.tables.io.headers import repaired
from anonymizer_gui.engine.shapes.tables.io.source_tables import HOLDER, MEMORY, holder_of, options_of
from anonymizer_gui.engine.shapes.tables.suggestions import guess_types, guessed_schema
from anonymizer_gui.engine.shapes.tables.table import Column, Table
from anonymizer_gui.engine.words import Sentence, say

SHOWN_ROWS = 20_000
MOST_LISTED = 1_000_000
"""Columns of more different values are not listed; the engine tells their figures."""
_TOP = 12
_FIRST_ROWS = 200


def engine_for(source: Source) -> str:
    """Say which engine is to hold the table of a source: DuckDB where that was chosen, or where memory is too small.

    Nothing where memory holds it. A project may come from anybody: a cluster that it names is not called up. Raises
    BadParameter.
    """
    holder = holder_of(source)
    if holder:
        return "" if holder == MEMORY else DUCKDB
    return DUCKDB if why_engine(source.path) is not None else ""


def held_table(
    source: Source, address: str, progress: Progress = SILENT, room: Room | None = None
) -> tuple[HeldTable, Source]:
    """Look at a table through an engine; gives the source as a project keeps it, too.

    Raises UnreadableFile, EngineFailed, MissingExtra, BadParameter.
    """
    found = input_of(source.path, options_of(source))
    with closing(engine_at(address, found.files, room)) as engine:
        table = look_at(engine, found, progress.sub(0.0, 0.9))
    place = found.place if is_address(found.place) else str(Path(found.place).absolute())
    options = {**to_json(found.options), HOLDER: address}
    return table, replace(source, path=place, sha256=found.digest(progress.sub(0.9, 1.0)), options=options)


def told_held(name: str, table: HeldTable) -> Sentence:
    """Say in one line that a table stays where it is, and what is shown of it."""
    return say(
        "“{name}” stays where it is: {shown:,} of {rows:,} rows are shown, drawn at random. The figures of columns are "
        "exact, of all rows.",
        name=name,
        shown=table.n_rows,
        rows=table.n_whole,
    )


def look_at(engine: Engine, source: Input, progress: Progress = SILENT) -> HeldTable:
    """Draw some rows of a table, and count every column of it."""
    progress(0.0, say("Opening the table"))
    names, _ = repaired(engine.open(source, progress))
    rows = scalar(engine, "SELECT count(*) AS n FROM source", progress)
    progress(0.1, say("Drawing rows"))
    sample = table_of(names, engine.fetch(engine.sampled(SHOWN_ROWS), progress), source.options.missing)
    widths = _widths(engine, len(names), progress)
    counted = {}
    for at, name in enumerate(names):
        progress(0.2 + 0.8 * at / len(names), say("Counting the values of “{name}”", name=name))
        if widths[at] < MOST_LISTED:
            counted[name] = values_of(engine, at, name, source.options.missing, progress).column
        else:
            counted[name] = _crowded(engine, at, sample.column(name), source.options.missing, rows, progress)
    return HeldTable(sample.columns, sample.n_rows, rows, counted, engine.address)


def look_into(source: str, options: ReadOptions | None, progress: Progress = SILENT) -> Look:
    """Look into a file, or into a folder, a pattern or a DuckDB file, which only engines read as a whole.

    Raises UnreadableFile, EngineFailed, MissingExtra.
    """
    why = why_engine(source)
    if not is_for_engines(source):
        return replace(look(source, options, progress), why_held=why)
    found = input_of(source, options)
    if found.kind != DATABASE:
        return replace(look(str(found.files[0]), options, progress), why_held=why)
    with closing(DuckEngine(found.files)) as engine:
        parts = tuple(engine.tables(found, progress))
        chosen = replace(found.options, part=found.options.part or next(iter(parts), ""))
        names, _ = repaired(engine.open(replace(found, options=chosen), progress))
        first = engine.fetch(f"SELECT * FROM source LIMIT {_FIRST_ROWS}", progress)
        table = table_of(names, first, chosen.missing)
    schema = guessed_schema(guess_types(table, progress, chosen.decimal))
    return Look(chosen, ("missing",), parts, table, schema, (), None, why)


def _widths(engine: Engine, columns: int, progress: Progress) -> list[int]:
    """Guess how many different values each column has."""
    if not columns:
        return []
    asked = ", ".join(f"approx_count_distinct(c{at}) AS d{at}" for at in range(columns))
    row = next(iter(engine.fetch(f"SELECT {asked} FROM source", progress)))
    return [int(row.column(at)[0].as_py()) for at in range(columns)]


def _crowded(
    engine: Engine, at: int, sample: Column, missing: Sequence[str], rows: int, progress: Progress
) -> CrowdedColumn:
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
    frequent = table_of(("raw", "n"), engine.fetch(f"SELECT raw, n FROM {known} ORDER BY n DESC, raw LIMIT {_TOP}"))
    gone = rows - present
    crowd = Crowd(rows, distinct, gone, unique, pairs + gone * (gone - 1), _pairs(frequent))
    return CrowdedColumn(sample.name, sample.codes, sample.labels, None, crowd)


def _pairs(table: Table) -> tuple[tuple[str, int], ...]:
    texts, numbers = (column.texts().tolist() for column in table.columns)
    return tuple((text, int(number)) for text, number in zip(texts, numbers, strict=True))
