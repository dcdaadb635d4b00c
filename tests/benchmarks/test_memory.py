"""Ten million rows of eight columns, drawn independently: anonymized, exported and verified within 6 GB."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROWS = 10_000_000
ROWS_AT_ONCE = 500_000
MOST_BYTES = 6e9
VALUES = {"age": 74, "work": 8, "education": 16, "marital": 7, "occupation": 14, "race": 5, "sex": 2, "disease": 20}
pytestmark = [
    pytest.mark.bench,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not hasattr(os, "wait4"), reason="this system does not tell the memory of a process"),
]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the table; copies of a small one would hold few distinct people and be no test."""
    path = tmp_path_factory.mktemp("large") / "people.csv"
    rng = np.random.default_rng(1)
    texts = [np.array([f"{name}{value:02d}" for value in range(n)], dtype=object) for name, n in VALUES.items()]
    with path.open("w", encoding="ascii") as file:
        file.write(",".join(VALUES) + "\n")
        for _ in range(ROWS // ROWS_AT_ONCE):
            columns = [labels[rng.integers(0, len(labels), ROWS_AT_ONCE)].tolist() for labels in texts]
            file.write("\n".join(map(",".join, zip(*columns, strict=True))) + "\n")
    return path


@pytest.fixture(scope="module")
def hierarchies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hierarchies")
    for name, n in VALUES.items():
        lines = [f"{name}{value:02d};{name} of 5: {value // 5};{name} of 20: {value // 20};*" for value in range(n)]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="ascii")
    return folder


def most_bytes(*words: str) -> int:
    """Call the program; give the most memory it had."""
    process = subprocess.Popen([sys.executable, "-m", "anonymizer_gui", *words])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.parametrize("algorithm", ["mondrian", "bottom-up"])
def test_ten_million_rows_stay_within_six_gigabytes(table: Path, hierarchies: Path, algorithm: str) -> None:
    out = table.with_name(f"{algorithm}.csv")
    qis = ",".join(name for name in VALUES if name != "disease")
    goals = ["--k", "10", "--l", "2", "--suppress", "0.02"]
    roles = ["--qi", qis, "--sa", "disease", "--hierarchies", str(hierarchies)]
    made = most_bytes("anonymize", str(table), *roles, *goals, "--algorithm", algorithm, "-o", str(out))
    verified = most_bytes("verify", str(out))
    sys.stdout.write(f"{algorithm}: {made / 1e9:.2f} GB to make, {verified / 1e9:.2f} GB to verify\n")
    assert max(made, verified) < MOST_BYTES
