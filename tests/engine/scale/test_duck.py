"""DuckDB in its process: what it may not do, how it ends, and what it leaves behind."""

import json
import os
import signal
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, Cancelled, UnreadableFile
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.scale import duckdb_engine, duckdb_worker
from anonymizer_gui.engine.scale.contract import EngineFailed, SpillFolder, find_input, sweep_spills
from anonymizer_gui.engine.scale.duckdb_engine import DuckEngine, EngineLimits, read_answer
from anonymizer_gui.engine.scale.engine_choice import open_engine, reason_for_engine
from anonymizer_gui.engine.scale.sampled_table import engine_for, preview_input
from anonymizer_gui.engine.storage.sources import Source

SLOW = "SELECT count(*) AS n FROM range(100000000) a, range(100000) b WHERE a.range % 7 = b.range % 5"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[DuckEngine]:
    """Give an engine that may read and write in the folder of the test, and nowhere else."""
    spill = tmp_path / "spill"
    spill.mkdir()
    started = DuckEngine([tmp_path], EngineLimits(memory=300 << 20, spill=spill))
    yield started
    started.close()
    assert not list(spill.iterdir())


FORBIDDEN = (
    "SELECT * FROM read_csv('/etc/passwd')",
    "COPY (SELECT 1) TO '/tmp/anonymizer_escaped.csv'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SELECT * FROM 'https://example.org/x.parquet'",
    "ATTACH '/tmp/anonymizer_escaped.duckdb' AS x",
    "SET enable_external_access=true",
    "SET memory_limit='64GB'",
)


def test_it_reaches_nothing_but_its_folders(engine: DuckEngine) -> None:
    for sql in FORBIDDEN:
        with pytest.raises(AnonymizerError):
            engine.run(sql)
    assert not Path("/tmp/anonymizer_escaped.csv").exists()
    engine.run("SELECT 1")


def test_its_private_folder_is_private(tmp_path: Path) -> None:
    spill = SpillFolder(tmp_path)
    assert stat.S_IMODE(spill.folder.stat().st_mode) == 0o700
    spill.close()
    assert not list(tmp_path.iterdir())


def test_the_folder_of_a_killed_program_is_swept_and_that_of_a_running_one_is_not(tmp_path: Path) -> None:
    running = SpillFolder(tmp_path)
    dead = tmp_path / "anonymizer-spill-dead"
    dead.mkdir()
    (dead / "in-use").touch()
    (dead / "1.arrow").write_bytes(b"cells")
    sweep_spills(tmp_path)
    assert list(tmp_path.iterdir()) == [running.folder]
    running.close()


def test_an_engine_that_is_killed_is_told_in_one_sentence(engine: DuckEngine) -> None:
    def kill(fraction: float, text: str) -> None:
        """Be called never; the check below kills."""

    asked = 0

    def after_a_while() -> bool:
        nonlocal asked
        asked += 1
        if asked == 5:
            os.kill(engine.process_id, signal.SIGKILL)
        return False

    with pytest.raises(EngineFailed, match="ended while it worked"):
        engine.run(SLOW, Progress(kill, after_a_while))


def test_a_stop_ends_the_query_at_once(engine: DuckEngine) -> None:
    asked = 0

    def after_a_while() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    with pytest.raises(Cancelled):
        engine.run(SLOW, Progress(is_cancelled=after_a_while))
    with pytest.raises(EngineFailed):
        engine.run("SELECT 1")


def test_text_that_is_no_table_is_told_with_its_line_and_no_cell(engine: DuckEngine, tmp_path: Path) -> None:
    path = tmp_path / "ragged.csv"
    path.write_text("a,b\n1,2\nsecret,3,4\n", encoding="utf-8")
    engine.open(find_input(str(path)))
    with pytest.raises(UnreadableFile) as caught:
        list(engine.fetch("SELECT * FROM source"))
    assert "secret" not in str(caught.value)
    assert caught.value.line == 3


@pytest.fixture
def narrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DuckEngine]:
    """Give an engine with next to no memory."""
    monkeypatch.setattr(duckdb_engine, "_LEAST_BUFFERS", 1 << 20)
    started = DuckEngine([tmp_path], EngineLimits(memory=1 << 20))
    yield started
    started.close()


