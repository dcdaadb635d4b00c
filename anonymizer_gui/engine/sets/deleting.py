"""Deletes occurrences of items until no set that is too rare, or tells too much, is left."""

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.sets.counting import Held, Ints, sets_of
from anonymizer_gui.engine.sets.encoding import Encoded
from anonymizer_gui.engine.sets.wanted import Wanted, broken_sets

Kept = npt.NDArray[np.bool_]


def deletions(
    held: Held, weights: Ints, wanted: Wanted, data: Encoded, most: int, progress: Progress
) -> tuple[Kept, int] | None:
    """Say which values stay, and how many occurrences are deleted; nothing as soon as those are more than `most`.

    `weights` are the occurrences that each value of the baskets stands for. In each basket the value goes that is in
    most broken sets, the rarest of those; what is left is counted again, for a set may be rare only now.
    """
    kept = np.ones(len(held.values), dtype=np.bool_)
    deleted = 0
    while True:
        progress(0.1, "Deleting what is too rare")
        left = _left(held, kept)
        broken = _broken_places(left, wanted, data, most - deleted, progress)
        if broken is not None and not broken:
            return kept, deleted
        places = np.flatnonzero(kept)
        gone = None if broken is None else _chosen(left, broken, weights[places], most - deleted, progress)
        if gone is None:
            return None
        kept[places[gone]] = False
        deleted += int(weights[places[gone]].sum())


def refuse_budget(share: float, budget: float) -> Infeasible:
    """Say that more would have to be deleted than is allowed."""
    return Infeasible(
        message(
            "{share:.2%} of all items would have to be deleted; the budget is {budget:.2%}.", share=share, budget=budget
        ),
        "Allow more deletions, another tree of items, a smaller k or m, or the method that may publish the root.",
        goal="km",
        nearest=str(round(share, 4)),
    )


def weights_of(held: Held, data: Encoded, values: npt.NDArray[np.int32]) -> Ints:
    """Count the occurrences that each value of the baskets stands for; `values` is the one of every occurrence."""
    keys = held.basket_of() * held.top + held.values
    places = np.searchsorted(keys, data.basket_of * held.top + values)
    return np.bincount(places, minlength=len(keys)).astype(np.int64)


def _left(held: Held, kept: Kept) -> Held:
    starts = np.concatenate([[0], np.cumsum(kept)])[held.starts]
    return Held(starts.astype(np.int64), held.values[kept], held.top)


def _broken_places(held: Held, wanted: Wanted, data: Encoded, most: int, progress: Progress) -> list[Ints] | None:
    """List for each size the places of the values of every broken set in every basket that holds it.

    Nothing as soon as more baskets than `most` hold one: each would lose a value.
    """
    found = []
    touched = np.zeros(len(held), dtype=np.bool_)
    where = held.basket_of() * held.top + held.values
    for size in range(1, wanted.m + 1):
        keys = np.sort(broken_sets(held, size, wanted, data, progress)[0])
        for some, baskets in sets_of(held, size, progress) if len(keys) else ():
            is_broken = keys[np.minimum(np.searchsorted(keys, some), len(keys) - 1)] == some
            touched[baskets[is_broken]] = True
            if int(touched.sum()) > most:
                return None
            members = held.members(some[is_broken], size)
            found.append(np.searchsorted(where, baskets[is_broken][:, None] * held.top + members))
    return [places for places in found if len(places)]


def _chosen(held: Held, broken: list[Ints], weights: Ints, most: int, progress: Progress) -> Kept | None:
    """Choose values until every broken set has lost one; nothing when they stand for more than `most` occurrences."""
    often = np.bincount(held.values, minlength=held.top)
    rank = np.empty(held.top, dtype=np.int64)
    rank[np.lexsort((np.arange(held.top), -often))] = np.arange(held.top)
    gone = np.zeros(len(held.values), dtype=np.bool_)
    filled = np.flatnonzero(np.diff(held.starts))
    begins, basket_of = held.starts[:-1][filled], np.repeat(np.arange(len(filled)), np.diff(held.starts)[filled])
    while broken:
        progress.check()
        counts = sum(np.bincount(places.ravel(), minlength=len(gone)) for places in broken)
        score = np.where(np.asarray(counts) > 0, np.asarray(counts) * held.top + rank[held.values], -1)
        best = np.maximum.reduceat(score, begins)
        gone |= (score == best[basket_of]) & (score >= 0)
        if int(weights[gone].sum()) > most:
            return None
        broken = [left for places in broken if len(left := places[~gone[places].any(axis=1)])]
    return gone
