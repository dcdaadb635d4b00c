"""The attack on a mix zone: timing and turn statistics give each exit a probability; entropy tells what is left.

Beresford and Stajano 2003: the anonymity set of a mix zone is the entropy of the attacker's matching of entries to
exits; Palanisamy and Liu 2011 (MobiMix): timing and transition attacks.
"""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.places.places import Floats, Ints
from anonymizer_gui.engine.rooms.places.mixing.passages import PORTS, Passage

_EXACT = 8
"""Groups up to this size are matched exactly: all ways to match them are summed up."""
_ROUNDS = 60
_LEAST_SPREAD = 2.0
_SEEN_ENOUGH = 3
_TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Statistics:
    """What an attacker knows of a zone: how likely each turn is, and how long it takes."""

    turns: Floats
    mean: Floats
    spread: Floats


@dataclass(frozen=True, slots=True)
class Attacked:
    """What became of one group: its passages, the attacker's probabilities, effective sizes, and whether linked."""

    members: tuple[int, ...]
    timing: Floats
    both: Floats
    """A row per member who entered, a column per member who left."""

    def effective(self, which: str = "both") -> Floats:
        """Give the effective size of the set of each member: two to the entropy."""
        return effective_sizes(self.timing if which == "timing" else self.both)

    def linked(self) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Tell whose true exit the attacker finds most likely."""
        return np.asarray(self.both.argmax(axis=1) == np.arange(len(self.members)))


def learned(passages: list[Passage], zone: int) -> Statistics:
    """Learn turns and times of a zone from passages; what was seldom seen is taken from the whole zone."""
    own = [one for one in passages if one.zone == zone]
    turns = np.full((PORTS, PORTS), 0.2)
    times: dict[tuple[int, int], list[float]] = {}
    for one in own:
        turns[one.port_in, one.port_out] += 1
        times.setdefault((one.port_in, one.port_out), []).append(one.t_out - one.t_in)
    every = [one.t_out - one.t_in for one in own] or [60.0]
    mean = np.full((PORTS, PORTS), float(np.mean(every)))
    spread = np.full((PORTS, PORTS), max(float(np.std(every)), _LEAST_SPREAD))
    for (port_in, port_out), seen in times.items():
        if len(seen) >= _SEEN_ENOUGH:
            mean[port_in, port_out] = np.mean(seen)
            spread[port_in, port_out] = max(float(np.std(seen)), _LEAST_SPREAD)
    return Statistics(turns / turns.sum(axis=1, keepdims=True), mean, spread)


def weights(group: list[Passage], known: Statistics, *, with_turns: bool) -> Floats:
    """Give how well each exit fits each entry: the time it took, and how likely the turn is."""
    t_in, t_out = np.array([one.t_in for one in group]), np.array([one.t_out for one in group])
    ports_in, ports_out = np.array([one.port_in for one in group]), np.array([one.port_out for one in group])
    took = t_out[None, :] - t_in[:, None]
    mean, spread = (known.mean, known.spread)
    at = (ports_in[:, None], ports_out[None, :])
    likely = np.exp(-0.5 * ((took - mean[at]) / spread[at]) ** 2) / spread[at] + 1e-12
    if with_turns:
        likely = likely * known.turns[at]
    last, again = np.array([one.last_seen for one in group]), np.array([one.seen_again for one in group])
    return np.where(again[None, :] > last[:, None], likely, 0.0)


def matched(weight: Floats) -> Floats:
    """Give the probability that an entry belongs to an exit when everybody leaves once: the marginals of the matching.

    Small groups exactly, over all ways to match them; larger ones by Sinkhorn's scaling, which may be somewhat less
    sure than the exact sum and so find sets a little larger.
    """
    if len(weight) == 1:
        return np.ones((1, 1))
    found = _exactly(weight) if len(weight) <= _EXACT else _scaled(weight)
    total = found.sum(axis=1, keepdims=True)
    return np.where(total > 0, found / np.maximum(total, _TINY), np.eye(len(weight)))


def _exactly(weight: Floats) -> Floats:
    """Sum over all matchings, by the sets of exits that are taken: forwards and backwards."""
    size = len(weight)
    scale = weight / np.maximum(weight.max(axis=1, keepdims=True), _TINY)
    steps = [(row, taken, column) for row in range(size) for taken in _sets(size, row)
             for column in range(size) if not taken >> column & 1]  # fmt: skip
    ahead, behind = np.zeros((size + 1, 1 << size)), np.zeros((size + 1, 1 << size))
    ahead[0, 0], behind[size, -1] = 1.0, 1.0
    for row, taken, column in steps:
        ahead[row + 1, taken | 1 << column] += ahead[row, taken] * scale[row, column]
    for row, taken, column in reversed(steps):
        behind[row, taken] += behind[row + 1, taken | 1 << column] * scale[row, column]
    found = np.zeros((size, size))
    for row, taken, column in steps:
        found[row, column] += ahead[row, taken] * scale[row, column] * behind[row + 1, taken | 1 << column]
    return found


def _sets(size: int, many: int) -> list[int]:
    """List the sets of so many exits, as bits of a number."""
    return [taken for taken in range(1 << size) if taken.bit_count() == many]


def _scaled(weight: Floats) -> Floats:
    found = weight.copy()
    for _round in range(_ROUNDS):
        found /= np.maximum(found.sum(axis=1, keepdims=True), _TINY)
        found /= np.maximum(found.sum(axis=0, keepdims=True), _TINY)
    return found


def effective_sizes(chances: Floats) -> Floats:
    """Give two to the entropy of each row: as many equally likely exits would be as uncertain.

    >>> effective_sizes(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [2.0, 1.0]
    """
    safe = np.where(chances > 0, chances, 1.0)
    found: Floats = np.exp2(-(chances * np.log2(safe)).sum(axis=1))
    return found


def attacked(
    passages: list[Passage], groups: list[list[int]], person_of: Ints, progress: Progress = SILENT
) -> list[Attacked]:
    """Attack every group; what is known of turns and times is learned from the other half of the people.

    Nobody is attacked with their own passages: the statistics of those with even numbers are learned from odd ones.
    """
    known: dict[tuple[int, int], Statistics] = {}
    halves = [[one for one in passages if person_of[one.track] % 2 == half] for half in (0, 1)]
    found = []
    for number, members in enumerate(groups):
        progress(number / max(len(groups), 1), "Attacking the zones")
        group = [passages[at] for at in members]
        zone = group[0].zone
        timing, both = np.zeros((len(group), len(group))), np.zeros((len(group), len(group)))
        for half in (0, 1):
            if (zone, half) not in known:
                known[zone, half] = learned(halves[1 - half], zone)
            mine = np.array([person_of[one.track] % 2 == half for one in group])
            if mine.any():
                timing[mine] = matched(weights(group, known[zone, half], with_turns=False))[mine]
                both[mine] = matched(weights(group, known[zone, half], with_turns=True))[mine]
        found.append(Attacked(tuple(members), timing, both))
    return found
