"""Three ways to gather rows in clusters of k: in sequence, by least added loss, and at random."""

import numpy as np

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.clustering.distances import Floats, Ints, Pool
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded

_CANDIDATES = 256


def sequential(encoded: Encoded, rows: Ints, k: int, progress: Progress) -> list[Ints]:
    """While 2k rows are unused: the unused row of lowest number and its k - 1 nearest; the last rows form a cluster.

    Ties go to the row of lowest number.
    """
    pool = Pool(encoded, rows)
    clusters, used, place = [], np.zeros(encoded.n_rows, dtype=np.bool_), 0
    while pool.unused >= 2 * k:
        progress(1 - pool.unused / len(rows), "Gathering nearest rows")
        while used[rows[place]]:
            place += 1
        seed = int(pool.of_row[rows[place]])
        first = pool.use(seed, 1)
        cluster = np.concatenate([first, _nearest(pool, seed, k - 1)])
        used[cluster] = True
        clusters.append(cluster)
        pool.tidy()
    return [*clusters, pool.rest()]


def _nearest(pool: Pool, seed: int, number: int) -> Ints:
    """Use the rows nearest to a tuple, ties by row number."""
    if not number:
        return np.empty(0, dtype=np.int64)
    distance = pool.distances(pool.joining.finest(pool.leaves[seed]))
    farthest = np.partition(distance, min(number, len(distance)) - 1)[min(number, len(distance)) - 1]
    near = np.flatnonzero(distance <= farthest)
    tuples, distance = pool.active[near], distance[near]
    some = np.minimum(pool.available(tuples), number)
    before = np.cumsum(some) - some
    owner = np.repeat(np.arange(len(tuples)), some)
    candidates = pool.rows[np.repeat(pool.next[tuples] - before, some) + np.arange(int(some.sum()))]
    chosen = owner[np.lexsort((candidates, distance[owner]))[:number]]
    return np.concatenate([pool.use(int(tuples[t]), int(many)) for t, many in _counted(chosen)])


def _counted(values: Ints) -> list[tuple[int, int]]:
    number, counts = np.unique(values, return_counts=True)
    return list(zip(number.tolist(), counts.tolist(), strict=True))


def k_member(encoded: Encoded, rows: Ints, k: int, progress: Progress) -> list[Ints]:
    """Start each cluster with the row farthest from the last start, and add the row that adds least loss.

    Rows left at the end are clusters of their own, too small, for the repair to join with the cheapest one
    (Byun et al. 2007). Looking only at the tuples nearest to the start is exact: a cluster's cell only grows, so
    no other tuple can ever cost less than its distance.
    """
    pool = Pool(encoded, rows)
    clusters: list[Ints] = []
    seed = int(pool.of_row[rows[0]])
    while pool.unused >= k:
        progress(1 - pool.unused / len(rows), "Growing clusters")
        distance = pool.distances(pool.joining.finest(pool.leaves[seed]))
        seed = int(pool.active[np.argmax(np.where(np.isfinite(distance), distance, -1))])
        clusters.append(_grown(pool, seed, k))
        pool.tidy()
    return [*clusters, *pool.rest()[:, None]]


def _grown(pool: Pool, seed: int, k: int) -> Ints:
    """Grow a cluster of k rows from a tuple."""
    cell = pool.joining.finest(pool.leaves[seed])
    members = [pool.use(seed, min(k, int(pool.available(np.array([seed]))[0])))]
    missing = k - len(members[0])
    if not missing:
        return members[0]
    distance = pool.distances(cell)
    places, beyond = _closest(distance)
    loss = distance[places]
    while missing:
        best = int(np.argmin(loss))
        if loss[best] > beyond:
            places, beyond = np.arange(len(pool.active)), np.inf
            loss = pool.distances(cell)
            best = int(np.argmin(loss))
        chosen = int(pool.active[places[best]])
        taken = pool.use(chosen, min(missing, int(pool.available(np.array([chosen]))[0])))
        members.append(taken)
        missing -= len(taken)
        grown = pool.joining.joined(cell, pool.leaves[chosen])
        if missing:
            loss = pool.near(grown, places)
        cell = grown
    return np.concatenate(members)


def _closest(distance: Floats) -> tuple[Ints, float]:
    """Give the places of the least distances with all their ties, and the distance that all others are above."""
    if len(distance) <= _CANDIDATES:
        return np.arange(len(distance)), np.inf
    bound = float(np.partition(distance, _CANDIDATES - 1)[_CANDIDATES - 1])
    return np.flatnonzero(distance <= bound), bound


def at_random(rows: Ints, k: int, seed: int) -> list[Ints]:
    """Shuffle the rows and part them in blocks of k; the last block takes what is left over."""
    shuffled = np.random.default_rng(seed).permutation(rows)
    n_blocks = max(len(rows) // k, 1)
    return np.split(shuffled, np.arange(1, n_blocks) * k)
