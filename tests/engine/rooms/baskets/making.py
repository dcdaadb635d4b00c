"""Baskets and trees that several tests use: the worked example, the public data sets, and a slow plain count."""

import itertools
from collections.abc import Sequence
from pathlib import Path

from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import PrivacyModel
from anonymizer_gui.engine.rooms.baskets.project import TABLE, Project
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.rooms.baskets.run import encode_baskets, run

EXAMPLE = [["a1", "b1", "b2"], ["a2", "b1"], ["a2", "b1", "b2"], ["a1", "a2", "b2"]]
EXAMPLE_TREE = {"*": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}


def released(
    baskets: Baskets, tree: Hierarchy | None, algorithm: Algorithm, *goals: PrivacyModel, name: str = "test"
) -> Release:
    """Run a method on baskets."""
    hierarchies = {} if tree is None else {ITEMS: tree}
    project = Project(name=name, goals=tuple(goals), algorithm=algorithm, hierarchies=hierarchies)
    return run(project, {TABLE: baskets})


def loss_of_cut(baskets: Baskets, tree: Hierarchy, cut: Sequence[int]) -> float:
    """Give the NCP of a cut, item by item."""
    data = encode_baskets(baskets, Project(hierarchies={ITEMS: tree}), None)
    return float(data.cost[[cut[leaf] for leaf in data.leaves.tolist()]].mean())


def plain_supports(sets: Sequence[Sequence[str]], m: int) -> dict[frozenset[str], int]:
    """Count every set of up to m items the plainest way."""
    counts: dict[frozenset[str], int] = {}
    for held in sets:
        for size in range(1, m + 1):
            for some in itertools.combinations(sorted(set(held)), size):
                counts[frozenset(some)] = counts.get(frozenset(some), 0) + 1
    return counts


def is_km(sets: Sequence[Sequence[str]], k: int, m: int) -> bool:
    """Tell whether every set of up to m items is in no basket or in k."""
    return all(count >= k for count in plain_supports(sets, m).values())


def groceries(folder: Path) -> tuple[Baskets, Hierarchy]:
    """Read the groceries with their own tree of three levels."""
    place = folder / "groceries"
    labels = [line.split("\t") for line in (place / "Groceries.labels").read_text("utf-8").splitlines()]
    first, second = (
        {
            line.split("\t")[0]: line.split("\t")[1]
            for line in (place / f"Groceries.cat{n}.labels").read_text().splitlines()
        }
        for n in (1, 2)
    )
    rows = [line.split("\t") for line in (place / "Groceries.data").read_text("utf-8").splitlines()]
    sets = [[labels[at][1] for at, cell in enumerate(row) if cell.strip() not in ("", "0")] for row in rows]
    nested: dict[str, dict[str, list[str]]] = {}
    for code, name, *_ in labels:
        nested.setdefault(f"1 {first[code[0]]}", {}).setdefault(f"2 {second[code[:2]]}", []).append(name)
    return Baskets.from_sets(sets), Hierarchy.from_nested({"*": nested})


def msweb(folder: Path) -> Baskets:
    """Read the areas of a web site that each session visited."""
    sets: list[list[str]] = []
    for line in (folder / "msweb" / "anonymous-msweb.data").read_text("latin-1").splitlines():
        kind, number, *_ = line.split(",")
        if kind == "C":
            sets.append([])
        elif kind == "V":
            sets[-1].append(number)
    return Baskets.from_sets(sets)
