"""One plain SELECT is asked; everything that could do more is refused before any database sees it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.data.tables.io.sql_queries import (
    BEFORE_PARENTHESES,
    FORBIDDEN,
    FUNCTIONS,
    LONGEST,
    checked_select,
)

DIALECTS = ["sqlite", "postgresql", "mysql"]
GOOD = [
    "SELECT 1",
    "select * from people",
    "SELECT name, age FROM people WHERE age >= 18 AND city = 'St. John''s' ORDER BY 1 LIMIT 10 OFFSET 5",
    "SELECT count(*), avg(age), min(born), coalesce(city, '?') FROM people GROUP BY city HAVING count(*) > 3",
    "WITH grown AS (SELECT * FROM people WHERE age > 17), few(a, b) AS (SELECT 1, 2) SELECT * FROM grown, few",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n",
    "SELECT CASE WHEN (age > 3) THEN (1) ELSE (0) END FROM people WHERE id IN (1, 2) AND NOT (x IS NULL)",
    "SELECT p.name, v.code FROM people AS p LEFT JOIN visits v ON (p.id = v.person) WHERE EXISTS (SELECT 1)",
    "SELECT substring(zip FROM 1 FOR 3), extract(year FROM born), cast(age AS decimal(5, 2)) FROM people",
    "SELECT row_number() OVER (PARTITION BY city ORDER BY age) FROM people",
    "SELECT * FROM (SELECT 1 AS a) AS t(a) UNION (SELECT 2)",
    'SELECT "update", "delete" FROM "into"',
    "SELECT 'DROP TABLE people; COMMIT; -- ''quoted''' AS words",
    "SELECT replace(name, 'a', 'b') FROM people",
    "SELECT a -- a comment; DROP TABLE people\nFROM t",
    "SELECT a /* another; one */ FROM t;",
    "SELECT 1.5e3 + .5, a||b, a<>b, a!=b FROM t ; ;",
    "SELECT größe FROM maße",
]
REFUSED = [
    "",
    "   ",
    "-- nothing",
    "DELETE FROM people",
    "VALUES (1)",
    "(SELECT 1)",
    "SHOW TABLES",
    "EXPLAIN ANALYZE DELETE FROM people",
    "SELECT 1; COMMIT; DROP TABLE people",
    "SELECT 1; SELECT 2",
    "SELECT 1) ; (SELECT 2",
    "SELECT (1",
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "SELECT * INTO copy FROM people",
    "SELECT * FROM people INTO OUTFILE '/tmp/x'",
    "WITH gone AS (DELETE FROM people RETURNING *) SELECT * FROM gone",
    "WITH x AS (SELECT 1) INSERT INTO people SELECT * FROM x",
    "SELECT * FROM people FOR UPDATE",
    "SELECT * FROM people FOR NO KEY UPDATE",
    "SELECT * FROM people LOCK IN SHARE MODE",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_catalog.pg_read_file('/etc/passwd')",
    "SELECT \"pg_read_file\"('/etc/passwd')",
    "SELECT lo_export(1, '/tmp/x')",
    "SELECT * FROM dblink('host=other', 'DROP TABLE people') AS (a int)",
    "SELECT query_to_xml('DELETE FROM people', true, true, '')",
    "SELECT set_config('a', 'b', false)",
    "SELECT nextval('ids')",
    "SELECT pg_sleep(1e9)",
    "SELECT load_file('/etc/passwd')",
    "SELECT load_extension('x')",
    "SELECT other.count(1)",
    "SELECT 'a\\'; DROP TABLE people; -- '",
    "SELECT $$ text $$",
    "SELECT $a$ ' $a$, 1; DROP TABLE people",
    "SELECT 1 /*! INTO OUTFILE '/tmp/x' */",
    "SELECT /*+ SET_VAR(x = 1) */ 1",
    "SELECT 1 /* /* */ ; DROP TABLE people; */",
    "SELECT 1 /* never closed",
    "SELECT 'never closed",
    'SELECT "never closed',
    "SELECT a\0b",
    "SELECT 1 # ; comment of one dialect\n; DROP TABLE people",
    "ATTACH 'other.db' AS o",
    "PRAGMA writable_schema = 1",
    "SELECT * FROM people PROCEDURE analyse()",
    "DO $$ BEGIN DELETE FROM people; END $$",
    "CALL wipe()",
]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("question", GOOD)
def test_a_plain_question_is_asked(question: str, dialect: str) -> None:
    asked = checked_select(question, dialect)
    assert "--" not in asked.replace("-- ''quoted", "")
    assert not asked.endswith(";")
    assert checked_select(asked, dialect) == asked


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("question", REFUSED)
def test_whatever_could_do_more_than_read_is_refused(question: str, dialect: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        checked_select(question, dialect)
    assert caught.value.hint


def test_what_one_dialect_alone_understands_is_for_that_one() -> None:
    assert checked_select("SELECT a::int, b @> c, tags[1] FROM t", "postgresql")
    assert checked_select("SELECT `odd name` FROM t", "mysql")
    for question, dialect in [
        ("SELECT a::int FROM t", "mysql"),
        ("SELECT `a` FROM t", "postgresql"),
        ("SELECT [a' ] ; DROP TABLE t; -- '] FROM t", "sqlite"),
        ("SELECT @a := 1", "mysql"),
        ("SELECT :value", "sqlite"),
    ]:
        with pytest.raises(UnreadableFile):
            checked_select(question, dialect)


def test_a_comment_is_never_sent() -> None:
    assert checked_select("SELECT 1 --1; DROP TABLE t\n+ 2", "mysql") == "SELECT 1 + 2"


def test_a_question_has_a_largest_length_and_is_read_quickly() -> None:
    assert checked_select("SELECT " + "(" * 10_000 + "1" + ")" * 10_000, "sqlite")
    with pytest.raises(UnreadableFile, match="too long"):
        checked_select("SELECT '" + "x" * LONGEST + "'", "sqlite")
    with pytest.raises(UnreadableFile):
        checked_select("SELECT /*" + "*" * 50_000, "sqlite")


def test_no_word_is_both_known_and_forbidden() -> None:
    assert not FORBIDDEN & (FUNCTIONS | BEFORE_PARENTHESES)
    dangerous = {"pg_read_file", "load_file", "load_extension", "dblink", "nextval", "lo_import", "xmltable", "sleep"}
    assert not dangerous & FUNCTIONS


pieces = st.sampled_from(
    ["SELECT", "WITH", "DELETE", "x", "(", ")", ";", "'", '"', "`", "--", "/*", "*/", "\n", " ", "\\", "$$", "AS", ",",
     "count", "pg_sleep", "[", "]", "#", "@", "FOR", "UPDATE", "INTO", "*", "é", "1"]
)  # fmt: skip


@given(st.lists(pieces, max_size=30).map(" ".join), st.sampled_from(DIALECTS))
def test_any_text_is_one_question_or_a_sentence(text: str, dialect: str) -> None:
    try:
        asked = checked_select(text, dialect)
    except UnreadableFile:
        return
    assert asked.strip().lower().startswith(("select", "with"))
    assert checked_select(asked, dialect) == asked
