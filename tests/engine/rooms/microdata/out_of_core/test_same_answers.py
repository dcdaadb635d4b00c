"""The promise of the road over engines: same project, same data, same answers as in memory, to the last cell."""

import datetime
import decimal
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.params import Json, to_json
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_write import options_of_source
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.projects.opening import new_project
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.out_of_core import frequency_set
from anonymizer_gui.engine.rooms.microdata.out_of_core.run import OutOfCoreJob, OutOfCoreResult, run_out_of_core
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.release.output_format import write_options
from anonymizer_gui.engine.rooms.microdata.room import ROOM
from anonymizer_gui.engine.scale.contract import find_input
from anonymizer_gui.engine.storage.sources import Source, checksum
from tests.engines import Engines, digest_of, duck_engines
from tests.made_adult import make_adult

KEY = b"k" * 32
ROLES = {
    "alter": Role.QI,
    "so \"rt' é": Role.QI,
    "stadt": Role.QI,
    "befund": Role.SA,
    "notiz": Role.OTHER,
    "name": Role.EI,
}
METHODS = ("bottom-up", "mondrian", "top-down", "best-loss")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder that the engines may read and write."""
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="module")
def engines(folder: Path) -> Iterator[Engines]:
    """Share two engines."""
    with duck_engines(folder) as shared:
        yield shared


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count even small tables, as large ones are."""
    monkeypatch.setattr(frequency_set, "MAX_ROWS_FETCHED", 0)


def project_about(path: Path, roles: dict[str, Role], **choices: object) -> tuple[Project, dict[str, object]]:
    """Begin a project about a file, as the program does; give it with what was read."""
    opened = new_project(ROOM, Source(str(path)))
    project = opened.project.with_roles({name: roles.get(name, Role.OTHER) for name in ROLES if name in roles})
    chosen = {"goals": (KAnonymity(k=2),), "suppression": 0.5, "hierarchies": {}, **choices}
    project = replace(project, **chosen)
    return project.agreeing_to(project.schema.names(Role.OTHER)), dict(opened.files)


def both(
    project: Project, files: dict[str, object], engines: Engines, target: Path, most_bytes: int = 0
) -> tuple[dict[str, Json], dict[str, Json], str, OutOfCoreResult]:
    """Run in memory and on an engine; give the numbers of both, and the checksum of what memory would write."""
    safeguards = Safeguards(key=KEY, reason="a test")
    release = ROOM.run(project, files, SILENT, try_anyway=True)
    leaving = ROOM.leaving(release, files, safeguards, SILENT)
    source = find_input(project.source.path, options_of_source(project.source)) if project.source else None
    assert source is not None
    errand = OutOfCoreJob(source, target, engines.new, safeguards, most_bytes, try_anyway=True)
    done = run_out_of_core(project, errand)
    numbers = [told(release.to_json()), told(done.release.to_json())]
    return numbers[0], numbers[1], digest_of(leaving.table, write_options(project, target)), done


def told(numbers: dict[str, Json]) -> dict[str, Json]:
    """Give the numbers without the time."""
    return {name: value for name, value in numbers.items() if name != "seconds"}


CELLS = st.sampled_from(
    [
        "1",
        "1.0",
        "01",
        "+1",
        "",
        " 1 ",
        "NA",
        "é",
        "e\u0301",
        "日本",
        "O'Neil",
        'say "hi"',
        "a,b",
        "(missing)",
        "\\N",
        "null",
        "*",
        "=1+1",
        "-5",
    ]
)


@settings(max_examples=12)
@given(
    st.lists(st.tuples(*[CELLS] * len(ROLES)), max_size=25),
    st.sampled_from([".csv", ".parquet"]),
    st.sampled_from(METHODS),
)
def test_any_table_gives_the_same_release(
    folder: Path, engines: Engines, rows: list[tuple[str, ...]], suffix: str, method: str
) -> None:
    path = folder / f"table{suffix}"
    rows = [tuple(cell or None for cell in row) if suffix == ".parquet" else row for row in rows]  # type: ignore[misc]
    if suffix == ".parquet":
        columns = {name: pa.array([row[at] for row in rows], pa.string()) for at, name in enumerate(ROLES)}
        pyarrow.parquet.write_table(pa.table(columns), path)
    else:
        quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in [tuple(ROLES), *rows]]
        path.write_text("\n".join(quoted) + "\n", encoding="utf-8")
    project, files = project_about(path, ROLES, algorithm=ALGORITHMS.get(method)())
    try:
        ROOM.run(project, files, SILENT, try_anyway=True)
    except AnonymizerError as error:
        # What memory refuses the engine refuses with the same words.
        errand = OutOfCoreJob(find_input(str(path), options_of_source(project.source)), folder / "no.csv", engines.new)
        with pytest.raises(type(error), match=re.escape(error.message)):
            run_out_of_core(project, errand)
        return
    here, there, digest, done = both(project, files, engines, folder / f"out{suffix}")
    assert there == here
    assert done.canonical == digest


