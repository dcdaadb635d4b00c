"""Where the rows of a class may go that is dissolved, and which of several new classes are made at once."""

from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.block import Block
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.units import FORBIDDEN, Floats, Ints

_NOWHERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """What every unit may do if its class is dissolved: the classes near to it, the price of each, and the least."""

    near: Ints
    price: Floats
    least: Floats
    of_class: Floats
    """What it costs at least to dissolve a class."""


@dataclass(frozen=True, slots=True, eq=False)
class Opening:
    """A class that may be opened: what that promises, its units, and the classes that are dissolved for it."""

    gain: float
    units: Ints
    closed: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """New classes that share no class: the units that move, where to, and the number of the new class of each.

    `owner` tells for every class which of them touches it (-1: none).
    """

    units: Ints
    targets: Ints
    number: Ints
    owner: Ints


def ways_of(block: Block, near: Ints) -> Ways:
    """Give what the units may do, and what it costs to dissolve each class."""
    unit, joined = np.repeat(np.arange(len(near)), near.shape[1]), near.reshape(-1)
    price = (block.size[joined] + block.counts[unit]) * block.loss_with(block.cell[joined], unit) - block.cost[joined]
    price[(block.n_units[joined] == 0) | (joined == block.group[unit])] = np.inf
    price = price.reshape(near.shape)
    least = np.minimum(price.min(axis=1), FORBIDDEN)
    of_class = np.bincount(block.group, least, block.n_classes).astype(np.float64)
    return Ways(near, price, least, of_class)


def apart(block: Block, ways: Ways, found: list[Opening]) -> Opened:
    """Choose openings of most gain that share no class, as long as there are numbers for new classes."""
    owner = np.full(block.n_classes, _NOWHERE, dtype=np.int64)
    free = np.flatnonzero(block.n_units == 0).tolist()
    units, targets, number = [], [], []
    for opening in sorted(found, key=lambda one: -one.gain):
        if not free:
            break
        rest, goes = _rest(block, ways, opening)
        touched = np.concatenate([block.group[opening.units], goes])
        if not len(opening.units) or (goes < 0).any() or (owner[touched] >= 0).any():
            continue
        new = free.pop(0)
        owner[touched] = owner[new] = new
        units += [opening.units, rest]
        targets += [np.full(len(opening.units), new), goes]
        number.append(np.full(len(opening.units) + len(rest), new))
    return Opened(_together(units), _together(targets), _together(number), owner)


def _together(parts: list[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _rest(block: Block, ways: Ways, opening: Opening) -> tuple[Ints, Ints]:
    """Give the units that are left of dissolved classes, and the cheapest class each may join (-1: none)."""
    if not len(opening.closed):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    members, inside = block.members(opening.closed)
    left = np.setdiff1d(members[inside], opening.units)
    price = np.where(np.isin(ways.near[left], opening.closed), np.inf, ways.price[left])
    best = price.argmin(axis=1)
    least = np.take_along_axis(price, best[:, None], axis=1)[:, 0]
    return left, np.where(np.isfinite(least), ways.near[left, best], _NOWHERE)
