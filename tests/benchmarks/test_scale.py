"""Tables beyond memory: ten million rows within 1.5 GB beside the road in memory, a hundred million within 4 GB."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet
import pytest

from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.storage.sources import Source

pytestmark = [pytest.mark.bench, pytest.mark.timeout(7200)]
VALUES = {"age": 74, "work": 8, "education": 16, "marital": 7, "occupation": 14, "race": 5, "sex": 2, "disease": 20}
KINDS, CHANGED, AT_ONCE = 30_000, 0.15, 1_000_000
GIGABYTE = 10**9


@dataclass(frozen=True)
class Cost:
    """What a call took: seconds on the clock and of the processor, the most bytes of it and its children together.

    `told` is what it printed.
    """

    seconds: float
    processor: float
    bytes: int
    told: dict[str, object]

    def __str__(self) -> str:
        return f"{self.seconds:.0f} s, {self.processor:.0f} s of the processor, {self.bytes / GIGABYTE:.2f} GB"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder for all tables."""
    return tmp_path_factory.mktemp("scale")


def table_of(folder: Path, rows: int) -> Path:
    """Write rows of 30,000 kinds of people, each cell drawn anew in 15 of 100 rows: many distinct, none by design."""
    path = folder / f"{rows}.parquet"
    if path.exists():
        return path
    rng = np.random.default_rng(1)
    kinds = {name: np.minimum((rng.beta(1.2, 3, KINDS) * n).astype(int), n - 1) for name, n in VALUES.items()}
    schema = pa.schema([(name, pa.dictionary(pa.int32(), pa.string())) for name in VALUES])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, AT_ONCE):
            many = min(AT_ONCE, rows - start)
            whom = rng.integers(0, KINDS, many)
            columns = []
            for name, n in VALUES.items():
                others = kinds[name][rng.integers(0, KINDS, many)]
                codes = np.where(rng.random(many) < CHANGED, others, kinds[name][whom]).astype(np.int32)
                labels = pa.array([f"{name}{value:02d}" for value in range(n)])
                columns.append(pa.DictionaryArray.from_arrays(pa.array(codes), labels))
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
    return path


def project_of(folder: Path, table: Path, method: str) -> Path:
    """Save a project with k = 10 about a table."""
    trees = {}
    for name, n in VALUES.items():
        nested: dict[str, dict[str, list[str]]] = {}
        for value in range(n):
            coarse = nested.setdefault(f"{name} of 20: {value // 20}", {})
            coarse.setdefault(f"{name} of 5: {value // 5}", []).append(f"{name}{value:02d}")
        trees[name] = Hierarchy.from_nested({"*": nested})
    roles = {name: Role.SA if name == "disease" else Role.QI for name in VALUES}
    project = Project(
        name="bench",
        source=Source(str(table)),
        schema=Schema(tuple(ColumnSchema(name, role=role) for name, role in roles.items())),
        hierarchies={name: tree for name, tree in trees.items() if roles[name] is Role.QI},
        goals=(KAnonymity(k=10),),
        suppression=0.01,
    )
    path = folder / f"{method}.anon"
    save_project(replace(project, algorithm=ALGORITHMS.get(method)()), path)
    return path


def cost_of(folder: Path, *words: str) -> Cost:
    """Call the program, and watch the memory of it and all it starts."""
    printed = folder / "printed.json"
    started, used, most = time.perf_counter(), _processor(), 0
    with printed.open("w", encoding="utf-8") as file:
        process = subprocess.Popen([sys.executable, "-m", "anonymizer_gui", *words], stdout=file)
        watched = psutil.Process(process.pid)
        while process.poll() is None:
            most = max(most, _bytes(watched))
            time.sleep(0.05)  # nothing tells of memory by itself
    assert process.returncode == 0
    told = json.loads(printed.read_text(encoding="utf-8"))
    return Cost(time.perf_counter() - started, _processor() - used, most, told)


def _processor() -> float:
    """Give the seconds of the processor that all children took that have ended, and theirs."""
    used = os.times()
    return used.children_user + used.children_system


def _bytes(process: psutil.Process) -> int:
    total = 0
    for each in [process, *_children(process)]:
        try:
            total += each.memory_info().rss
        except psutil.Error:
            continue
    return total


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return list(process.children(recursive=True))
    except psutil.Error:
        return []


@pytest.mark.parametrize("method", ["bottom-up", "mondrian"])
def test_ten_million_rows_beside_the_road_in_memory(folder: Path, method: str) -> None:
    table = table_of(folder, 10_000_000)
    project = str(project_of(folder, table, method))
    there = cost_of(
        folder, "run", project, "--engine", "duckdb", "--memory", "1GB", "-o", str(folder / "there.parquet"), "--json"
    )
    here = cost_of(folder, "run", project, "-o", str(folder / "here.parquet"), "--json")
    sys.stdout.write(f"\n{method}: DuckDB {there}; in memory {here}\n")
    for name in ("k", "l", "t", "lm", "classes", "rows", "suppressed"):
        assert there.told[name] == here.told[name]
    assert there.seconds <= 2 * here.seconds
    assert there.bytes <= 1.5 * GIGABYTE


@pytest.mark.parametrize("method", ["bottom-up", "mondrian"])
def test_a_hundred_million_rows_finish_under_four_gigabytes(folder: Path, method: str) -> None:
    table = table_of(folder, 100_000_000)
    project = str(project_of(folder, table, method))
    out = str(folder / "hundred.parquet")
    cost = cost_of(folder, "run", project, "--engine", "duckdb", "--memory", "2GB", "-o", out, "--json")
    sys.stdout.write(f"\n100 million rows, {method}: {cost}\n")
    assert cost.bytes <= 4 * GIGABYTE
    os.unlink(out)