def test_typed_columns_of_parquet_have_the_same_texts(folder: Path, engines: Engines) -> None:
    path = folder / "typed.parquet"
    numbers = list(range(40))
    table = pa.table(
        {
            "alter": pa.array([None if n % 9 == 0 else n % 4 for n in numbers], pa.int16()),
            "so \"rt' é": pa.array([datetime.date(2024, 1, 1 + n % 3) for n in numbers]),
            "stadt": pa.array([n % 2 / 2 if n % 5 else float("nan") for n in numbers], pa.float32()),
            "befund": pa.array([decimal.Decimal(n % 3).quantize(decimal.Decimal("0.01")) for n in numbers]),
            "notiz": pa.array([n % 2 == 0 for n in numbers]),
            "name": pa.array([datetime.datetime(2024, 1, 1, n % 24, 30) for n in numbers]),
        }
    )
    pyarrow.parquet.write_table(table, path)
    project, files = project_about(path, ROLES, algorithm=ALGORITHMS.get("mondrian")())
    here, there, digest, done = both(project, files, engines, folder / "typed_out.parquet")
    assert there == here
    assert done.canonical == digest


@pytest.mark.parametrize("way", ["keyed", "numbered", "digits"])
def test_pseudonyms_and_columns_of_no_role_leave_as_in_memory(folder: Path, engines: Engines, way: str) -> None:
    path = folder / f"people_{way}.csv"
    lines = [f"{n % 5},{'ab'[n % 2]},x,{n % 3},note {n % 7},{1000000 + 37 * (n % 30)}" for n in range(60)]
    path.write_text("\n".join(['alter,"so ""rt\' é",stadt,befund,notiz,name', *lines]) + "\n", encoding="utf-8")
    publishing = Publishing(pseudonyms=(("name", way),))
    goals = (KAnonymity(k=3), DistinctLDiversity(l=2), TCloseness(t=0.6))
    project, files = project_about(
        path, ROLES, algorithm=ALGORITHMS.get("mondrian")(), publishing=publishing, goals=goals
    )
    here, there, digest, done = both(project, files, engines, folder / f"people_{way}_out.csv")
    assert there == here
    assert done.canonical == digest


@pytest.mark.parametrize("method", METHODS)
def test_adult_gives_the_same_levels_classes_and_numbers(folder: Path, engines: Engines, method: str) -> None:
    roles = {"age": Role.QI, "sex": Role.QI, "race": Role.QI, "marital-status": Role.QI, "occupation": Role.SA}
    path = make_adult(folder, rows=30_000) / "adult.csv"
    opened = new_project(ROOM, Source(str(path)))
    names = {column.name for column in opened.project.schema.columns}
    project = opened.project.with_roles({name: roles.get(name, Role.OTHER) for name in names})
    project = replace(
        project, goals=(KAnonymity(k=10),), suppression=0.01, algorithm=ALGORITHMS.get(method)(), person=""
    ).leaving_out([name for name in names if name not in roles])
    here, there, digest, done = both(project, dict(opened.files), engines, folder / "adult_out.parquet")
    assert here["k"] >= 10
    assert there == here
    assert done.canonical == digest
    assert checksum(folder / "adult_out.parquet") == done.exported.sha256


def test_a_table_whose_rows_are_needed_is_fetched_whole(
    folder: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frequency_set, "MAX_ROWS_FETCHED", 1000)
    path = folder / "whole.csv"
    lines = [f"{n % 6},{'ab'[n % 2]},{'xyz'[n % 3]},{n % 3},note,p{n // 2}" for n in range(40)]
    path.write_text("\n".join(['alter,"so ""rt\' é",stadt,befund,notiz,name', *lines]) + "\n", encoding="utf-8")
    project, files = project_about(path, ROLES, algorithm=ALGORITHMS.get("cluster")(), person="name")
    here, there, digest, done = both(project, files, engines, folder / "whole_out.csv")
    assert there == here
    assert here["people"] is not None
    assert done.canonical == digest


def test_options_of_the_source_are_kept(folder: Path, engines: Engines) -> None:
    path = folder / "options.csv"
    path.write_text("A heading\nalter;befund\n1;NA\n1;x\n2;NA\n2;x\n", encoding="utf-8")
    options = ReadOptions(delimiter=";", skip_lines=1, missing=("NA",))
    opened = new_project(ROOM, Source(str(path), options=to_json(options)))
    project = replace(
        opened.project.with_roles({"alter": Role.QI, "befund": Role.SA}),
        goals=(KAnonymity(k=2),),
        algorithm=ALGORITHMS.get("mondrian")(),
        person="",
    )
    here, there, digest, done = both(project, dict(opened.files), engines, folder / "options_out.csv")
    assert there == here
    assert done.canonical == digest
