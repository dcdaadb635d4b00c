"""The second opinion: reads the files of a release by itself and counts candidate sets, rows and labels anew."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

Losses = Mapping[str, Mapping[str, float]]
"""What every label of a column has lost, from 0 to 1."""
_GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
_HEADS = {"node": ["source", "target"], "group": ["group_a", "group_b", "edges"]}
"""The head of the ties, by what the people are called by: themselves, or their group."""


@dataclass(frozen=True, slots=True)
class ReleasedGraph:
    """A release as its files tell it: who is there, with their cells, and which ties there are."""

    people: list[tuple[str, dict[str, str]]]
    edges: list[tuple[str, str]]
    counts: dict[tuple[str, str], int]
    is_directed: bool
    is_grouped: bool
    columns: tuple[str, ...]
    """What is known of the people, in the order of the file."""
    is_direction_shown: bool = True
    """Whether the files tell by themselves that ties have a direction, or have none."""


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """What was counted."""

    nodes: int
    edges: int
    smallest: int
    smallest_rows: int
    fewest_labels: int
    fewest_labels_by_ties: int
    certain_edges: float
    unique: dict[str, float]
    is_grouped: bool
    is_directed: bool
    is_direction_shown: bool
    columns: tuple[str, ...]
    lm: float | None
    """The mean loss of the known columns; none where it is not known what their cells have lost."""


def read_csv(edges: bytes, nodes: bytes, *, is_directed: bool) -> ReleasedGraph:
    """Read the two tables; raises ValueError when they are none, or not two of one graph.

    Ties without a direction begin with the smaller number: one that does not has a direction.
    """
    head, *people = _rows(nodes)
    listed = [(row[0], dict(zip(head[1:], row[1:], strict=True))) for row in people]
    columns, (top, *ties) = tuple(head[1:]), _rows(edges)
    if head[0] not in _HEADS or top != _HEADS[head[0]] or len(set(columns)) < len(columns):
        raise ValueError
    is_shown = any(int(row[0]) > int(row[1]) for row in ties)
    if head[0] == "node":
        pairs = [(one, other) for one, other in ties]
        return ReleasedGraph(listed, pairs, {}, is_directed or is_shown, False, columns, is_shown)
    counts: dict[tuple[str, str], int] = {}
    for one, other, count in ties:
        if (one, other) in counts or int(count) < 1:
            raise ValueError
        counts[one, other] = int(count)
    return ReleasedGraph(listed, [], counts, is_directed or is_shown, True, columns, is_shown)


def _rows(content: bytes) -> list[list[str]]:
    try:
        rows = list(csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True))
    except csv.Error:
        raise ValueError from None
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError
    return rows


def read_graphml(content: bytes) -> ReleasedGraph:
    """Read a GraphML file of ours; raises ValueError when it is none."""
    if b"<!" in content:
        raise ValueError
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError:
        raise ValueError from None
    names = {key.attrib["id"]: key.attrib["attr.name"] for key in root.findall(f"{_GRAPHML}key")}
    graph = root.find(f"{_GRAPHML}graph")
    if graph is None:
        raise ValueError
    people = [
        (node.attrib["id"], {names[cell.attrib["key"]]: cell.text or "" for cell in node.findall(f"{_GRAPHML}data")})
        for node in graph.findall(f"{_GRAPHML}node")
    ]
    whole = [(name, {column: cells.get(column, "") for column in names.values()}) for name, cells in people]
    edges = [(edge.attrib["source"], edge.attrib["target"]) for edge in graph.findall(f"{_GRAPHML}edge")]
    return ReleasedGraph(whole, edges, {}, graph.attrib["edgedefault"] == "directed", False, tuple(names.values()))


def read_release(path: Path, read: dict[str, bytes], *, is_directed: bool) -> ReleasedGraph:
    """Read the files of a release, given by the ending of their names; only some tables show their direction."""
    if path.suffix.lower() == ".graphml":
        return read_graphml(read[""])
    told = read_csv(read[""], read["nodes"], is_directed=is_directed)
    if "sample" in read and count_sample(read["sample"], is_directed=told.is_directed) != told.counts:
        raise ValueError
    return told


def count_sample(content: bytes, *, is_directed: bool) -> dict[tuple[str, str], int]:
    """Count the ties of a drawn graph between groups, whose numbers stand before the dot; raises ValueError."""
    _head, *ties = _rows(content)
    pairs = {(one, other) if is_directed else tuple(sorted((one, other))) for one, other in ties}
    if len(pairs) < len(ties) or any(one == other for one, other in ties):
        raise ValueError
    between = Counter((one.partition(".")[0], other.partition(".")[0]) for one, other in ties)
    return dict(between)


def count_release(told: ReleasedGraph, known: Sequence[str], label: str, losses: Losses | None = None) -> GraphCounts:
    """Count candidate sets by ties, by ties and the `known` columns, and the values of the `label` column in them.

    Raises ValueError when an edge leads to nobody, stands twice, or leads from somebody to themselves.
    """
    if told.is_grouped:
        return _count_groups(told, known, label, losses)
    around = _around(told)
    first = {name: (len(out), len(into)) for name, (out, into) in around.items()}
    depths: dict[str, dict[str, object]] = {"h1": dict(first)}
    for depth, before in (("h2", "h1"), ("h3", "h2")):
        depths[depth] = _deeper(around, depths[before])
    sets = [first[name] for name, _cells in told.people]
    edges = len(told.edges)
    alone = {depth: _alone(list(found.values())) for depth, found in depths.items()}
    return _counted(told, sets, edges, known, label, alone, _lost(told, known, losses))


def _count_groups(told: ReleasedGraph, known: Sequence[str], label: str, losses: Losses | None) -> GraphCounts:
    """Count people per group; whatever is known of ties, all of a group fit."""
    sizes = Counter(name for name, _cells in told.people)
    for (one, other), ties in told.counts.items():
        possible = sizes[one] * (sizes[one] - 1) if one == other else sizes[one] * sizes[other]
        if (
            not sizes[one]
            or not sizes[other]
            or ties > (possible if told.is_directed or one != other else possible // 2)
        ):
            raise ValueError
    sets = [name for name, _cells in told.people]
    alone = dict.fromkeys(("h1", "h2", "h3"), _alone(sets))
    lost = _lost(told, known, losses)
    return _counted(told, sets, sum(told.counts.values()), known, label, alone, lost)


def _lost(told: ReleasedGraph, known: Sequence[str], losses: Losses | None) -> float | None:
    """Add up what every known cell has lost, as a share of all; 0 where there is none to lose."""
    if not known or not told.people:
        return 0.0
    if losses is None or any(column not in losses for column in known):
        return None
    lost = sum(losses[column][cells[column]] for _name, cells in told.people for column in known)
    return lost / (len(known) * len(told.people))


def _counted(
    told: ReleasedGraph,
    sets: Sequence[object],
    edges: int,
    known: Sequence[str],
    label: str,
    unique: dict[str, float],
    lost: float | None,
) -> GraphCounts:
    rows = [
        (fits, *(cells[column] for column in known)) for fits, (_name, cells) in zip(sets, told.people, strict=True)
    ]
    return GraphCounts(
        len(told.people), edges, min(Counter(sets).values(), default=0), min(Counter(rows).values(), default=0),
        _fewest(rows, told, label), _fewest(sets, told, label), _certain(told, sets), unique,
        told.is_grouped, told.is_directed, told.is_direction_shown, told.columns, lost,
    )  # fmt: skip


def _fewest(sets: Sequence[object], told: ReleasedGraph, label: str) -> int:
    """Count the fewest different values of a column in any set; an empty cell is none."""
    seen: dict[object, set[str]] = {}
    for fits, (_name, cells) in zip(sets, told.people, strict=True):
        seen.setdefault(fits, set()).update([cells[label]] if label and cells[label] else [])
    return min(map(len, seen.values()), default=0) if label else 0


def _certain(told: ReleasedGraph, sets: Sequence[object]) -> float:
    """Give the share of ties between sets of which everybody is tied to everybody."""
    fits = dict(zip((name for name, _cells in told.people), sets, strict=True))
    sizes, between = Counter(sets), Counter[tuple[object, object]]()
    for (one, other), ties in told.counts.items() or ((edge, 1) for edge in told.edges):
        ends = (fits[one], fits[other])
        between[ends if told.is_directed or ends[::-1] not in between else ends[::-1]] += ties
    certain = 0
    for (first, second), ties in between.items():
        inner = sizes[first] * (sizes[first] - 1) // (1 if told.is_directed else 2)
        certain += ties if ties == (inner if first == second else sizes[first] * sizes[second]) else 0
    return certain / max(sum(between.values()), 1)


def _around(told: ReleasedGraph) -> dict[str, tuple[list[str], list[str]]]:
    """List for everybody whom their ties lead to and come from; an undirected tie is both."""
    around: dict[str, tuple[list[str], list[str]]] = {name: ([], []) for name, _cells in told.people}
    if len(around) < len(told.people) or len(set(told.edges)) < len(told.edges):
        raise ValueError
    for one, other in told.edges:
        if one == other or one not in around or other not in around:
            raise ValueError
        around[one][0].append(other)
        around[other][1].append(one)
        if not told.is_directed:
            around[other][0].append(one)
            around[one][1].append(other)
    return around


def _deeper(around: dict[str, tuple[list[str], list[str]]], before: dict[str, object]) -> dict[str, object]:
    numbers: dict[object, int] = {}
    rank = {seen: number for number, seen in enumerate(dict.fromkeys(before.values()))}
    place = {name: rank[seen] for name, seen in before.items()}
    found: dict[str, object] = {}
    for name, (out, into) in around.items():
        seen = (tuple(sorted([place[each] for each in out])), tuple(sorted([place[each] for each in into])))
        found[name] = numbers.setdefault(seen, len(numbers))
    return found


def _alone(sets: Sequence[object]) -> float:
    sizes = Counter(sets)
    return sum(size == 1 for size in sizes.values()) / len(sets) if sets else 0.0
