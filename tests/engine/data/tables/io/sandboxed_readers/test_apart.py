"""Binary formats are read in a process apart: what a file does to it is one sentence, and the program goes on."""

import json
import os
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from anonymizer_gui.__main__ import READ_TABLES_WORKER
from anonymizer_gui.engine.core.errors import Cancelled, UnreadableFile
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, read_table
from anonymizer_gui.engine.data.tables.io.read_write import reader_of
from anonymizer_gui.engine.data.tables.io.sandboxed_readers import client
from anonymizer_gui.engine.data.tables.io.sandboxed_readers.limits import BROKEN, TOO_LONG, TOO_MUCH_MEMORY, limits_for
from anonymizer_gui.engine.data.tables.table import Table
from tests.engine.data.tables.io.malformed import originals

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.fixture
def fresh_pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[client.WorkerPool]:
    """Give a pool of its own, which knows nothing of what other tests have started."""
    from anonymizer_gui.engine.data.tables.io.sandboxed_readers import client

    pool = client.WorkerPool()
    monkeypatch.setattr(client, "POOL", pool)
    yield pool
    pool.close()


def labelled_sav(path: Path) -> Path:
    frame = pd.DataFrame({"name": ["Ann", "Bob"], "age": [34.0, float("nan")], "sex": [1.0, 2.0]})
    labels = {"sex": {1: "male", 2: "female"}}
    pyreadstat.write_sav(frame, str(path), variable_value_labels=labels, column_labels=["n", "a", "s"])
    return path


