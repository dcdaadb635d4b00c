"""Files of some kilobytes that ask for hours or gigabytes are refused, or read, within their limits."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.data.tables.io import bombs

ROOT = Path(bombs.__file__).parents[5]
LONGEST_SECONDS = 10.0
LARGEST_MEGABYTES = 2048


def exploded(folder: Path, files: dict[str, bytes], seconds: float) -> dict[str, dict[str, float]]:
    """Read the files in a program of its own, and give what it told of each."""
    for name, data in files.items():
        assert len(data) < 1 << 20, name
        (folder / name).write_bytes(data)
    call = [sys.executable, "-m", bombs.__name__, str(folder), str(seconds)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert {entry["name"] for entry in told} == set(files)
    return {entry["name"]: entry for entry in told}


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of others is counted as on Linux")
def test_small_files_that_ask_for_everything_are_refused(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    few = {
        **bombs.wide_texts(),
        "row_number.xlsx": bombs.workbook(**{bombs._SHEET: bombs.sheet('<row r="1"/><row r="99999999999"/>')}),
        "endless_rows.db": bombs.databases(tmp_path)["endless_rows.db"],
        "long.parquet": bombs.columnar(1, 30_000_000, tmp_path),
    }
    told = exploded(tmp_path / "files", few, seconds=1.0)
    assert max(entry["megabytes"] for entry in told.values()) < LARGEST_MEGABYTES
    assert told["wide_full.csv"]["told"] == "5 rows"
    assert "cells that are not there" in str(told["wide.csv"]["told"])
    assert "took longer" in str(told["endless_rows.db"]["told"])
    assert "no file of its size holds" in str(told["long.parquet"]["told"])


@pytest.mark.fuzz
@pytest.mark.timeout(900)
def test_no_small_file_takes_more_than_its_time_and_memory(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    files = {**bombs.texts(), **bombs.workbooks(), **bombs.databases(tmp_path), **bombs.columns(tmp_path)}
    told = exploded(tmp_path / "files", files, seconds=6.0)
    slow = {name: entry for name, entry in told.items() if entry["seconds"] > LONGEST_SECONDS + 5}
    assert slow == {}, "five seconds are for starting the process"
    assert max(entry["megabytes"] for entry in told.values()) < LARGEST_MEGABYTES
