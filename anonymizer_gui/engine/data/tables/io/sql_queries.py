"""One plain SELECT and nothing else; rows of any database.

What a server would read in another way than this code does (escapes in texts, comments that run, quotes of other
dialects) is refused, so that nothing can hide in it. The server's own read-only transaction is the wall behind.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io.contract import TextEncoder, build_table, check_cells, check_column_count
from anonymizer_gui.engine.data.tables.io.options import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_report import ReadReport
from anonymizer_gui.engine.data.tables.normalisation import canonical_text, repair_names
from anonymizer_gui.engine.data.tables.table import Table


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FORBIDDEN = _words(
    """
    alter analyze attach begin call checkpoint cluster commit copy create deallocate declare delete detach discard do
    drop dumpfile exec execute explain export fetch grant handler import insert install into listen load lock merge
    move notify outfile pragma prepare procedure refresh reindex release rename reset returning revoke rollback
    savepoint set truncate unlisten unlock update use vacuum
    """
)

BEFORE_PARENTHESES = _words(
    """
    all and any array as asc between by case cast char character cross date decimal desc distinct else escape except
    exists extract filter float from group having ilike in inner intersect interval is join lateral left like limit
    materialized not nullif numeric offset on or order outer over partition precision range recursive right row rows
    select similar some then time timestamp to union using values varchar varying when where window with within
    """
)

_AGGREGATES = """
    any_value array_agg avg bool_and bool_or corr count covar_pop covar_samp cume_dist dense_rank every first_value
    group_concat lag last_value lead listagg max median min mode nth_value ntile percent_rank percentile_cont
    percentile_disc rank regr_slope row_number stddev stddev_pop stddev_samp string_agg sum total var_pop var_samp
    variance
"""

_TEXTS = """
    ascii bit_length btrim char_length character_length chr coalesce concat concat_ws elt field find_in_set format
    glob greatest hex if ifnull initcap instr isnull lcase least length locate lower lpad ltrim mid nvl
    octet_length overlay position printf quote quotename regexp_like regexp_match regexp_matches regexp_replace
    regexp_substr repeat replace reverse rpad rtrim soundex space split_part strcmp strpos substr substring
    substring_index to_char translate trim ucase unhex unicode upper typeof
"""

_NUMBERS = """
    abs acos asin atan atan2 ceil ceiling cos degrees div exp floor ln log log10 log2 mod pi pow power radians round
    sign sin sqrt tan to_number trunc width_bucket
"""

_DATES = """
    adddate age convert current_date current_time current_timestamp curdate date_add date_diff date_format date_part
    date_sub date_trunc datediff datetime day dayname dayofmonth dayofweek dayofyear from_days from_unixtime hour
    julianday last_day localtime localtimestamp make_date make_time make_timestamp makedate minute month monthname now
    period_diff quarter second strftime subdate str_to_date sysdate time_format timediff timestampadd timestampdiff
    to_date to_days to_timestamp unix_timestamp unixepoch week weekday weekofyear year yearweek
"""

_STRUCTURES = """
    array_length array_position array_to_string cardinality generate_series json_array_length json_extract
    json_extract_path_text json_type json_unquote json_valid json_value jsonb_array_length jsonb_extract_path_text
    string_to_array unnest
"""

FUNCTIONS = _words(f"{_AGGREGATES} {_TEXTS} {_NUMBERS} {_DATES} {_STRUCTURES}")

LONGEST = 100_000

_COMMON = r"""
    (?P<space>(?:\s+|--[^\r\n]*|/\*(?![!+])(?:(?!/\*|\*/)[^\\])*\*/)+)
    |(?P<text>'(?:[^'\\\0]|'')*')
    |(?P<word>[^\W\d][\w$]*)
    |(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w$]))
    |(?P<name>{names})
    |(?P<sign>(?!/\*|\*/|--){signs})
