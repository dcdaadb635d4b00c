"""Reading a million rows of fifteen columns against pandas.read_csv: CPU time and peak memory, in one run."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROWS = 1_000_000
ROUNDS = 3
SLOWEST, LARGEST = 1.5, 1.0
pytestmark = pytest.mark.bench

MEASURE = """
import pathlib, re, sys, time
import pandas
from anonymizer_gui.engine.data.tables.io import read_table
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
before = peak()
start = time.process_time()
kept = {call}
print(time.process_time() - start, peak() - before)
"""


def measured(call: str, path: Path) -> tuple[float, int]:
    """Run one reading in a process of its own; give its CPU seconds and how many KB its peak grew."""
    script = MEASURE.format(call=call)
    done = subprocess.run([sys.executable, "-c", script, str(path)], check=True, capture_output=True, text=True)
    seconds, kilobytes = done.stdout.split()
    return float(seconds), int(kilobytes)


@pytest.fixture(scope="module")
def census(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a table of people: two identifiers, a fine-grained amount, dates, codes and words."""
    rng = np.random.default_rng(1)
    people = pd.DataFrame(
        {
            "id": np.arange(ROWS) + 100_000,
            "name": [f"Name{i:06d}" for i in rng.permutation(ROWS)],
            "age": rng.integers(0, 100, ROWS),
            "sex": rng.choice(["male", "female"], ROWS),
            "zip": [f"{code:05d}" for code in rng.integers(0, 99_999, ROWS)],
            "birth": (np.datetime64("1930-01-01") + rng.integers(0, 30_000, ROWS)).astype(str),
            "nation": rng.choice(["Turkish", "German", "French", "Danish", "Dutch"], ROWS),
            "education": rng.choice(["Bachelors", "Masters", "HS-grad", "11th", "Doctorate"], ROWS),
            "marital": rng.choice(["Never-married", "Divorced", "Married"], ROWS),
            "work": rng.choice(["Private", "State-gov", "Self-emp"], ROWS),
            "hours": rng.integers(1, 80, ROWS),
            "diagnosis": rng.choice(["flu", "asthma", "hypertension", "diabetes", "cancer"], ROWS),
            "charge": np.round(rng.gamma(2, 1000, ROWS), 2),
            "country": rng.choice(["US", "TR", "DE", "NL"], ROWS),
            "income": rng.choice(["<=50K", ">50K"], ROWS),
        }
    )
    path = tmp_path_factory.mktemp("census") / "census.csv"
    people.to_csv(path, index=False)
    return path


def test_a_million_rows_are_read_nearly_as_fast_as_by_pandas_and_in_no_more_memory(census: Path) -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak memory of a process is read from /proc, which only Linux has")
    rounds = [(measured("read_table(sys.argv[1])", census), measured("pandas.read_csv(sys.argv[1])", census))
              for _ in range(ROUNDS)]  # fmt: skip
    ours, theirs = zip(*rounds, strict=True)
    seconds = min(s for s, _ in ours), min(s for s, _ in theirs)
    memory = min(m for _, m in ours), min(m for _, m in theirs)
    sys.stdout.write(
        f"\nread 1M x 15: {seconds[0]:.2f} s against {seconds[1]:.2f} s of pandas ({seconds[0] / seconds[1]:.2f}x); "
        f"{memory[0] / 1024:.0f} MB against {memory[1] / 1024:.0f} MB ({memory[0] / memory[1]:.2f}x)\n"
    )
    assert seconds[0] <= SLOWEST * seconds[1]
    assert memory[0] <= LARGEST * memory[1]
