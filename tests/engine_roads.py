"""The two roads of a project, in memory and on an engine: what tests of the second compare it with."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.masking.cleaning import MergeSpellings, ReplaceValues, ToMissing
from anonymizer_gui.engine.rooms.microdata.masking.contract import Step
from anonymizer_gui.engine.rooms.microdata.masking.global_recoding import (
    BinNumbers,
    RoundNumbers,
    TopBottomCoding,
    TruncateDates,
)
from anonymizer_gui.engine.rooms.microdata.masking.row_sampling import KeepRows
from anonymizer_gui.engine.rooms.microdata.masking.steps import apply_steps, with_steps
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.out_of_core.run import (
    NewEngine,
    OutOfCoreJob,
    OutOfCoreResult,
    run_out_of_core,
)
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.output_format import write_options
from anonymizer_gui.engine.rooms.microdata.room import ROOM
from anonymizer_gui.engine.scale.contract import find_input
from anonymizer_gui.engine.storage.sources import Source, checksum
from tests.contract.release_cases import Case
from tests.engines import Engines, digest_of

METHODS = ("bottom-up", "mondrian", "top-down", "best-loss")


STEPPED: tuple[tuple[Step, ...], ...] = (
    (ReplaceValues("town", "ulm", "Ulm"), KeepRows("age>=21 and town!=Ulm"), TopBottomCoding("age", "22", "40")),
    (ReplaceValues("town", "l", "", inside=True), MergeSpellings("town", slips=True), RoundNumbers("age", 10.0)),
    (ToMissing("age", ("21", "99")), TopBottomCoding("age", "0.1", "0.9", quantiles=True), BinNumbers("age", 5.0)),
    (TruncateDates("day", "quarter"), ReplaceValues("note", "x", "y"), KeepRows('town="(missing)"')),
    (KeepRows("town=Nowhere"),),
    (RoundNumbers("town", 5.0),),
    (ToMissing("nobody", ("1",)),),
)


def people(rows: int = 60, each: int = 3) -> Case:
    """Give a table in which everybody has some rows, all of them alike but for a visit."""
    cells = {
        "name": [f"p{n // each}" for n in range(rows)],
        "age": [str(20 + n // each % 3) for n in range(rows)],
        "ill": ["flu" if n // each % 2 else "cold" for n in range(rows)],
    }
    columns = tuple(Column.from_texts(name, texts) for name, texts in cells.items())
    roles = {"name": Role.EI, "age": Role.QI, "ill": Role.SA}
    schema = Schema(tuple(ColumnSchema(name, role=role) for name, role in roles.items()))
    return Case(Table(columns, rows), Project(schema=schema, goals=(KAnonymity(k=4),), person="name"))


def stepped() -> Case:
    """Give a table that is worth preparing."""
    towns = ("Ulm", "ulm", "Kiel", "Kiel", "Kiel", MISSING, "Bremen", "Bremn")
    cells = {
        "name": [f"P{n}" for n in range(80)],
        "age": [str(18 + n * 7 % 50) if n % 11 else "?" for n in range(80)],
        "town": [towns[n % len(towns)] for n in range(80)],
        "day": [f"2024-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(80)],
        "ill": ["flu" if n % 3 else "cold" for n in range(80)],
        "note": ["x" if n % 2 else "y" for n in range(80)],
    }
    kinds = {"age": (ColumnType.INTEGER, Role.QI), "town": (ColumnType.CATEGORY, Role.QI), "ill": (None, Role.SA)}
    columns = tuple(Column.from_texts(name, texts) for name, texts in cells.items())
    entries = [
        ColumnSchema(name, (kinds.get(name) or (None,))[0] or ColumnType.CATEGORY, role=kinds[name][1])
        if name in kinds
        else ColumnSchema(name, role=Role.EI if name == "name" else Role.OTHER)
        for name in cells
    ]
    project = Project(schema=Schema(tuple(entries)), goals=(KAnonymity(k=3),), suppression=0.5)
    return Case(Table(columns, 80), project.agreeing_to(["day", "note"]))


def same_on_both_roads(
    case: Case,
    engines: Engines,
    folder: Path,
    method: str,
    *,
    population: Table | None = None,
    steps: tuple[Step, ...] = (),
    judge: NewEngine | None = None,
) -> OutOfCoreResult | None:
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
    errand = OutOfCoreJob(
        find_input(str(path)), folder / "out.parquet", engines.new, safeguards, try_anyway=True, new_judge=judge
    )
    try:
        numbers, digest = _in_memory(project, case.table, population, safeguards)
    except AnonymizerError as error:
        with pytest.raises(type(error)):
            run_out_of_core(project, errand, population=population)
        return None
    done = run_out_of_core(project, errand, population=population)
    assert {name: value for name, value in done.release.to_json().items() if name != "seconds"} == numbers
    assert done.canonical == digest
    return done


def _in_memory(
    project: Project, table: Table, population: Table | None, safeguards: Safeguards
) -> tuple[dict[str, object], str]:
    assert project.source is not None
    table, source = apply_steps(table, project.source)
    files = {"table": table} if population is None else {"table": table, "population": population}
    release = ROOM.run(replace(project, source=source), files, SILENT, try_anyway=True)
    leaving = ROOM.leaving(release, files, safeguards, SILENT)
    numbers = {name: value for name, value in release.to_json().items() if name != "seconds"}
    return numbers, digest_of(leaving.table, write_options(project, Path("out.parquet")))