"""

_DOUBLE, _BACK = r'"(?:[^"\\\0]|"")+"', r"`(?:[^`\\\0]|``)+`"

_DIALECTS = {
    "sqlite": (f"{_DOUBLE}|{_BACK}", r"[-+*/%=<>!|&~,.();]"),
    "postgresql": (_DOUBLE, r"[-+*/%=<>!|&~,.();:@#?^\[\]]"),
    "mysql": (f"{_DOUBLE}|{_BACK}", r"[-+*/%=<>!|&~,.();^]"),
}

_TOKENS = {
    dialect: re.compile(_COMMON.format(names=names, signs=signs), re.VERBOSE)
    for dialect, (names, signs) in _DIALECTS.items()
}


@dataclass(frozen=True, slots=True)
class SqlToken:
    """A piece of the question: its kind, and its text as it was written."""

    kind: str
    text: str

    @property
    def word(self) -> str:
        """The text in lower case, when it is a word without quotation marks."""
        return self.text.lower() if self.kind == "word" else ""


def checked_select(question: str, dialect: str) -> str:
    """Give the question without comments and final semicolon; raises UnreadableFile unless it is one plain SELECT.

    >>> checked_select("SELECT a -- all of them\\n FROM t;", "sqlite")
    'SELECT a FROM t'
    """
    tokens = list(_tokens(question, dialect))
    while tokens and tokens[-1].text in (";", " "):
        tokens.pop()
    meaning = [token for token in tokens if token.kind != "space"]
    if not meaning or meaning[0].word not in ("select", "with"):
        raise UnreadableFile("Only a SELECT can be asked.", "Begin the query with SELECT or WITH.")
    _check_words(meaning)
    _check_calls(meaning)
    return "".join(token.text for token in tokens)


def _tokens(question: str, dialect: str) -> Iterator[SqlToken]:
    if len(question) > LONGEST:
        raise UnreadableFile("The query is too long.", "Make a view in the database, and ask for that.")
    pattern, place = _TOKENS[dialect], 0
    while place < len(question):
        found = pattern.match(question, place)
        if found is None:
            raise UnreadableFile(
                message("The query is not understood from “{text}” on.", text=question[place : place + 20]),
                "Only what every database reads in the same way can be asked: no backslashes, no $-quotes.",
            )
        place = found.end()
        kind = found.lastgroup or ""
        yield SqlToken(kind, " " if kind == "space" else found[0])


def _check_words(tokens: list[SqlToken]) -> None:
    depth = 0
    for token, following in zip(tokens, [*tokens[1:], SqlToken("", "")], strict=True):
        depth += (token.text == "(") - (token.text == ")")
        if token.text == ";" or depth < 0:
            raise UnreadableFile("Only one SELECT can be asked.", "Leave out whatever stands behind it.")
        locks = token.word == "for" and following.word in ("update", "share", "no", "key")
        if locks or token.word in FORBIDDEN:
            raise UnreadableFile(
                message("A query with “{word}” can do more than read.", word=token.text),
                "Ask only for rows, with SELECT; put the name of a column in quotation marks.",
            )
    if depth:
        raise UnreadableFile("A parenthesis of the query is not closed.", "Check the query.")


def _check_calls(tokens: list[SqlToken]) -> None:
    """Refuse whatever stands before a parenthesis and is not known to do nothing but compute."""
    depth, is_naming = 0, tokens[0].word == "with"
    for place, token in enumerate(tokens):
        depth += (token.text == "(") - (token.text == ")")
        # WITH gives names to questions first; columns may stand in parentheses behind each.
        is_naming = is_naming and not (depth == 0 and token.word == "select")
        if token.text != "(" or not place:
            continue
        before, earlier = tokens[place - 1], tokens[place - 2] if place > 1 else SqlToken("", "")
        named = (is_naming and depth == 1) or earlier.word == "as" or earlier.text == ")"
        if before.kind == "name" and not named:
            raise _unknown(before)
        is_known = before.word in BEFORE_PARENTHESES or (before.word in FUNCTIONS and earlier.text != ".")
        if before.kind == "word" and not (is_known or named):
            raise _unknown(before)


def _unknown(token: SqlToken) -> UnreadableFile:
    return UnreadableFile(
        message("The query calls “{name}”, which may do more than compute.", name=token.text),
        "Make a view in the database that calls it, and ask for that.",
    )


ROWS_AT_ONCE = 5000

_CELLS_AT_ONCE = 1 << 18

Row = Sequence[object]


class Rows(Protocol):
    """The answer to a question, row by row."""

    names: list[str]

    def some(self, most: int) -> Sequence[Row]:
        """Give the next rows, none at the end."""


class Database(Protocol):
    """A database that is only asked."""

    @property
    def title(self) -> str:
        """The name for people."""

    @property
    def dialect(self) -> str:
        """How its questions are written."""

    def tables(self) -> tuple[str, ...]:
        """List tables and views."""

    def table(self, name: str) -> Rows:
        """Ask for all rows of a table."""

    def query(self, question: str) -> Rows:
        """Ask a question that was checked."""


def read_query(
    database: Database, kind: str, options: ReadOptions, progress: Progress, limit: int | None, most_cells: int
) -> tuple[Table, ReadReport]:
    """Read a table or the answer to a query, or its first `limit` rows; raises UnreadableFile."""
    rows = _rows(database, options)
    check_column_count(len(rows.names))
    coders = [TextEncoder() for _ in rows.names]
    at_once, count = max(min(ROWS_AT_ONCE, _CELLS_AT_ONCE // max(len(coders), 1)), 1), 0
    while (limit is None or count < limit) and (some := rows.some(at_once)):
        some = some if limit is None else some[: limit - count]
        for coder, values in zip(coders, zip(*some, strict=True), strict=True):
            coder.add([canonical_text(value) for value in values])
        count += len(some)
        check_cells(count, len(coders), most_cells)
        progress(0.5, message("Reading {count:row|rows}", count=count))
    names, renamed = repair_names(rows.names)
    report = ReadReport(source=database.title, kind=kind, part=options.part, renamed=renamed)
    return build_table(names, [coder.finish() for coder in coders], count, options, report)


def first_table(database: Database) -> ReadOptions:
    """Propose the first table."""
    tables = database.tables()
    return ReadOptions(part=tables[0] if tables else "")


def _rows(database: Database, options: ReadOptions) -> Rows:
    if options.query:
        return database.query(checked_select(options.query, database.dialect))
    tables = database.tables()
    part = options.part or (tables[0] if tables else "")
    if part not in tables:
        raise UnreadableFile(
            message("“{title}” has no table “{name}”.", title=database.title, name=part),
            message("It has: {names}.", names=tables or message("none")),
        )
    return database.table(part)
