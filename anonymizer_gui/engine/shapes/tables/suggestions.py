"""Proposes a type and a role for every column, each with its reason; nothing is applied by itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.tables.column_words import is_number_of_something, name_in_short, role_by_name
from anonymizer_gui.engine.shapes.tables.overview import FEW_ROWS, NEARLY_ALL, ColumnFacts, facts_of
from anonymizer_gui.engine.shapes.tables.table import MISSING, Column, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.shapes.tables.values import TypeGuess, guess_type

_PATTERNS = {
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"),
    "social security numbers": re.compile(r"\d{3}-\d{2}-\d{4}"),
    "bank accounts (IBAN)": re.compile(r"[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){2,7}( ?[A-Z0-9]{1,4})?"),
    "IP addresses": re.compile(r"(\d{1,3}\.){3}\d{1,3}|([0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{1,4}"),
    "web addresses": re.compile(r"(https?://|www\.)\S+"),
    "unique keys (UUID)": re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    "phone numbers": re.compile(
        r"(\+\d{1,3}|00\d{1,3}|\(?0\d{1,4}\)?|\(\d{3}\))[\s/.-]?\(?\d{2,4}\)?([\s/.-]?\d{2,5}){1,4}"
    ),
}
_PHONE = "phone numbers"
_MATCHING_SHARE = 0.8
_SAMPLE = 1000
_WORDS = (ColumnType.CATEGORY, ColumnType.TEXT)
_MANY = 1 / 2


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a column seems to be, and why; `doubt` says what to check about its type."""

    column: str
    type: ColumnType
    format: str
    role: Role
    reason: str
    distinction: float = 0.0
    """Different values per row that has one."""
    misfits: int = 0
    doubt: str = ""


def suggest(table: Table, progress: Progress = SILENT, decimal: str = ".") -> tuple[Suggestion, ...]:
    """Propose type and role of every column, in order."""
    found = []
    for number, column in enumerate(table.wholes()):
        progress(number / len(table.columns), message("Looking at “{name}”", name=column.name))
        guess = guess_type(column, decimal)
        facts = facts_of(column)
        role, reason = _role(column, guess, facts)
        share = facts.distinct_share
        found.append(
            Suggestion(column.name, guess.type, guess.format, role, reason, share, guess.misfits, _doubt(guess))
        )
    return tuple(found)


def guess_types(table: Table, progress: Progress = SILENT, decimal: str = ".") -> dict[str, TypeGuess]:
    """Guess the type of every column; roles are the user's to decide."""
    guesses = {}
    for number, column in enumerate(table.wholes()):
        progress(number / len(table.columns), message("Looking at “{name}”", name=column.name))
        guesses[column.name] = guess_type(column, decimal)
    return guesses


def guessed_schema(guesses: Mapping[str, TypeGuess]) -> Schema:
    """Make a schema of guessed types, in which no column has a role."""
    return Schema(tuple(ColumnSchema(name, guess.type, guess.format) for name, guess in guesses.items()))


def schema_after(table: Table, schema: Schema) -> Schema:
    """Give the schema of a table that was read otherwise: columns that are gone lose their entry, new ones get one."""
    known = {column.name: column for column in schema.columns}
    new = table.select([name for name in table.names if name not in known])
    guessed = {column.name: column for column in guessed_schema(guess_types(new)).columns}
    return Schema(tuple(known.get(name) or guessed[name] for name in table.names))


def _doubt(guess: TypeGuess) -> Message:
    unfit = message("{count:cell does|cells do} not fit the type.", count=guess.misfits) if guess.misfits else ""
    return join_messages(guess.doubt, unfit)


def identifying_columns(
    table: Table, types: Sequence[ColumnType], progress: Progress = SILENT
) -> tuple[tuple[str, str], ...]:
    """Name the columns that seem to point to one person by themselves, each with the reason."""
    found = []
    for number, (column, column_type) in enumerate(zip(table.wholes(), types, strict=True)):
        progress(number / len(table.columns), message("Looking at “{name}”", name=column.name))
        if why := why_identifying(column, column_type):
            found.append((column.name, why))
    return tuple(found)


