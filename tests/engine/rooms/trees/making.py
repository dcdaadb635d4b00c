"""Records that several tests use, runs on them, and a slow plain count of what a reader of the release sees."""

import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.data.trees.reading import read_trees, vertex_from_json, vertex_to_json
from anonymizer_gui.engine.data.trees.trees import FileForm, Trees
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.trees.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.trees.encoding import PathRole
from anonymizer_gui.engine.rooms.trees.project import TABLE, PathSchema, Project
from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.engine.rooms.trees.run import run
from anonymizer_gui.engine.storage.sources import Source

COURSES = ("Algebra", "Botany", "Cells", "Databases", "Ecology")
_SENSITIVE = ("gpa", "grade", "score", "price", "secret")


def trees_of(values: Sequence[Any]) -> Trees:
    """Make trees of plain values."""
    spelt = json.loads(json.dumps(values), parse_int=_number, parse_float=_number)
    return Trees.of([vertex_from_json(value, "test") for value in spelt], FileForm())


def _number(text: str) -> Any:
    from anonymizer_gui.engine.data.trees.trees import Number

    return Number(text)


def read(path: Path, text: str | bytes) -> Trees:
    """Write a file and read it."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_trees(Source(str(path))).trees


def students(count: int, seed: int = 0) -> list[dict[str, Any]]:
    """Make up students with courses and books, the same for the same seed."""
    made = []
    for at in range(count):
        number = (at * 7919 + seed * 104729) % 9973
        courses = [
            {
                "course": COURSES[(number + 3 * each) % 5],
                "year": 2018 + (number // 7 + each) % 5,
                "grade": "ABCD"[(number // 11 + each) % 4],
                "books": [{"publisher": "XYZ"[(number // 13 + book) % 3]} for book in range((number + each) % 3)],
            }
            for each in range(1 + number % 3)
        ]
        made.append(
            {"gender": "FM"[number % 2], "born": 1990 + number % 9, "gpa": number % 30 / 10, "courses": courses}
        )
    return made


def roles_for(trees: Trees) -> dict[str, PathRole]:
    """Take labels with a telling name for sensitive and all others for quasi-identifiers."""
    return {path: PathRole.SENSITIVE if path.endswith(_SENSITIVE) else PathRole.QUASI for path in trees.names}


def project_for(
    trees: Trees,
    algorithm: Algorithm,
    roles: Mapping[str, PathRole] | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
) -> Project:
    """Decide about some records."""
    decided = dict(roles_for(trees)) if roles is None else dict(roles)
    paths = tuple(PathSchema(path, decided.get(path, PathRole.REMOVE)) for path in trees.names)
    return Project("test", paths=paths, algorithm=algorithm, hierarchies=hierarchies or {})


def released(values: Sequence[Any] | Trees, algorithm: Algorithm, **more: Any) -> Release:
    """Run a method on records."""
    trees = values if isinstance(values, Trees) else trees_of(values)
    return run(project_for(trees, algorithm, **more), {TABLE: trees})


def plain_records(release: Release) -> list[Any]:
    """Give the published records as plain values."""
    return [vertex_to_json(record) for record in release.published]


def seen(value: Any, name: str = "") -> Any:
    """Give what somebody sees who knows all but what is sensitive: siblings have no order, an empty list is none."""
    if isinstance(value, dict):
        inner = {key: seen(each, key) for key, each in value.items() if not key.endswith(_SENSITIVE) and each != []}
        return tuple(sorted(((key, each) for key, each in inner.items()), key=repr))
    if isinstance(value, list):
        return tuple(sorted((seen(each, name) for each in value), key=repr))
    return (type(value).__name__, value)


def smallest_class(records: Sequence[Any]) -> int:
    """Count the smallest class of alike records the plainest way."""
    return min(Counter(map(seen, records)).values())


def plain_supports(records: Sequence[Any], m: int, n: int) -> Counter[Any]:
    """Count every pattern of up to m labels and n relations by trying all: quasi-identifiers of plain objects."""
    counts: Counter[Any] = Counter()
    for record in records:
        labels = list(_labels(record, (), ()))
        found = set()
        for size in range(1, m + 1):
            for some in itertools.combinations(labels, size):
                if len({label for label, _ in some}) == size:
                    found |= set(_with_relations(some, n))
        counts.update(found)
    return counts


def _labels(value: Any, path: tuple[str, ...], above: tuple[int, ...]) -> Any:
    for key, inner in value.items():
        if key == "detached":
            for entry in inner:
                ((name, vertex),) = entry.items()
                yield from _labels(vertex, tuple(name.replace("[]", "").split(".")), (id(vertex),))
        elif isinstance(inner, list):
            for each in inner:
                yield from _labels(each, (*path, key), (*above, id(each)))
        elif isinstance(inner, dict):
            yield from _labels(inner, (*path, key), (*above, id(inner)))
        elif not key.endswith(_SENSITIVE):
            yield ((*path, key), str(inner)), above


def _with_relations(some: Sequence[Any], n: int) -> Any:
    names = sorted(label for label, _ in some)
    links = [
        tuple(sorted((one[0], other[0])))
        for one, other in itertools.combinations(some, 2)
        if one[1] and other[1] and (one[1][-1] in other[1] or other[1][-1] in one[1])
    ]
    for size in range(min(n, len(links)) + 1):
        for chosen in itertools.combinations(sorted(links), size):
            yield tuple(names), chosen
