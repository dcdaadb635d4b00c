"""All that a project may decide gives on an engine what it gives in memory: goals, suppression, weights, bounds."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.files.source import Source
from anonymizer_gui.engine.progress import SILENT
from anonymizer_gui.engine.releases.safeguards import Safeguards
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.elsewhere import fetching
from anonymizer_gui.engine.rooms.microdata.elsewhere.running import Errand, run_elsewhere
from anonymizer_gui.engine.rooms.microdata.room import ROOM
from anonymizer_gui.engine.rooms.microdata.written import write_options
from anonymizer_gui.engine.scale.inputs import input_of
from anonymizer_gui.engine.shapes.tables.table import MISSING, Table
from tests.contract.release_cases import Case, cases, cases_in_a_population
from tests.engines import Engines, digest_of, duck_engines

METHODS = ("bottom-up", "mondrian", "top-down", "best-loss")


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
    monkeypatch.setattr(fetching, "WHOLE_ROWS", 0)


def same_on_both_roads(case: Case, population: Table | None, engines: Engines, folder: Path, method: str) -> None:
    """Run a case in memory and on an engine: the same release, or the same refusal."""
    path = folder / "case.parquet"
    cells = {
        column.name: pa.array([None if text == MISSING else text for text in column.texts().tolist()], pa.string())
        for column in case.table.columns
    }
    pyarrow.parquet.write_table(pa.table(cells), path)
    project = replace(case.project, source=Source(str(path)), algorithm=ALGORITHMS.get(method)())
    table = ROOM.read("table", Source(str(path)), SILENT).data
    files = {"table": table} if population is None else {"table": table, "population": population}
    safeguards = Safeguards(reason="a test")
    errand = Errand(input_of(str(path)), folder / "out.parquet", engines.new, safeguards, try_anyway=True)
    try:
        release = ROOM.run(project, files, SILENT, try_anyway=True)
        leaving = ROOM.leaving(release, files, safeguards, SILENT)
    except AnonymizerError as error:
        with pytest.raises(type(error)):
            run_elsewhere(project, errand, population=population)
        return
    done = run_elsewhere(project, errand, population=population)
    numbers = [
        {name: value for name, value in each.to_json().items() if name != "seconds"} for each in (release, done.release)
    ]
    assert numbers[0] == numbers[1]
    assert done.canonical == digest_of(leaving.table, write_options(project, folder / "out.parquet"))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=4)
@given(case=cases())
def test_goals_suppression_weights_and_bounds_are_those_of_memory(
    folder: Path, engines: Engines, method: str, case: Case
) -> None:
    same_on_both_roads(case, None, engines, folder, method)


@settings(max_examples=4)
@given(both=cases_in_a_population())
def test_goals_about_a_population_are_those_of_memory(folder: Path, engines: Engines, both: tuple[Case, Table]) -> None:
    same_on_both_roads(both[0], both[1], engines, folder, "mondrian")
