"""Spark Connect against a real server: the same answers as in memory, stops that stop, losses that are told."""

import gc
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet
import pytest

from anonymizer_gui.engine.core.errors import BadParameter, Cancelled
from anonymizer_gui.engine.core.params import to_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io.options import WriteOptions
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.projects.opening import new_project
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.out_of_core import frequency_set
from anonymizer_gui.engine.rooms.microdata.out_of_core.run import OutOfCoreJob, run_out_of_core
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.release.output_format import write_options
from anonymizer_gui.engine.rooms.microdata.room import ROOM
from anonymizer_gui.engine.scale import spark_engine
from anonymizer_gui.engine.scale.contract import EngineFailed, find_input
from anonymizer_gui.engine.scale.duckdb_engine import EngineLimits
from anonymizer_gui.engine.scale.engine_choice import refuse_unsound_engine, verification_engine
from anonymizer_gui.engine.scale.sampled_table import preview_input
from anonymizer_gui.engine.scale.spark_engine import TOKEN, SparkEngine, checked_address, with_token
from anonymizer_gui.engine.storage.sources import ENGINE_OPTION, Source
from tests.engine_roads import STEPPED, people, same_on_both_roads, stepped
from tests.engines import Engines, digest_of
from tests.spark_server import SparkServer, running_server

soak = [pytest.mark.soak, pytest.mark.timeout(3000), pytest.mark.filterwarnings("default")]


@pytest.mark.parametrize("address", ["spark://host:7077", "sc://", "duck", "sc://host:1/;token=secret"])
def test_what_is_no_address_or_holds_a_token_is_refused(address: str) -> None:
    with pytest.raises(BadParameter) as caught:
        checked_address(address)
    assert "secret" not in str(caught.value)


def test_a_token_comes_from_the_environment_and_stays_out_of_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN, "abc")
    assert with_token("sc://host:15002") == "sc://host:15002/;token=abc"
    assert with_token("sc://host:15002/;use_ssl=true") == "sc://host:15002/;use_ssl=true;token=abc"
    monkeypatch.setenv(TOKEN, "a;b==")
    assert with_token("sc://host:15002") == "sc://host:15002/;token=a%3Bb%3D%3D"
    monkeypatch.delenv(TOKEN)
    assert with_token("sc://host:15002") == "sc://host:15002"
    kept = {("anonymizer-gui", "host:15002"): "xyz"}
    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=lambda *whose: kept.get(whose)))
    assert with_token("sc://host:15002") == "sc://host:15002/;token=xyz"
    assert with_token("sc://other:15002") == "sc://other:15002"


def test_a_cluster_that_is_not_there_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    # Without a file of the main module, as in a worker of the tests, the client takes the run for doctests of its own.
    monkeypatch.setattr(sys.modules["__main__"], "__file__", __file__, raising=False)
    with pytest.raises(EngineFailed, match="no connection"):
        SparkEngine("sc://localhost:1")


