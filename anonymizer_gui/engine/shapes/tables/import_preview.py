"""A look into a source before it is opened: the first rows as they would be read, and what they seem to be."""

from dataclasses import dataclass

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import Message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.shapes.tables.io import ReadOptions, choices, parts, preview, sniff
from anonymizer_gui.engine.shapes.tables.suggestions import Suggestion, guess_types, guessed_schema, suggest
from anonymizer_gui.engine.shapes.tables.table import Schema, Table
from anonymizer_gui.engine.shapes.tables.values import misfit_sentence


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The first rows, their types, what was done on the way, and what stands in the way."""

    options: ReadOptions
    choices: tuple[str, ...]
    parts: tuple[str, ...]
    table: Table
    schema: Schema
    problems: tuple[str, ...]
    error: AnonymizerError | None
    why_held: Message | None = None
    """Why the table is better left where it is, for an engine to read."""


def look(source: str, options: ReadOptions | None, progress: Progress) -> Look:
    """Look into a source; without options they are proposed. Raises UnreadableFile when nothing can be seen."""
    progress(0.1)
    there = parts(source)
    chosen = sniff(source) if options is None else options
    progress(0.4)
    seen = preview(source, chosen)
    schema = guessed_schema(guess_types(seen.table, progress.sub(0.6, 1.0), chosen.decimal))
    return Look(chosen, choices(source), there, seen.table, schema, seen.report.problems, seen.error)


def unfit(table: Table, schema: Schema) -> tuple[str, ...]:
    """Say for each column how many of its cells do not fit its type, and in which rows."""
    found = (misfit_sentence(column, schema.column(column.name)) for column in table.columns)
    return tuple(sentence for sentence in found if sentence)


def suggest_roles(table: Table, decimal: str, progress: Progress) -> tuple[Suggestion, ...]:
    """Propose type and role of every column, for a page that asks in the background."""
    return suggest(table, progress, decimal)
