"""All that a project may decide gives on an engine what it gives in memory: goals, suppression, weights, bounds."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, PromiseBroken
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.rooms.microdata.masking.contract import STEPS, Step
from anonymizer_gui.engine.rooms.microdata.masking.row_sampling import TakeSample
from anonymizer_gui.engine.rooms.microdata.masking.steps import step_changes
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.out_of_core import frequency_set, release_candidate
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from tests.contract.release_cases import Case, cases, cases_in_a_population
from tests.engine_roads import METHODS, STEPPED, people, same_on_both_roads, stepped
from tests.engines import Engines, duck_engines


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder that the engines may read and write."""
    return tmp_path_factory.mktemp("choices")


@pytest.fixture(scope="module")
def engines(folder: Path) -> Iterator[Engines]:
    """Share two engines."""
    with duck_engines(folder) as shared:
        yield shared


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count even small tables, as large ones are."""
    monkeypatch.setattr(frequency_set, "MAX_ROWS_FETCHED", 0)


IDS = ("ann", "Ann", " ann ", "bob", "BOB", "cleo", "dan", "eve", "42", "42.0", MISSING)


@st.composite
def about_people(draw: st.DrawFn) -> Case:
    """Draw a table in which people have several rows, and ids are written in several ways or missing."""
    case = draw(cases())
    few = draw(st.sampled_from([IDS, IDS[:-1]]))
    ids = draw(st.lists(st.sampled_from(few), min_size=case.table.n_rows, max_size=case.table.n_rows))
    columns = (Column.from_texts("name", ids), *case.table.columns[1:])
    return Case(Table(columns, case.table.n_rows), replace(case.project, person="name"))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=5)
@given(case=cases() | about_people())
def test_goals_suppression_weights_bounds_and_people_are_those_of_memory(
    folder: Path, engines: Engines, method: str, case: Case
) -> None:
    same_on_both_roads(case, engines, folder, method)


@settings(max_examples=4)
@given(both=cases_in_a_population())
def test_goals_about_a_population_are_those_of_memory(folder: Path, engines: Engines, both: tuple[Case, Table]) -> None:
    same_on_both_roads(both[0], engines, folder, "mondrian", population=both[1])


def test_rows_of_one_person_do_not_hide_each_other(folder: Path, engines: Engines) -> None:
    done = same_on_both_roads(people(), engines, folder, "bottom-up")
    assert done is not None
    assert done.release.measured.people == 20
    assert done.release.measured.k == 6  # of seven, seven and six people, who have three rows each
    with_pseudonyms = people()
    publishing = Publishing(pseudonyms=(("name", "numbered"),))
    project = replace(with_pseudonyms.project, publishing=publishing, goals=(KAnonymity(k=4), DistinctLDiversity(l=2)))
    assert same_on_both_roads(replace(with_pseudonyms, project=project), engines, folder, "mondrian") is not None


def test_people_told_of_other_rows_are_refused(folder: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = release_candidate.rows_with_persons

    def moved(table: Table, *others: object) -> object:
        """Tell another sensitive value of the first row."""
        codes = table.column("ill").codes.copy()
        codes[0] = 1 - codes[0]
        swapped = replace(table.column("ill"), codes=codes)
        columns = tuple(swapped if column.name == "ill" else column for column in table.columns)
        return honest(Table(columns, table.n_rows), *others)  # type: ignore[arg-type]

    monkeypatch.setattr(release_candidate, "rows_with_persons", moved)
    with pytest.raises(PromiseBroken, match="other rows"):
        same_on_both_roads(people(), engines, folder, "bottom-up")


def test_fewer_people_than_were_measured_are_refused(
    folder: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = release_candidate.rows_with_persons
    monkeypatch.setattr(
        release_candidate,
        "rows_with_persons",
        lambda *asked: ((rows, [1] * len(persons)) for rows, persons in honest(*asked)),
    )
    with pytest.raises(PromiseBroken, match="not what was measured"):
        same_on_both_roads(people(), engines, folder, "bottom-up")


@pytest.mark.parametrize("steps", STEPPED, ids=lambda steps: "+".join(step.name for step in steps))
def test_steps_of_preparation_are_done_as_in_memory(
    folder: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch, steps: tuple[Step, ...]
) -> None:
    monkeypatch.setattr(frequency_set, "MAX_ROWS_FETCHED", 1000 if steps is STEPPED[2] else 0)
    done = same_on_both_roads(stepped(), engines, folder, "mondrian", steps=steps)
    if done is not None:
        assert sum(cells + rows for _, cells, rows, *_ in step_changes(done.release.project.source)) > 0


def test_steps_that_take_rows_one_by_one_are_refused(folder: Path, engines: Engines) -> None:
    others = {step.name for step in STEPS if not step.is_by_value}
    assert others == {"noise", "place", "made-up", "microaggregate", "pram", "swap", "sample"}
    with pytest.raises(BadParameter, match="one by one"):
        same_on_both_roads(stepped(), engines, folder, "mondrian", steps=(TakeSample(0.5, seed=7),))
