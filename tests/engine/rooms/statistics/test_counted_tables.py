"""Questions about a table that an engine has counted: the same numbers, the same account, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.rooms.statistics.data_kinds.tables import TableKind
from anonymizer_gui.engine.rooms.statistics.project import TABLE, Project
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question
from anonymizer_gui.engine.rooms.statistics.room import ROOM
from tests.noise import laplace_tolerance

ASKED = (
    "count",
    "count age>=40 and sex=f",
    "histogram sex f,m",
    "histogram age 0 100 10",
    "histogram day 2024-01-01 2024-12-31 month",
    "two-way sex f,m ill a,b",
)


@pytest.fixture
def table() -> Table:
    """Give 300 rows in which many are alike."""
    rng = np.random.default_rng(3)
    texts = {
        "age": rng.integers(30, 50, 300).astype(str),
        "sex": rng.choice(["f", "m"], 300),
        "ill": rng.choice(["a", "b", "c"], 300),
        "day": [f"2024-{month:02d}-01" for month in rng.integers(1, 12, 300)],
    }
    return Table(tuple(Column.from_texts(name, list(cells)) for name, cells in texts.items()))


def counted(table: Table) -> Table:
    """Tell equal rows once."""
    classes = classes_of(table, table.names)
    return Table(tuple(Column(c.name, c.codes[classes.first_rows], c.labels, classes.sizes) for c in table.columns))


@pytest.mark.parametrize("ask", ASKED)
def test_counts_are_those_of_the_rows(table: Table, ask: str) -> None:
    asked = parse_question(ask, "table")
    public = Project(unit=PrivacyUnit.parse("row")).public(asked, None)
    assert asked.question.only_counts
    both = [asked.question.counted(data, public) for data in (table, counted(table))]
    assert [part.tolist() for part in both[0]] == [part.tolist() for part in both[1]]


def test_every_kind_that_only_counts_is_tried_here() -> None:
    kinds = {kind.name for kind in QUESTIONS if kind.only_counts}
    assert kinds == {parse_question(ask, "table").question.name for ask in ASKED}


def test_the_account_is_that_of_the_same_rows(table: Table) -> None:
    shape, key = TableKind(), b"k" * 32
    assert shape.fingerprint(counted(table), key) == shape.fingerprint(table, key)
    assert shape.fingerprint(counted(table.take(np.arange(299))), key) != shape.fingerprint(table, key)


def test_what_needs_every_row_is_refused(table: Table) -> None:
    project = Project(unit=PrivacyUnit.parse("row"), questions=(parse_question("mean age 0 100", "table"),))
    with pytest.raises(BadParameter, match="needs every row"):
        ROOM.run(project, {TABLE: counted(table)}, SILENT)
    people = replace(project, unit=PrivacyUnit.parse("person=age:2"), questions=(parse_question("count", "table"),))
    with pytest.raises(BadParameter, match="rows of a person"):
        ROOM.run(people, {TABLE: counted(table)}, SILENT)


def test_a_counted_table_is_answered(table: Table) -> None:
    project = Project(unit=PrivacyUnit.parse("row"), questions=(parse_question("count", "table"),))
    release = ROOM.run(project, {TABLE: counted(table)}, SILENT)
    scale = float(release.answers[0].scale)
    assert abs(int(release.answers[0].value) - 300) < laplace_tolerance(scale)  # type: ignore[arg-type]
