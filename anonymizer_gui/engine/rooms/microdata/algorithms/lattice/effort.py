"""Lattices too large to search whole: narrowed where that is safe, then searched from the best nodes downwards."""

import heapq
from dataclasses import replace

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.check import Checker
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import Node

_FEWEST_CHECKS = 100
_LOOKED_AT = 500_000_000  # about a minute of work


def narrowed(checker: Checker, progress: Progress) -> Encoded:
    """Raise the lowest level of each column to where the goals can hold with all other columns at the top."""
    qis = []
    for j, qi in enumerate(checker.encoded.qis):
        progress(j / len(checker.encoded.qis), message("Looking for the lowest level of “{column}”", column=qi.name))
        lowest = _lowest_level(checker, j)
        qis.append(replace(qi, lowest=min(qi.lowest, qi.top) + lowest))
    return replace(checker.encoded, qis=tuple(qis))


def _lowest_level(checker: Checker, j: int) -> int:
    for level in range(checker.top[j]):
        if not checker.rules_out_below((*checker.top[:j], level, *checker.top[j + 1 :])):
            return level
    return checker.top[j]


def checks_that_suit(most: int, encoded: Encoded) -> int:
    """Give how many nodes a search in part checks: as many as asked for, on large tables fewer.

    Counted in what is looked at and not by the clock, so that every machine ends at the same node.
    """
    looked_at = len(encoded.tuples) + sum(len(h.counts) for h in encoded.sensitive.values())
    looked_at += 0 if encoded.persons is None else len(encoded.persons.entries)
    return min(most, max(_FEWEST_CHECKS, _LOOKED_AT // max(looked_at, 1)))


def go_down(checker: Checker, checks: int, progress: Progress) -> bool:
    """Check the nodes below the best ones first, until the checks are used up.

    Says whether every node was checked or ruled out: then the best is the optimum.
    """
    start = len(checker.seen)
    checker.check(checker.top)
    waiting = [(_rank(checker, node), node) for node in checker.seen if not checker.rules_out_below(node)]
    heapq.heapify(waiting)
    out = np.array([node for node in checker.seen if checker.rules_out_below(node)], dtype=np.int64)
    out = out.reshape(-1, len(checker.top))
    while waiting and len(checker.seen) - start < checks:
        for node in _below(heapq.heappop(waiting)[1]):
            if node in checker.seen or (out >= np.array(node)).all(axis=1).any():
                continue
            progress((len(checker.seen) - start) / checks, "Searching a part of the lattice")
            if checker.rules_out_below(node):
                out = np.vstack([out, node])
            else:
                heapq.heappush(waiting, (_rank(checker, node), node))
    return not waiting and all(verdict.decided for verdict in checker.seen.values())


def _below(node: Node) -> list[Node]:
    return [(*node[:j], level - 1, *node[j + 1 :]) for j, level in enumerate(node) if level]


def _rank(checker: Checker, node: Node) -> tuple[bool, float]:
    """Put nodes that satisfy first, by their cost; others by what they would cost without suppression."""
    verdict = checker.check(node)
    return not verdict.satisfied, verdict.cost if verdict.satisfied else verdict.published
