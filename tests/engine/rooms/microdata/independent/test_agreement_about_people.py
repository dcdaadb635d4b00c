"""People are counted alike by two implementations that share nothing, on tables in which people have several rows."""

import dataclasses
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.io.read_write import write_table
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.rooms.microdata.independent import (
    ColumnRoles,
    FileFormat,
    KnownFacts,
    Population,
    RecountResult,
    recount,
)
from anonymizer_gui.engine.rooms.microdata.measurement import MeasurementContext, measure_table
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from tests.engine.rooms.microdata.independent.counted_files import told
from tests.engine.rooms.microdata.independent.test_agreement import (
    COLUMNS,
    GOALS,
    LETTERS,
    PEOPLE,
    PLACES,
    ROWS,
    TREE,
    Row,
    name_of,
    plain,
    same,
)

TREES = {"q1": PLACES, "a": TREE, "b": LETTERS}
IDS = st.lists(st.sampled_from(["anna", "Anna ", "bert", "carl", "dora", MISSING]), min_size=14, max_size=14)
ABOUT_PEOPLE = [goal for goal in GOALS if goal.counts_people]


def both(
    rows: list[Row], ids: list[str], goals: list[PrivacyModel], town: list[tuple[str, str]] | None = None
) -> tuple[RecountResult, dict[str, object]]:
    """Count a written table and measure it, knowing whom each row is about."""
    table, ids = Table.from_rows(COLUMNS, rows), ids[: len(rows)]
    population = None if town is None else Table.from_rows(COLUMNS[:2], town)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "release.csv"
        write_table(table, path)
        if population is not None:
            write_table(population, Path(folder) / "town.csv")
        found = recount(
            path,
            FileFormat(),
            ColumnRoles(COLUMNS[:2], COLUMNS[2:]),
            [told(goal) for goal in goals],
            KnownFacts(trees={name: plain(tree) for name, tree in TREES.items()}),
            persons=[None if text == MISSING else text.strip().lower() for text in ids],
            population=None if population is None else Population(Path(folder) / "town.csv"),
        )
    measured = measure_table(
        table,
        COLUMNS[:2],
        COLUMNS[2:],
        goals=goals,
        background=MeasurementContext(hierarchies=TREES, population=population, person=Column.from_texts("id", ids)),
    )
    return found, measured.to_json()


@pytest.mark.parametrize("several", ["each", "harmonised"])
@pytest.mark.parametrize("goal", [goal for goal in ABOUT_PEOPLE if not goal.needs_population], ids=name_of)
@settings(max_examples=60)
@given(rows=ROWS, ids=IDS)
def test_goals_about_people_agree(goal: PrivacyModel, several: str, rows: list[Row], ids: list[str]) -> None:
    if goal.needs_sensitive:
        goal = dataclasses.replace(goal, several=several)  # type: ignore[type-var]
    found, measured = both(rows, ids, [goal])
    (verdict,), (expected,) = found.verdicts, measured["goals"]  # type: ignore[misc]
    assert same(verdict.value, expected["value"])
    assert verdict.holds == expected["holds"]


@pytest.mark.parametrize("goal", [goal for goal in GOALS if goal.needs_population], ids=name_of)
@settings(max_examples=40)
@given(rows=ROWS, ids=IDS, town=PEOPLE)
def test_goals_about_people_in_a_population_agree(
    goal: PrivacyModel, rows: list[Row], ids: list[str], town: list[tuple[str, str]]
) -> None:
    found, measured = both(rows, ids, [goal], town)
    (verdict,), (expected,) = found.verdicts, measured["goals"]  # type: ignore[misc]
    assert same(verdict.value, expected["value"])
    assert verdict.holds == expected["holds"]


@settings(max_examples=100)
@given(ROWS, IDS)
def test_numbers_about_people_agree(rows: list[Row], ids: list[str]) -> None:
    found, measured = both(rows, ids, [])
    used = ids[: len(rows)]
    is_counted = len({text.strip().lower() for text in used}) < len(used) or MISSING in used
    assert measured["people"] == (found.people if is_counted else None)
    assert (found.k, found.classes) == (measured["k"], measured["classes"])
    for name in COLUMNS[2:]:
        of_column = measured["per_sensitive"][name]  # type: ignore[index]
        assert all(same(value, of_column["l"][kind]) for kind, value in found.l[name].items())
        assert all(same(value, of_column["t"][kind.replace("-", "_")]) for kind, value in found.t[name].items())
    assert all(same(value, measured["risk"][name]) for name, value in found.risk().items())  # type: ignore[index]
