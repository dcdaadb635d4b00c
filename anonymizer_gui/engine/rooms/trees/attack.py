"""The attacker who knows a few labels and relations: which patterns betray whom, before and after."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.trees.trees import ROOT, Ints, Trees, text_of
from anonymizer_gui.engine.rooms.trees.algorithms.contract import Outcome
from anonymizer_gui.engine.rooms.trees.background_knowledge import (
    PAIRS,
    LabelledRecords,
    PatternMatch,
    pair_keys,
    pattern_supports,
    related_pairs,
    walk_triples,
)
from anonymizer_gui.engine.rooms.trees.encoding import ABSENT, EncodedRecords, PathRole
from anonymizer_gui.engine.rooms.trees.project import Project
from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.engine.sets.support import count_support as set_supports
from anonymizer_gui.engine.sets.support import enumerate_itemsets

MOST_SHOWN = 500
_NOBODY = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class AttackedRecords:
    """Records as an attacker sees them: labels with relations, and the words for each value."""

    known: LabelledRecords
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Exposure:
    """The fewest records that fit any pattern of each record (0: it has no label), and how many patterns are rare."""

    fewest: Ints
    patterns: int
    rare: int
    """Patterns that fewer than k records fit."""

    def exposed(self, k: int) -> int:
        """Count the records that a pattern points to which fewer than k fit."""
        return int(np.count_nonzero((self.fewest > 0) & (self.fewest < k)))


@dataclass(frozen=True, slots=True)
class RarePattern:
    """A pattern that few records fit, in words, and the first of them."""

    words: str
    support: int
    record: int


def attack_source(trees: Trees, project: Project) -> AttackedRecords:
    """Take the records of the source."""
    vertices, values, words = list[Ints](), list[Ints](), list[str]()
    steps = short_paths(project.of_role(PathRole.QUASI))
    for path in steps:
        leaf = trees.leaf_of.get(path)
        if leaf is not None:
            vertices.append(leaf.holders)
            values.append(leaf.column.codes.astype(np.int64) + len(words))
            words += [f"{steps[path]}={label}" for label in leaf.column.labels]
    return _target(trees, vertices, values, words, trees.parent_of)


def attack_release(release: Release) -> AttackedRecords:
    """Take the records of a release, with what was taken apart."""
    return as_made(release.held, release.outcome)


def as_made(held: EncodedRecords, outcome: Outcome) -> AttackedRecords:
    """Take records as they were made, with what was taken apart."""
    steps = short_paths([leaf.path for leaf in held.known])
    split = {(vertex, leaf) for vertex, leaf in outcome.split}
    vertices, values, words = list[Ints](), list[Ints](), list[str]()
    apart = list[bool]()
    for number, (leaf, domain) in enumerate(zip(held.known, held.domains, strict=True)):
        codes = outcome.codes[number][leaf.holders]
        there = (codes != ABSENT) & outcome.kept[leaf.holders]
        used, places = np.unique(codes[there], return_inverse=True)
        vertices.append(leaf.holders[there])
        apart += [(vertex, number) in split for vertex in leaf.holders[there].tolist()]
        values.append(places.astype(np.int64) + len(words))
        words += [f"{steps[leaf.path]}={text_of(domain.scalar(code))}" for code in used.tolist()]
    parent = held.trees.parent_of.copy()
    parent[list(outcome.detached)] = ROOT
    return _target(held.trees, vertices, values, words, parent, np.array(apart, dtype=np.bool_))


def _target(
    trees: Trees,
    vertices: list[Ints],
    values: list[Ints],
    words: list[str],
    parent: Ints,
    apart: npt.NDArray[np.bool_] | None = None,
) -> AttackedRecords:
    empty = np.empty(0, dtype=np.int64)
    vertex = np.concatenate([empty, *vertices])
    is_root = np.isin(trees.branch_of, [*trees.spine, *trees.above_spine])
    safe = np.where(parent >= 0, parent, 0)
    above = np.where((parent < 0) | is_root | is_root[safe], ROOT, parent)
    at_root = is_root[vertex] if apart is None else is_root[vertex] | apart
    known = LabelledRecords(
        trees.record_of[vertex], np.where(at_root, ROOT, vertex), np.concatenate([empty, *values]), above, len(trees),
        max(len(words), 1),
    )  # fmt: skip
    return AttackedRecords(known, tuple(words))


def short_paths(paths: tuple[str, ...] | list[str]) -> dict[str, str]:
    """Call every path by its last step, and by the whole of it where two share one."""
    lasts = {path: path.replace("/", ".").rpartition(".")[2].strip("@[]") or path for path in paths}
    often = list(lasts.values())
    return {path: last if often.count(last) == 1 else path for path, last in lasts.items()}


def exposure(target: AttackedRecords, m: int, n: int, k: int, progress: Progress = SILENT) -> Exposure:
    """Find for every record the pattern of up to m labels and n relations that fewest fit."""
    known = target.known
    fewest = np.full(known.n_records, _NOBODY, dtype=np.int64)
    patterns = rare = 0
    held = known.held()
    for size in range(1, m + 1):
        progress((size - 1) / m, "Attacking")
        keys, counts = set_supports(held, size, progress)
        patterns, rare = patterns + len(keys), rare + int((counts < k).sum())
        for some, owners in enumerate_itemsets(held, size, progress) if len(keys) else ():
            np.minimum.at(fewest, owners, counts[np.searchsorted(keys, some)])
    if n and m > 1:
        pairs = related_pairs(known)
        keys, records = pair_keys(known, pairs), known.record[pairs.upper]
        found, counts = pattern_supports(keys, records, known.n_records)
        patterns, rare = patterns + len(found), rare + int((counts < k).sum())
        fits = keys >= 0
        if len(found):
            np.minimum.at(fewest, records[fits], counts[np.searchsorted(found, keys[fits])])
    for some_records in _triples(known, m, n, progress).values():
        patterns, rare = patterns + 1, rare + (len(some_records) < k)
        owners = np.array(list(some_records), dtype=np.int64)
        fewest[owners] = np.minimum(fewest[owners], len(owners))
    return Exposure(np.where(fewest == _NOBODY, 0, fewest), patterns, rare)


def _triples(
    known: LabelledRecords, m: int, n: int, progress: Progress
) -> dict[tuple[tuple[int, ...], int], dict[int, PatternMatch]]:
    """Give the records of every pattern of three labels with relations."""
    found: dict[tuple[tuple[int, ...], int], dict[int, PatternMatch]] = {}
    if m > 2 and n:
        for each in walk_triples(known, n, progress):
            found.setdefault(each.pattern, {}).setdefault(each.record, each)
    return found


def rare_patterns(
    target: AttackedRecords, m: int, n: int, below: int = 2, containing: str = "", progress: Progress = SILENT
) -> tuple[RarePattern, ...]:
    """List patterns that fewer than `below` records fit, each with a record; small and rare ones first.

    Every word of `containing` must be in a label of the pattern, such as `department=Bio course=Topology`.
    """
    wanted = [_mask(target, word) for word in containing.split() if word.casefold() not in ("and", "und", "+", "→")]
    known, found = target.known, list[RarePattern]()
    held = known.held()
    for size in range(1, m + 1):
        progress((size - 1) / (m + 1), "Looking for rare patterns")
        keys, counts = set_supports(held, size, progress)
        chosen = (counts < below) & _fit(held.members(keys, size), wanted)
        order = np.argsort(counts[chosen], kind="stable")[: MOST_SHOWN - len(found)]
        keys, counts = keys[chosen][order], counts[chosen][order]
        first = _first_owners(keys, [(some, owners) for some, owners in enumerate_itemsets(held, size, progress)])
        for row, count, key in zip(held.members(keys, size).tolist(), counts.tolist(), keys.tolist(), strict=True):
            found.append(RarePattern(" + ".join(target.words[value] for value in row), count, first[key]))
        if size == 2 and n:
            found += _related(target, below, wanted, MOST_SHOWN - len(found))
    for (values, bits), records in _triples(known, m, n, progress).items():
        if len(found) < MOST_SHOWN and len(records) < below and _fit(np.array([values]), wanted)[0]:
            found.append(RarePattern(_three(target, values, bits), len(records), next(iter(records))))
    return tuple(found)


def _first_owners(keys: Ints, parts: list[tuple[Ints, Ints]]) -> dict[int, int]:
    wanted, first = np.sort(keys), dict[int, int]()
    for some, owners in parts if len(keys) else ():
        at = np.minimum(np.searchsorted(wanted, some), len(wanted) - 1)
        for place in np.flatnonzero(wanted[at] == some).tolist():
            first.setdefault(int(some[place]), int(owners[place]))
    return first


def _related(target: AttackedRecords, below: int, wanted: list[npt.NDArray[np.bool_]], most: int) -> list[RarePattern]:
    known = target.known
    pairs = related_pairs(known)
    keys, records = pair_keys(known, pairs), known.record[pairs.upper]
    found, counts = pattern_supports(keys, records, known.n_records)
    members = np.stack(np.divmod(found, known.top), axis=1) if len(found) else np.empty((0, 2), dtype=np.int64)
    chosen = np.flatnonzero((counts < below) & _fit(members, wanted))
    told = []
    for at in chosen[np.argsort(counts[chosen], kind="stable")][:most].tolist():
        place = int(np.flatnonzero(keys == found[at])[0])
        upper, lower = known.value[pairs.upper[place]], known.value[pairs.lower[place]]
        words = f"{target.words[upper]} → {target.words[lower]}"
        told.append(RarePattern(words, int(counts[at]), int(records[place])))
    return told


def _three(target: AttackedRecords, values: tuple[int, ...], bits: int) -> str:
    linked = [
        f"{target.words[values[a]]} → {target.words[values[b]]}" for at, (a, b) in enumerate(PAIRS) if bits >> at & 1
    ]
    named = {values[place] for at, pair in enumerate(PAIRS) if bits >> at & 1 for place in pair}
    return " + ".join([*linked, *(target.words[value] for value in values if value not in named)])


def _mask(target: AttackedRecords, word: str) -> npt.NDArray[np.bool_]:
    return np.array([word.casefold() in text.casefold() for text in target.words] or [False])


def _fit(members: Ints, wanted: list[npt.NDArray[np.bool_]]) -> npt.NDArray[np.bool_]:
    fits = np.ones(len(members), dtype=np.bool_)
    for mask in wanted:
        fits &= mask[members].any(axis=1) if len(members) else fits
    return fits
