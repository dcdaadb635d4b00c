"""What must not leave: a written file that is not the release, a certificate that lies, a base that is not told."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from anonymizer_gui.engine.core.errors import NotEnoughMemory, PromiseBroken
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.opening import new_project
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.out_of_core import frequency_set, release_candidate
from anonymizer_gui.engine.rooms.microdata.out_of_core.run import OutOfCoreJob, OutOfCoreResult, run_out_of_core
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.room import ROOM
from anonymizer_gui.engine.scale.contract import Engine, EngineFailed, find_input
from anonymizer_gui.engine.storage.sources import Source
from tests.engines import Engines, duck_engines


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder that the engines may read and write."""
    return tmp_path_factory.mktemp("refusals")


@pytest.fixture(scope="module")
def engines(folder: Path) -> Iterator[Engines]:
    """Share two engines."""
    with duck_engines(folder) as shared:
        yield shared


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count even small tables, as large ones are."""
    monkeypatch.setattr(frequency_set, "MAX_ROWS_FETCHED", 0)


@pytest.fixture
def project(folder: Path) -> Project:
    """Give a project about a table of 600 rows."""
    path = folder / "table.parquet"
    ages, zips = [20 + n % 6 for n in range(600)], [f"{10 + 7 * n % 40}" for n in range(600)]
    pyarrow.parquet.write_table(pa.table({"age": ages, "zip": zips, "ill": [n % 2 for n in range(600)]}), path)
    begun = new_project(ROOM, Source(str(path))).project
    trees = {"zip": Hierarchy.from_nested({"*": {f"{d}*": [f"{d}{u}" for u in range(10)] for d in range(1, 5)}})}
    return replace(
        begun.with_roles({"age": Role.QI, "zip": Role.QI, "ill": Role.SA}),
        goals=(KAnonymity(k=3),),
        algorithm=ALGORITHMS.get("mondrian")(),
        hierarchies=trees,
        suppression=0.1,
    )


def run(project: Project, engines: Engines, target: Path, **choices: int) -> OutOfCoreResult:
    """Run a project on the engines."""
    assert project.source is not None
    errand = OutOfCoreJob(find_input(project.source.path), target, engines.new, Safeguards(reason="a test"), **choices)
    return run_out_of_core(project, errand)


class _Dropping:
    """Writes one row less, one row twice, or one cell changed, of all columns or of one."""

    def __init__(self, how: str, column: str = "") -> None:
        self.how, self.column = how, column

    def __call__(
        self, engine: Engine, names: Sequence[str], target: Path, options: WriteOptions, progress: object
    ) -> str:
        """Write otherwise than decided."""
        digest = _WRITE(engine, names, target, options, SILENT)
        cells = pyarrow.parquet.read_table(target).to_pydict()
        made = {"less": lambda cell: cell[1:], "twice": lambda cell: [*cell, cell[0]]}
        other = made.get(self.how, lambda cell: ["another", *cell[1:]])
        changed = {name: other(cell) for name, cell in cells.items() if self.column in ("", name)}
        pyarrow.parquet.write_table(pa.table(cells | changed), target)
        return digest


_WRITE = release_candidate.write_release


@pytest.mark.parametrize("how", ["less", "twice", "changed"])
def test_a_file_that_is_not_the_release_never_gets_its_name(
    folder: Path, engines: Engines, project: Project, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(release_candidate, "write_release", _Dropping(how))
    target = folder / f"never_{how}.parquet"
    with pytest.raises(PromiseBroken):
        run(project, engines, target)
    assert not list(folder.glob(f"*never_{how}*"))


def test_a_file_with_another_cell_that_no_promise_counts_never_gets_its_name(
    folder: Path, engines: Engines, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert project.source is not None
    path = folder / "wards.parquet"
    cells = pyarrow.parquet.read_table(project.source.path).to_pydict() | {"ward": [f"W{n % 3}" for n in range(600)]}
    pyarrow.parquet.write_table(pa.table(cells), path)
    begun = new_project(ROOM, Source(str(path))).project
    roles = {"age": Role.QI, "zip": Role.QI, "ill": Role.SA, "ward": Role.OTHER}
    wards = replace(
        begun.with_roles(roles), goals=project.goals, algorithm=project.algorithm, hierarchies=project.hierarchies
    )
    run(wards, engines, folder / "with_wards.parquet")
    assert set(pyarrow.parquet.read_table(folder / "with_wards.parquet")["ward"].to_pylist()) == {"W0", "W1", "W2"}
    monkeypatch.setattr(release_candidate, "write_release", _Dropping("changed", "ward"))
    with pytest.raises(PromiseBroken, match="its rows are others"):
        run(wards, engines, folder / "never_wards.parquet")
    assert not list(folder.glob("*never_wards*"))


def test_a_measurement_that_the_file_does_not_confirm_is_refused(
    folder: Path, engines: Engines, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = release_candidate.measure_release
    monkeypatch.setattr(release_candidate, "measure_release", lambda *given: replace(measure(*given), k=99))
    target = folder / "boasting.parquet"
    with pytest.raises(PromiseBroken):
        run(project, engines, target)
    assert not target.exists()


def test_an_engine_that_reads_a_column_as_a_constant_is_refused(
    folder: Path, engines: Engines, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = frequency_set.TupleKeys
    honest = keys.of_rows
    monkeypatch.setattr(
        keys, "of_rows", lambda self, *given, **more: honest(self, *given, **more).replace("s.c0", "'x'")
    )
    with pytest.raises(EngineFailed, match=r"two different answers|does not understand"):
        run(project, engines, folder / "constant.parquet")


def test_what_was_written_is_verified_and_a_changed_row_is_found(
    folder: Path, engines: Engines, project: Project
) -> None:
    target = folder / "certified.parquet"
    done = run(project, engines, target)
    assert verify_release(target).holds
    told = json.loads((folder / "certified.parquet.release.json").read_text(encoding="utf-8"))
    assert told["written"]["canonical"] == done.canonical
    assert told["engine"] == {"engine": "DuckDB", "version": told["engine"]["version"], "base": {}}
    assert told["recipe"]["row_order"] == "sorted"
    cells = pyarrow.parquet.read_table(target).to_pydict()
    cells["age"][0] = "40"
    pyarrow.parquet.write_table(pa.table(cells), target)
    found = verify_release(target)
    assert any("rows are others" in sentence for sentence in found.differences)


def test_rows_leave_in_an_order_that_tells_nothing(folder: Path, engines: Engines, project: Project) -> None:
    target = folder / "ordered.parquet"
    run(project, engines, target)
    rows = list(zip(*pyarrow.parquet.read_table(target).to_pydict().values(), strict=True))
    assert rows == sorted(rows)
    assert not pyarrow.parquet.read_metadata(target).metadata


def test_too_many_combinations_raise_the_base_and_that_is_told(
    folder: Path, engines: Engines, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frequency_set, "needed_by_size", lambda size, roles, project: size.rows)
    target = folder / "raised.parquet"
    done = run(project, engines, target, most_bytes=100)
    told = json.loads((folder / "raised.parquet.release.json").read_text(encoding="utf-8"))
    assert done.release.measured.k >= 3
    assert told["engine"]["base"] == {"zip": 1}
    assert any("base" in warning for warning in told["warnings"])
    zips = set(pyarrow.parquet.read_table(target)["zip"].to_pylist())
    assert zips <= {"1*", "2*", "3*", "4*", "*"}
    bounded = replace(project, bounds={"zip": (1, 2)})
    opened = {"table": ROOM.read("table", project.source, SILENT).data}
    assert ROOM.run(bounded, opened, SILENT).measured.lm == pytest.approx(done.release.measured.lm)


def test_numbers_without_a_hierarchy_are_binned_when_nothing_else_helps(
    folder: Path, engines: Engines, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frequency_set, "needed_by_size", lambda size, roles, project: size.rows)
    path = folder / "numbers.parquet"
    pyarrow.parquet.write_table(pa.table({"age": list(range(900)), "ill": [n % 3 for n in range(900)]}), path)
    begun = new_project(ROOM, Source(str(path))).project
    plain = replace(
        begun.with_roles({"age": Role.QI, "ill": Role.SA}),
        goals=(KAnonymity(k=2),),
        algorithm=project.algorithm,
        hierarchies={},
    )
    done = run(plain, engines, folder / "binned.parquet", most_bytes=800)
    assert done.release.project.bounds["age"][0] == 1
    assert done.release.measured.k >= 2


def test_a_table_that_fits_at_no_base_is_refused(folder: Path, engines: Engines, project: Project) -> None:
    with pytest.raises(NotEnoughMemory):
        run(project, engines, folder / "none.parquet", most_bytes=10)
    assert not (folder / "none.parquet").exists()


@pytest.mark.parametrize(("each", "warns"), [(3, True), (1, False)])
def test_an_identifier_that_repeats_is_told(
    folder: Path, engines: Engines, project: Project, each: int, warns: bool
) -> None:
    path = folder / f"visits_{each}.parquet"
    cells = {"id": [f"p{n // each}" for n in range(60)], "age": [n % 2 for n in range(60)], "ill": [0] * 60}
    pyarrow.parquet.write_table(pa.table(cells), path)
    begun = new_project(ROOM, Source(str(path))).project
    visits = replace(
        begun.with_roles({"id": Role.EI, "age": Role.QI, "ill": Role.SA}),
        goals=(KAnonymity(k=2),),
        algorithm=project.algorithm,
        hierarchies={},
        person="",
    )
    done = run(visits, engines, folder / f"visits_{each}_out.parquet")
    told = json.loads(done.exported.certificate.read_text(encoding="utf-8"))
    assert any("repeats" in check["sentence"] for check in told["checks"]) is warns
