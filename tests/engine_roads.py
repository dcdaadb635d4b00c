"""The two roads of a project, in memory and on an engine: what tests of the second compare it with."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.files.source import Source, checksum
from anonymizer_gui.engine.progress import SILENT
from anonymizer_gui.engine.releases.safeguards import Safeguards
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.elsewhere.running import Done, Errand, run_elsewhere
from anonymizer_gui.engine.rooms.microdata.preparing.contract import Step
from anonymizer_gui.engine.rooms.microdata.preparing.steps import prepared, with_steps
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.room import ROOM
from anonymizer_gui.engine.rooms.microdata.written import write_options
from anonymizer_gui.engine.scale.inputs import input_of
from anonymizer_gui.engine.shapes.tables.table import MISSING, Table
from tests.contract.release_cases import Case
from tests.engines import Engines, digest_of

METHODS = ("bottom-up", "mondrian", "top-down", "best-loss")


def same_on_both_roads(
    case: Case,
    engines: Engines,
    folder: Path,
    method: str,
    *,
    population: Table | None = None,
    steps: tuple[Step, ...] = (),
) -> Done | None:
    """Run a case in memory and on an engine: the same release, or the same refusal."""
    path = folder / "case.parquet"
    cells = {
        column.name: pa.array([None if text == MISSING else text for text in column.texts().tolist()], pa.string())
        for column in case.table.columns
    }
    pyarrow.parquet.write_table(pa.table(cells), path)
    source = with_steps(Source(str(path), checksum(path)), steps)
    project = replace(case.project, source=source, algorithm=ALGORITHMS.get(method)())
    safeguards = Safeguards(key=b"k" * 32, reason="a test")
    errand = Errand(input_of(str(path)), folder / "out.parquet", engines.new, safeguards, try_anyway=True)
    try:
        numbers, digest = _in_memory(project, case.table, population, safeguards)
    except AnonymizerError as error:
        with pytest.raises(type(error)):
            run_elsewhere(project, errand, population=population)
        return None
    done = run_elsewhere(project, errand, population=population)
    assert {name: value for name, value in done.release.to_json().items() if name != "seconds"} == numbers
    assert done.canonical == digest
    return done


def _in_memory(
    project: Project, table: Table, population: Table | None, safeguards: Safeguards
) -> tuple[dict[str, object], str]:
    assert project.source is not None
    table, source = prepared(table, project.source)
    files = {"table": table} if population is None else {"table": table, "population": population}
    release = ROOM.run(replace(project, source=source), files, SILENT, try_anyway=True)
    leaving = ROOM.leaving(release, files, safeguards, SILENT)
    numbers = {name: value for name, value in release.to_json().items() if name != "seconds"}
    return numbers, digest_of(leaving.table, write_options(project, Path("out.parquet")))