def parquet(path: Path, rows: int = 50) -> Path:
    pq.write_table(pa.table({"id": list(range(rows)), "sex": ["m", "f"] * (rows // 2)}), path)
    return path


def texts(table: Table) -> list[list[str]]:
    return [list(column.texts()) for column in table.columns]


@pytest.mark.parametrize("place", [260, 263, 344, 345, 347])
def test_a_byte_that_breaks_the_library_is_one_sentence_and_the_next_file_is_read(tmp_path: Path, place: int) -> None:
    path = labelled_sav(tmp_path / "t.sav")
    data = bytearray(path.read_bytes())
    data[place] = 127
    (tmp_path / "bad.sav").write_bytes(data)
    with pytest.raises(UnreadableFile, match="damaged"):
        read_table(tmp_path / "bad.sav")
    assert read_table(path)[0].n_rows == 2


def test_a_table_comes_over_cell_for_cell(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    frame = pd.DataFrame({
        "same": ["x"] * 70_000,
        "few": random.choice(["ä", "b", None], 70_000),
        "many": [f"n{i}" for i in random.permutation(70_000)],
        "number": random.integers(0, 300, 70_000),
    })  # fmt: skip
    frame.to_parquet(tmp_path / "t.parquet", index=False)
    apart, report = read_table(tmp_path / "t.parquet")
    reader = reader_of(tmp_path / "t.parquet")
    here, told = reader.read(tmp_path / "t.parquet", ReadOptions(), SILENT, None)
    assert apart.names == here.names
    assert [column.labels for column in apart.columns] == [column.labels for column in here.columns]
    assert [c.codes.dtype for c in apart.columns] == [c.codes.dtype for c in here.columns]
    assert all(np.array_equal(a.codes, b.codes) for a, b in zip(apart.columns, here.columns, strict=True))
    assert report == told


def test_a_table_without_rows_and_one_without_columns_come_over(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": pa.array([], pa.string())}), tmp_path / "empty.parquet")
    pq.write_table(pa.table({}), tmp_path / "nothing.parquet")
    assert read_table(tmp_path / "empty.parquet")[0].names == ("a",)
    assert read_table(tmp_path / "nothing.parquet")[0].names == ()


def test_what_the_reader_says_comes_over_with_its_values(tmp_path: Path) -> None:
    report = read_table(labelled_sav(tmp_path / "t.sav"))[1]
    (note,) = report.notes
    assert note.pattern.endswith("in: {columns}.")  # type: ignore[attr-defined]
    connection = sqlite3.connect(tmp_path / "t.db")
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    with pytest.raises(UnreadableFile) as caught:
        read_table(tmp_path / "t.db", ReadOptions(part="other"))
    assert caught.value.message.values["name"] == "other"  # type: ignore[attr-defined]


def test_one_process_answers_one_question_after_the_other(tmp_path: Path, fresh_pool: client.WorkerPool) -> None:
    path = parquet(tmp_path / "t.parquet")
    first = fresh_pool.take()
    fresh_pool.give_back(first)
    tables = [texts(read_table(path)[0]) for _ in range(3)]
    assert tables[0] == tables[1] == tables[2]
    assert fresh_pool.take() is first or not client.FORKS
    first.close()


def test_several_threads_read_at_once(tmp_path: Path) -> None:
    path = parquet(tmp_path / "t.parquet")
    found: list[list[list[str]]] = []
    threads = [threading.Thread(target=lambda: found.append(texts(read_table(path)[0]))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert found[0] == found[1] == found[2]


def test_a_view_without_end_is_ended_within_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from anonymizer_gui.engine.data.tables.io.sandboxed_readers import limits

    monkeypatch.setattr(limits, "_BASE_SECONDS", 1.0)
    connection = sqlite3.connect(tmp_path / "t.db")
    connection.execute(f"CREATE VIEW endless AS {ENDLESS}")
    connection.close()
    with pytest.raises(UnreadableFile, match="took longer"):
        read_table(tmp_path / "t.db")


def test_reading_that_takes_too_long_on_the_clock_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from anonymizer_gui.engine.data.tables.io.sandboxed_readers import limits

    monkeypatch.setattr(limits, "_BASE_WAIT", 0.3)
    monkeypatch.setattr(limits, "_BASE_SECONDS", 1e6)  # only the clock can end it
    connection = sqlite3.connect(tmp_path / "t.db")
    connection.execute(f"CREATE VIEW endless AS {ENDLESS}")
    connection.close()
    with pytest.raises(UnreadableFile, match="took longer"):
        read_table(tmp_path / "t.db", ReadOptions(part="endless"))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a limit of memory")
def test_reading_that_takes_too_much_memory_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from anonymizer_gui.engine.data.tables.io.sandboxed_readers import limits

    monkeypatch.setattr(limits, "_BASE_MEMORY", 30 << 20)
    monkeypatch.setattr(limits, "_MEMORY_PER_BYTE", 0)
    frame = pd.DataFrame({"a": [f"{i} and some more text" for i in range(400_000)]})
    frame.to_parquet(tmp_path / "t.parquet", index=False, compression=None)
    with pytest.raises(UnreadableFile, match=r"more memory|damaged"):
        read_table(tmp_path / "t.parquet")


def test_a_cancelled_reading_ends_the_process(tmp_path: Path, fresh_pool: client.WorkerPool) -> None:
    connection = sqlite3.connect(tmp_path / "t.db")
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        read_table(
            tmp_path / "t.db",
            ReadOptions(query=ENDLESS),
            Progress(is_cancelled=lambda: time.monotonic() - begun > 0.5),
        )
    assert not fresh_pool._idle


def test_progress_is_told(tmp_path: Path) -> None:
    frame = pd.DataFrame({f"c{i}": np.random.default_rng(i).random(150_000) for i in range(3)})
    frame.to_parquet(tmp_path / "t.parquet", index=False)
    told: list[tuple[float, str]] = []
    read_table(tmp_path / "t.parquet", None, Progress(lambda fraction, text: told.append((fraction, text))))
    assert told
    assert told[-1][1].startswith("Reading ")
    assert getattr(told[-1][1], "pattern", "") == "Reading {count:row|rows}"


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("", BROKEN),
        ("import sys; sys.stdin.readline(); sys.exit(70)", TOO_LONG),
        ("import sys; sys.stdin.readline(); sys.exit(71)", TOO_MUCH_MEMORY),
        ("import sys; sys.stdin.readline(); sys.stdout.buffer.write(bytes(range(256))); sys.stdout.flush(); "
         "sys.stdin.readline()", BROKEN),
        ("import os, sys; sys.stdin.readline(); os.write(1, b'\\x05' + b'\\xff' * 8 + b'x'); sys.stdin.readline()",
         BROKEN),
        ("import os, sys; sys.stdin.readline(); os.write(1, b'\\x05\\x02' + bytes(7) + b'[]\\x08' + bytes(8))",
         BROKEN),
    ],
    ids=["gone", "too long", "too much", "nonsense", "endless frame", "no table"],
)  # fmt: skip
def test_a_process_that_ends_badly_or_speaks_nonsense_is_a_sentence(
    tmp_path: Path, fresh_pool: client.WorkerPool, monkeypatch: pytest.MonkeyPatch, program: str, code: int
) -> None:
    monkeypatch.setattr(client, "reader_command", lambda: [sys.executable, "-c", program])
    words = {BROKEN: "broke off", TOO_LONG: "took longer", TOO_MUCH_MEMORY: "more memory"}
    with pytest.raises(UnreadableFile, match=words[code]):
        read_table(parquet(tmp_path / "t.parquet"))


def test_a_process_that_cannot_be_started_is_a_sentence(
    tmp_path: Path, fresh_pool: client.WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "reader_command", lambda: [str(tmp_path / "no such program")])
    with pytest.raises(UnreadableFile, match="could not be started"):
        read_table(parquet(tmp_path / "t.parquet"))


def answered(behaviour: str, seconds: float = 2.0, memory: int = 200 << 20) -> int:
    """Let the real process answer with a reader that behaves badly; give how it ended."""
    script = f"""
        import os, time
        from anonymizer_gui.engine.data.tables.io.sandboxed_readers.worker import _answer_in_child
        from anonymizer_gui.engine.data.tables.io.sandboxed_readers.protocol import Question
        class Bad:
            def parts(self, path):
                {behaviour}
        question = Question("x", "parts", "/x", {seconds}, {memory})
        os._exit(_answer_in_child(question, Bad(), os.open(os.devnull, os.O_WRONLY)))
    """
    return subprocess.run([sys.executable, "-c", textwrap.dedent(script)], stderr=subprocess.DEVNULL).returncode


@pytest.mark.skipif(not client.FORKS, reason="there is no child here")
@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        ("return ('a',)", 0),
        ("os.abort()", BROKEN),
        ("os.kill(os.getpid(), 11)", BROKEN),
        ("while True: pass", TOO_LONG),
        ("return bytearray(1 << 30)", TOO_MUCH_MEMORY),
        ("raise KeyError('cell of the table')", 0),
        ("os._exit(0)", 0),
        ("open('/tmp/never-written', 'wb').write(bytes(8 << 20))", 0),
    ],
)
def test_the_child_is_held_to_its_limits(behaviour: str, code: int) -> None:
    assert answered(behaviour, seconds=1.0) == code
    Path("/tmp/never-written").unlink(missing_ok=True)


def test_what_no_reader_knows_is_told_without_cells(tmp_path: Path) -> None:
    """The places in the code are told, so that it can be reported; the words of the error may hold cells."""
    from anonymizer_gui.engine.data.tables.io.sandboxed_readers.protocol import Question
    from anonymizer_gui.engine.data.tables.io.sandboxed_readers.worker import _unknown

    try:
        raise KeyError("HIV")
    except KeyError as error:
        told = _unknown(Question("x", "read", str(tmp_path / "t.sav"), 1, 1), error)
    assert "t.sav" in told.message
    assert "KeyError at:" in told.hint
    assert "HIV" not in str(told)


def test_the_process_is_this_program_in_a_bundle_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.reader_command() == [sys.executable, "-P", "-m", "anonymizer_gui", READ_TABLES_WORKER]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert client.reader_command() == [sys.executable, READ_TABLES_WORKER]


def test_the_process_is_not_started_in_the_folder_of_a_stranger(
    tmp_path: Path, fresh_pool: client.WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "openpyxl.py").write_text("open('ran', 'w')")
    (tmp_path / "numpy.py").write_text("open('ran', 'w')")
    path = parquet(tmp_path / "t.parquet")
    monkeypatch.chdir(tmp_path)
    assert read_table("t.parquet")[0].n_rows == 50
    assert not (tmp_path / "ran").exists()
    assert path.exists()


@pytest.mark.skipif(os.name == "nt", reason="such names are no files on Windows")
def test_files_with_names_that_are_not_utf_8_are_read(tmp_path: Path) -> None:
    for name, data in originals(tmp_path).items():
        path = tmp_path / os.fsdecode(b"n\xff" + name.encode())
        path.write_bytes(data)
        assert read_table(path)[0].n_rows == 60, name


def test_limits_grow_with_the_file() -> None:
    small, large = limits_for(1000), limits_for(200 << 20)
    assert small.seconds < 7
    # On a machine that gives it a tenth of a processor, a file may still take all its work.
    assert 10 * small.seconds < small.wait < 120
    assert small.memory < 1.1 * (1 << 30)
    assert large.seconds > 600
    assert large.memory > small.memory


def test_nobody_is_left_when_the_program_ends(tmp_path: Path) -> None:
    path = parquet(tmp_path / "t.parquet")
    script = f"""
        from anonymizer_gui.engine.data.tables.io import read_table
        from anonymizer_gui.engine.data.tables.io.sandboxed_readers.client import POOL
        read_table({str(path)!r})
        print(POOL._idle[0]._process.pid)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert not Path(f"/proc/{done.stdout.strip()}").exists()
    assert done.stderr == ""


def test_the_limits_of_windows_have_the_layout_of_windows() -> None:
    import ctypes

    from anonymizer_gui.engine.data.tables.io.sandboxed_readers.limits import BasicLimits, job_limits

    if ctypes.sizeof(ctypes.c_void_p) != 8:
        pytest.skip("the numbers are those of 64 bits")
    limits = job_limits(7.0, 1 << 30)
    assert (ctypes.sizeof(BasicLimits), ctypes.sizeof(limits)) == (64, 144)
    assert type(limits).process_memory.offset == 112
    assert BasicLimits.processes.offset == 40
    assert (limits.basic.process_time, limits.process_memory) == (70_000_000, 1 << 30)


def test_errors_come_over_as_what_they_are() -> None:
    from anonymizer_gui.engine.core.errors import MissingExtra
    from anonymizer_gui.engine.data.tables.io.sandboxed_readers.protocol import error_from_json, error_json

    there = error_from_json(json.loads(json.dumps(error_json(MissingExtra("It is missing.", "Install it.")))))
    assert isinstance(there, MissingExtra)
    assert (there.message, there.hint) == ("It is missing.", "Install it.")
    there = error_from_json(json.loads(json.dumps(error_json(UnreadableFile("Line 3.", "Mend it.", 3, "age")))))
    assert (there.line, there.column) == (3, "age")
