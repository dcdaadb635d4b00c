"""A look into a source before it is opened: the first rows as they would be read, and what they seem to be."""

from dataclasses import dataclass

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.schema import suggest, suggested_schema
from anonymizer_gui.engine.table import Schema, Table
from anonymizer_gui.engine.table_io import ReadOptions, parts, preview, sniff


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The first rows, their types, what was done on the way, and what stands in the way."""

    options: ReadOptions
    parts: tuple[str, ...]
    table: Table
    schema: Schema
    problems: tuple[str, ...]
    error: AnonymizerError | None


def look(source: str, options: ReadOptions | None, progress: Progress) -> Look:
    """Look into a source; without options they are proposed. Raises UnreadableFile when nothing can be seen."""
    progress(0.1)
    choices = parts(source)
    chosen = sniff(source) if options is None else options
    progress(0.4)
    seen = preview(source, chosen)
    schema = suggested_schema(suggest(seen.table, progress.sub(0.6, 1.0), chosen.decimal), with_roles=False)
    return Look(chosen, choices, seen.table, schema, seen.report.problems, seen.error)
