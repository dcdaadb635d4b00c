"""The suite can be run in any order, and says at its end how it went."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT
from tests.order import ordered
from tests.summary import NEEDS_DATA, needing_data, summary_lines


@dataclass(frozen=True)
class Item:
    path: Path
    number: int


FILES = [ROOT / "tests" / name for name in ("ui/test_a.py", "engine/test_b.py", "workspace/test_c.py", "test_d.py")]
ITEMS = [Item(path, number) for path in FILES for number in range(30)]


def files_of(items: list[Item]) -> list[Path]:
    return [item.path for at, item in enumerate(items) if at == 0 or items[at - 1].path != item.path]


def test_the_window_comes_last_without_a_seed() -> None:
    assert [path.parent.name for path in files_of(ordered(ITEMS))] == ["engine", "tests", "workspace", "ui"]
    assert [item.number for item in ordered(ITEMS) if item.path == FILES[0]] == list(range(30))


def test_a_seed_mixes_files_and_tests_and_keeps_files_together() -> None:
    mixed = ordered(ITEMS, "1")
    assert sorted(mixed, key=ITEMS.index) == ITEMS
    assert sorted(files_of(mixed)) == sorted(FILES)
    assert [item.number for item in mixed if item.path == FILES[0]] != list(range(30))
    assert ordered(list(reversed(ITEMS)), "1") != mixed != ordered(ITEMS, "2")
    assert len({tuple(files_of(ordered(ITEMS, str(seed)))) for seed in range(30)}) > 5
    assert mixed == ordered(ITEMS, "1")


def test_the_end_says_how_many_how_long_and_what_is_needed() -> None:
    reasons = [("conftest.py", 7, f"Skipped: {NEEDS_DATA}; say where"), ("x.py", 1, "Skipped: no Xvfb"), "text"]
    assert needing_data(reasons) == 1
    lines = summary_lines({"passed": 1200, "failed": 1, "skipped": 3}, 125.4, "7", (1, Path("data")))
    assert lines[0] == "1,204 tests in 2:05 min: 1,200 passed, 1 failed, 3 skipped."
    assert "ANONYMIZER_TEST_ORDER=7" in lines[1]
    assert "look in data" in lines[2]
    assert len(summary_lines({"passed": 1}, 1, "", (0, Path("data")))) == 1


def test_repeating_needs_a_number() -> None:
    for words in ([], ["often"], ["0"]):
        done = subprocess.run(
            [str(ROOT / "tests" / "repeat.sh"), *words], env=os.environ, capture_output=True, text=True
        )
        assert done.returncode != 0
        assert "How many times?" in done.stderr