def test_too_little_memory_is_told(narrow: DuckEngine) -> None:
    with pytest.raises(EngineFailed, match="too little memory"):
        narrow.run(
            "SELECT b, count(*) FROM (SELECT range::VARCHAR || 'x' AS b FROM range(3000000)) GROUP BY b ORDER BY b"
        )


def test_a_full_disk_is_told() -> None:
    error = OSError("IO Error: Could not write: No space left on device")
    assert duckdb_worker.error_kind(error) == "disk"
    with pytest.raises(EngineFailed, match="disk is full"):
        read_answer(json.dumps({"error": duckdb_worker.error_kind(error), "name": "OSError", "line": 0}))


def test_tables_go_there_and_back(engine: DuckEngine) -> None:
    table = pa.table({"a": [1, None, 3], "b": ["ä", "'; DROP TABLE x; --", None]})
    engine.load("kept", table)
    assert pa.Table.from_batches(engine.fetch("SELECT * FROM kept")).to_pydict() == table.to_pydict()


def test_a_folder_of_parquet_and_a_pattern_of_csv_are_one_table(engine: DuckEngine, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for at in range(3):
        pyarrow.parquet.write_table(pa.table({"n": [at]}), folder / f"{at}.parquet")
        (tmp_path / f"part{at}.csv").write_text(f"n\n{at}\n", encoding="utf-8")
    (folder / "_SUCCESS").touch()
    for place in (folder, tmp_path / "part*.csv"):
        assert engine.open(find_input(str(place))) == ["n"]
        found = [
            int(row) for batch in engine.fetch("SELECT c0 FROM source ORDER BY c0") for row in batch[0].to_pylist()
        ]
        assert found == [0, 1, 2]


def test_files_of_different_tables_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n\n1\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("m\n1\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="other columns"):
        find_input(str(tmp_path / "*.csv"))


def test_a_table_of_a_duckdb_file_is_read(engine: DuckEngine, tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "held.duckdb")) as made:
        made.execute("CREATE TABLE people AS SELECT 7 AS age")
    assert engine.open(find_input(str(tmp_path / "held.duckdb"))) == ["age"]
    assert next(iter(engine.fetch("SELECT c0 FROM source"))).column(0).to_pylist() == [7]


def test_the_tables_of_a_duckdb_file_can_be_chosen_from(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "held.duckdb")) as made:
        made.execute("CREATE TABLE people AS SELECT 7 AS age")
        made.execute("CREATE TABLE visits AS SELECT 'x' AS ill, 3 AS n")
    seen = preview_input(str(tmp_path / "held.duckdb"), None)
    assert seen.parts == ("people", "visits")
    assert seen.table.names == ("age",)
    assert preview_input(str(tmp_path / "held.duckdb"), replace(seen.options, part="visits")).table.names == (
        "ill",
        "n",
    )


def test_a_cluster_that_a_project_names_is_not_called_up(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a\n1\n", encoding="utf-8")
    assert engine_for(Source(str(path), options={"engine": "sc://somewhere:15002"})) == "duckdb"
    assert engine_for(Source(str(path), options={"engine": "memory"})) == ""
    with pytest.raises(BadParameter):
        engine_for(Source(str(path), options={"engine": 7}))


def test_an_unknown_engine_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="no engine"):
        open_engine("oracle")
    with pytest.raises(UnreadableFile):
        find_input(str(tmp_path))
    with pytest.raises(UnreadableFile, match="nothing called"):
        find_input(str(tmp_path / "gone.parquet"))


def test_what_memory_cannot_hold_is_left_to_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "small.csv"
    path.write_text("a\n" * 100, encoding="utf-8")
    assert reason_for_engine(str(path)) is None
    assert "read by DuckDB" in str(reason_for_engine(str(tmp_path)))
    monkeypatch.setattr("anonymizer_gui.engine.scale.engine_choice.free_memory", lambda: 100)
    assert "DuckDB is used" in str(reason_for_engine(str(path)))