def why_identifying(column: Column, column_type: ColumnType) -> str:
    """Say why a column seems to point to one person by itself; nothing when it does not.

    Here numbers with many digits count as well: whoever knows an exact amount finds the row.
    """
    by_itself = _identifying(column, column_type)
    if by_itself:
        return by_itself
    facts = facts_of(column)
    if facts.is_nearly_unique or facts.singles_out_most:
        sentence = "{share:.0%} of the {rows:,} rows with a value have one of their own."
        return message(sentence, share=facts.unique_share, rows=facts.present)
    return ""


def _identifying(column: Column, column_type: ColumnType) -> str:
    """Say why name or pattern speak for an identifier; nothing when they do not."""
    if what := _pattern(column, column_type):
        return message("The values look like {what}.", what=message(what))
    named = role_by_name(column.name) or _name_of_words(column, column_type)
    return _named(*named) if named and named[0] is Role.EI else ""


def _role(column: Column, guess: TypeGuess, facts: ColumnFacts) -> tuple[Role, str]:
    if why := _identifying(column, guess.type):
        return Role.EI, why
    named = role_by_name(column.name)
    if named:
        return named[0], _named(*named)
    if guess.type is ColumnType.PLACE:
        return Role.QI, message("These are places: where somebody lives or works is easily known.")
    if guess.type is ColumnType.SET:
        return Role.QI, message("These are sets: others may know a few items of somebody.")
    if found := _telling_values(guess, facts):
        return found
    if is_number_of_something(column.name) and facts.distinct_share > _MANY:
        return Role.EI, message("The name speaks of a number given to one person, and most rows have their own.")
    return Role.OTHER, message("Neither the name nor the values speak for another role.")


def _name_of_words(column: Column, column_type: ColumnType) -> tuple[Role, str] | None:
    """Take `first` and `last` for parts of a person's name when there are words below them."""
    word = name_in_short(column.name) if column_type in _WORDS else ""
    return (Role.EI, word) if word else None


def _telling_values(guess: TypeGuess, facts: ColumnFacts) -> tuple[Role, str] | None:
    """Judge by how many rows have a value of their own; rows without a value say nothing about those with one."""
    if facts.present < FEW_ROWS or guess.type is ColumnType.DECIMAL:
        return None
    share = facts.distinct_share
    if share == 1:
        rows = facts.present
        if facts.missing:
            return Role.EI, message("Every one of the {rows:,} rows that have a value has its own.", rows=rows)
        return Role.EI, message("Every one of the {rows:,} rows has its own value.", rows=rows)
    if share >= NEARLY_ALL:
        return Role.EI, message("There are nearly as many different values as rows ({share:.1%}).", share=share)
    if guess.type is ColumnType.DATE and "%S" in guess.format and share > _MANY:
        return Role.QI, message(
            "These are moments to the second, and most rows have their own ({share:.1%}).", share=share
        )
    return None


def _named(role: Role, words: str) -> Message:
    if role is Role.EI:
        return message("The name says “{words}”: it points to one person.", words=words)
    if role is Role.SA:
        return message("The name says “{words}”: people may not want it known.", words=words)
    return message(
        "The name says “{words}”: others may know it, and together with more it can point to one person.", words=words
    )


def _pattern(column: Column, column_type: ColumnType) -> str:
    """Name the pattern that most values follow; nothing if none."""
    labels = [label for label in column.labels if label != MISSING]
    sample = labels[:: max(len(labels) // _SAMPLE, 1)]
    if not sample or column_type is ColumnType.DATE:
        return ""
    for what, pattern in _PATTERNS.items():
        if what == _PHONE and column_type is ColumnType.DECIMAL:
            continue
        if sum(pattern.fullmatch(label) is not None for label in sample) >= _MATCHING_SHARE * len(sample):
            return what
    return ""