@pytest.fixture(scope="module", params=["local[2]", "local-cluster[2,1,1024]"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkServer]:
    """Run a server on one machine, and one with two workers."""
    with running_server(request.param, tmp_path_factory.mktemp("spark")) as running:
        yield running


class TestOnAServer:
    """What only a running server can show."""

    pytestmark = soak

    @pytest.fixture(autouse=True)
    def counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Count even small tables, as large ones are."""
        monkeypatch.setattr(frequency_set, "MAX_ROWS_FETCHED", 0)

    @pytest.mark.parametrize("method", ["mondrian", "best-loss"])
    @pytest.mark.parametrize("suffix", [".csv", ".parquet"])
    def test_a_release_is_the_same_as_in_memory(
        self, server: SparkServer, tmp_path: Path, method: str, suffix: str
    ) -> None:
        project = _project(tmp_path, suffix, method)
        files = {"table": ROOM.read("table", project.source, SILENT).data}  # type: ignore[arg-type]
        safeguards = Safeguards(key=b"k" * 32, reason="a test")
        release = ROOM.run(project, files, SILENT)
        leaving = ROOM.leaving(release, files, safeguards, SILENT)
        target = tmp_path / f"out{suffix}"
        errand = OutOfCoreJob(
            find_input(project.source.path),  # type: ignore[union-attr]
            target,
            lambda _target: SparkEngine(server.address),
            safeguards,
            new_judge=verification_engine(EngineLimits()),
        )
        done = run_out_of_core(project, errand)
        here, there = release.to_json(), done.release.to_json()
        assert {name: here[name] for name in here if name != "seconds"} == {
            name: there[name] for name in there if name != "seconds"
        }
        assert done.canonical == digest_of(leaving.table, write_options(project, target))
        assert not list(tmp_path.glob("anonymizer-spill*"))
        if suffix == ".parquet":
            rows = list(zip(*pyarrow.parquet.read_table(target).to_pydict().values(), strict=True))
            assert rows == sorted(rows, key=lambda row: [(cell is not None, cell or "") for cell in row])
            assert "parquet-mr" in pyarrow.parquet.read_metadata(target).created_by

    def test_people_are_counted_and_steps_are_done_as_in_memory(self, server: SparkServer, tmp_path: Path) -> None:
        engines = Engines(lambda: SparkEngine(server.address))
        done = same_on_both_roads(people(), engines, tmp_path, "mondrian", judge=verification_engine(EngineLimits()))
        assert done is not None
        assert done.release.measured.people == 20
        for steps in STEPPED[:4]:
            assert same_on_both_roads(
                stepped(), engines, tmp_path, "mondrian", steps=steps, judge=verification_engine(EngineLimits())
            )
        engines.close()
        _let_threads_end()

    def test_a_table_that_only_the_cluster_sees_is_looked_at_and_opened(
        self, server: SparkServer, tmp_path: Path
    ) -> None:
        engine = SparkEngine(server.address)
        rows = "SELECT CAST(20 + id % 50 AS STRING) AS age, concat('p', id % 450) AS who FROM range(900)"
        engine.run(f"CREATE TABLE people USING parquet AS {rows}")
        engine.close()
        seen = preview_input("table://people", None, server.address)
        assert seen.table.names == ("age", "who")
        assert seen.table.n_rows == 200
        assert "read by the cluster" in str(seen.why_held)
        options = {**to_json(seen.options), ENGINE_OPTION: server.address}
        read = ROOM.read("table", Source("table://people", options=options), SILENT)
        assert (read.data.n_rows, read.data.n_whole) == (900, 900)
        assert len(read.data.whole("who").labels) == 450
        assert read.source.path == "table://people"
        _let_threads_end()

    def test_rows_that_occur_often_are_written_as_often_by_the_cluster(
        self, server: SparkServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(spark_engine, "_AT_ONCE", 7)
        engine = SparkEngine(server.address)
        engine.load("many", pa.table({"t0": ["b", None, "a"], "n": [20, 7, 1], "p0": [2, 0, 1]}))
        target = tmp_path / "many.parquet"
        for sees in (True, False):
            monkeypatch.setattr(engine, "_sees", lambda *_given, sees=sees: sees)
            engine.write("SELECT t0, n FROM many ORDER BY p0", ["x"], target, WriteOptions())
            assert pyarrow.parquet.read_table(target)["x"].to_pylist() == [*[None] * 7, "a", *["b"] * 20]
            assert ("parquet-mr" in pyarrow.parquet.read_metadata(target).created_by) is sees
        engine.close()

    def test_names_are_no_texts(self, server: SparkServer) -> None:
        engine = SparkEngine(server.address)
        refuse_unsound_engine(engine)
        engine.close()

    def test_an_engine_that_takes_names_for_texts_is_refused(
        self, server: SparkServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        engine = SparkEngine(server.address)
        monkeypatch.setattr(engine, "name", lambda text: f'"{text}"')
        with pytest.raises(EngineFailed, match="does not tell names"):
            refuse_unsound_engine(engine)
        engine.close()

    def test_a_stop_stops_the_remote_job(self, server: SparkServer) -> None:
        engine = SparkEngine(server.address)
        asked = 0

        def after_a_while() -> bool:
            nonlocal asked
            asked += 1
            return asked > 40

        slow = "SELECT sum(a.id * b.id) AS n FROM range(10000000) a CROSS JOIN range(1000000) b"
        with pytest.raises(Cancelled):
            list(engine.fetch(slow, Progress(is_cancelled=after_a_while)))
        assert next(iter(engine.fetch("SELECT 1 AS n"))).column(0).to_pylist() == [1]
        engine.close()
        _let_threads_end()


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.filterwarnings("default")
def test_a_connection_that_is_lost_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frequency_set, "MAX_ROWS_FETCHED", 0)
    project = _project(tmp_path, ".parquet", "mondrian")
    with running_server("local[2]", tmp_path) as server:
        honest = frequency_set.count_tuples

        def cut_off(*given: object) -> int:
            server.kill()
            return honest(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(frequency_set, "count_tuples", cut_off)
        errand = OutOfCoreJob(
            find_input(project.source.path),  # type: ignore[union-attr]
            tmp_path / "lost.parquet",
            lambda _target: SparkEngine(server.address),
            Safeguards(reason="a test"),
            new_judge=verification_engine(EngineLimits()),
        )
        with pytest.raises(EngineFailed, match="no connection"):
            run_out_of_core(project, errand)
    assert not list(tmp_path.glob("*lost*"))
    _let_threads_end()


def _let_threads_end() -> None:
    """Wait for the threads on which the client lets go of what was stopped."""
    gc.collect()
    for thread in threading.enumerate():
        if thread.name.startswith("ThreadPoolExecutor"):
            thread.join(30.0)


def _project(folder: Path, suffix: str, method: str) -> Project:
    """Give a project with quotes, blanks, missing and several spellings of one, about a table of 400 rows."""
    path = folder / f"people{suffix}"
    ages = ["1", "1.0", "01", "", "7", " 7 "]
    names = ["age", "o'clock \"é", "ill", "note", "id"]
    rows = [
        (ages[n % 6], ["O'Neil", 'say "hi"', "日本", "a,b"][n % 4], f"s{n % 3}", f"n{n % 5}", f"{n:07d}")
        for n in range(400)
    ]
    if suffix == ".parquet":
        columns = {name: [row[at] or None for row in rows] for at, name in enumerate(names)}
        pyarrow.parquet.write_table(pa.table(columns), path)
    else:
        lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in [tuple(names), *rows]]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    begun = new_project(ROOM, Source(str(path))).project
    roles = {"age": Role.QI, names[1]: Role.QI, "ill": Role.SA, "note": Role.OTHER, "id": Role.EI}
    project = replace(
        begun.with_roles(roles),
        goals=(KAnonymity(k=4), DistinctLDiversity(l=2)),
        algorithm=ALGORITHMS.get(method)(),
        hierarchies={},
        suppression=0.2,
        person="",
        publishing=Publishing(pseudonyms=(("id", "keyed"),)),
    )
    return project.agreeing_to(["note"])
