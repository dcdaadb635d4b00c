"""Hierarchies keep up with the rest: ratios within one run, and limits with much room."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.hierarchy import edits
from anonymizer_gui.engine.hierarchy.files import read_hierarchies
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

pytestmark = pytest.mark.bench


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Give the shortest processor time of several runs."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def tell(text: str) -> None:
    """Show a measured number to who runs the benchmarks."""
    sys.stdout.write(f"\n{text}\n")


def tree_of(n_leaves: int) -> Hierarchy:
    """Give a tree of four levels."""
    names = [f"value {n}" for n in range(n_leaves)]
    wide = {f"group {at}": names[at : at + 20] for at in range(0, n_leaves, 20)}
    groups = list(wide.items())
    return Hierarchy.from_nested({"*": {f"part {at}": dict(groups[at : at + 25]) for at in range(0, len(groups), 25)}})


def test_adult_is_encoded_faster_than_pandas_reads_it(shared_data: Path) -> None:
    path = shared_data / "adult" / "adult.csv"
    frame = pd.read_csv(path, sep=";", dtype=str)
    columns = [Column.from_texts(name, frame[name]) for name in frame]
    hierarchies = read_hierarchies(path.parent, list(frame)).hierarchies
    reading = seconds(lambda: pd.read_csv(path, sep=";", dtype=str))
    encoding = seconds(lambda: [encode_column(column, hierarchies[column.name]) for column in columns])
    tell(f"encode {encoding:.4f} s, pandas {reading:.4f} s")
    assert encoding < reading


def test_a_million_common_ancestors_take_well_under_a_second() -> None:
    tree = tree_of(100_000)
    random = np.random.default_rng(0)
    low, high = np.sort(random.integers(0, tree.n_leaves, (2, 1_000_000)), axis=0)
    tree.common_ancestors(low[:2], high[:2])
    spent = seconds(lambda: tree.common_ancestors(low, high), times=3)
    tell(f"1,000,000 common ancestors {spent:.3f} s")
    assert spent < 0.8


def test_a_hierarchy_of_a_hundred_thousand_leaves_is_made_at_once() -> None:
    tree = tree_of(100_000)
    spent = seconds(lambda: Hierarchy(tree.labels, tree.parents).ancestors)
    tell(f"100,000 leaves {spent:.3f} s")
    assert spent < 0.2


@pytest.mark.parametrize("edit", ["add", "rename", "delete", "move", "group", "sort", "insert_level"])
def test_an_edit_of_ten_thousand_leaves_is_fluid(edit: str) -> None:
    tree = tree_of(10_000)
    node = tree.node_of_label
    ways: dict[str, Callable[[], Hierarchy]] = {
        "add": lambda: edits.add_leaf(tree, node["group 40"], "new"),
        "rename": lambda: edits.rename(tree, node["value 77"], "new"),
        "delete": lambda: edits.delete(tree, node["group 40"]),
        "move": lambda: edits.move(tree, node["group 40"], node["part 50"]),
        "group": lambda: edits.group(tree, tree.leaves[:1000].tolist(), "new"),
        "sort": lambda: edits.sort(tree, node["part 50"]),
        "insert_level": lambda: edits.insert_level(tree, 3),
    }
    spent = seconds(ways[edit])
    tell(f"{edit} {1000 * spent:.1f} ms")
    assert spent < 0.05
