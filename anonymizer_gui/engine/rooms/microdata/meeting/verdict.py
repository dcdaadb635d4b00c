"""Whom a new release harms: for each demand the cells for which it holds no longer, or for which that stays open."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.microdata.meeting.demands import Demand, demands_of
from anonymizer_gui.engine.rooms.microdata.meeting.exchanges import made_up_of
from anonymizer_gui.engine.rooms.microdata.meeting.judge import Judge
from anonymizer_gui.engine.rooms.microdata.meeting.left import Left, left_by, loosened, truth
from anonymizer_gui.engine.rooms.microdata.meeting.people_cells import Cells
from anonymizer_gui.engine.rooms.microdata.meeting.remaining import kinds_of
from anonymizer_gui.engine.rooms.microdata.meeting.search import look_closer
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Bools, Ints, Shown
from anonymizer_gui.engine.rooms.microdata.meeting.system import System, system_of


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What was found about one demand, for all cells: whether it holds no longer, and whether that stays open."""

    demand: Demand
    broken: Bools
    undecided: Bools


@dataclass(slots=True, eq=False)
class _Case:
    """A demand with the cells of the system it is still open for."""

    judge: Judge
    concerned: Bools
    broken: Bools
    fine: Bools

    @classmethod
    def about(cls, judge: Judge) -> "_Case":
        nobody = np.zeros(len(judge.system), dtype=np.bool_)
        return cls(judge, judge.concerns(), nobody, nobody.copy())

    def open_cells(self) -> Bools:
        return self.concerned & ~self.broken & ~self.fine


class _Cases:
    """All demands on a system; judges them by what is known so far."""

    def __init__(self, cases: Sequence[_Case]) -> None:
        self.cases = cases
        self._stamp = -1

    def wanted(self, left: Left) -> Bools:
        """Tell which numbers should be known better: those of cells that a demand is still open for."""
        if left.stamp != self._stamp:
            self.judge(left, seen=False)
        self._stamp = left.stamp
        self.judge(left, seen=True)
        return self._open()[left.sums.cell]

    def _open(self) -> Bools:
        return np.asarray(np.logical_or.reduce([case.open_cells() for case in self.cases]))

    def judge(self, left: Left, *, seen: bool) -> None:
        """Find the cells for which demands certainly do not hold, or certainly do."""
        there = ~left.sums.left_out & (left.has_way() if seen else True)
        for column in ("", *left.system.columns):
            mine = [case for case in self.cases if case.judge.demand.column == column]
            open_cells = np.logical_or.reduce([case.open_cells() & there for case in mine]) if mine else there & False
            if not open_cells.any():
                continue
            kinds = kinds_of(left, column, np.flatnonzero(open_cells), seen=seen) if column else None
            for case in mine:
                cells = np.flatnonzero(case.open_cells() & there)
                holds = case.judge.holds(left, cells, kinds, seen=seen)
                if seen:
                    case.fine[cells] = holds
                else:
                    case.broken[cells] = ~holds


def judged(
    system: System, cells: Cells, releases: Sequence[Shown], new: int, progress: Progress = SILENT
) -> tuple[Left, list[Verdict]]:
    """Judge what is left by every demand; harm is what the new release does, not what was known before it."""
    concerned = _touched(system, new)
    slack = None
    while True:
        left = left_by(system, slack, progress.sub(0.0, 0.4))
        cases = _cases(system, releases, concerned)
        exactly = any(case.judge.demand.column and case.judge.demand.goal is not None for case in cases)
        asking = _Cases(cases)
        hint = truth(left, cells, releases)
        impossible = look_closer(left, asking.wanted, hint, exactly=exactly, progress=progress.sub(0.4, 0.9))
        if not len(impossible):
            break
        slack = loosened(system, left.slack, impossible, None)
    asking.wanted(left)
    known_before = _broken_before(system, cells, releases, new, cases)
    return left, [_verdict(system, case, before) for case, before in zip(cases, known_before, strict=True)]


def _cases(system: System, releases: Sequence[Shown], concerned: Bools) -> list[_Case]:
    cases = []
    for demand in demands_of(system, releases):
        case = _Case.about(Judge.of(demand, system, releases))
        case.concerned &= concerned & case.judge.holds_alone()
        cases.append(case)
    return cases


def _touched(system: System, new: int) -> Bools:
    """Tell which cells the new release can tell something about: through classes that do not follow from another one.

    The same release once more tells nothing.
    """
    group_of_cell, group_of_node = _connected(system)
    telling = np.zeros(len(system) + 1, dtype=np.bool_)
    for place, nodes in enumerate(system.classes):
        if system.releases[place] == new or place not in system.published:
            adds = (nodes >= 0) & ~_follows(system, nodes, new)
            telling[group_of_node[nodes[adds]]] = True
    return telling[group_of_cell]


def _follows(system: System, asked: Ints, new: int) -> Bools:
    """Tell for each cell whether its class is made up of whole classes of an earlier release."""
    counted = np.zeros(system.entries.n_nodes, dtype=np.bool_)
    counted[system.entries.node[system.entries.is_counted]] = True
    follows = np.zeros(system.entries.n_nodes, dtype=np.bool_)
    for place in system.published:
        if system.releases[place] != new:
            nodes = system.classes[place]
            certain = np.where((nodes >= 0) & counted[nodes], nodes, -1)
            follows |= made_up_of(asked, certain, system.entries.n_nodes)
    return np.asarray(follows[asked])


def _connected(system: System) -> tuple[Ints, Ints]:
    """Number the groups of cells and classes that hang together."""
    cell = np.arange(len(system))
    node = np.full(system.entries.n_nodes, len(system), dtype=np.int64)
    while True:
        for nodes in system.classes:
            there = nodes >= 0
            np.minimum.at(node, nodes[there], cell[there])
        new = cell.copy()
        for nodes in system.classes:
            there = nodes >= 0
            new[there] = np.minimum(new[there], node[nodes[there]])
        new = new[new]
        if np.array_equal(new, cell):
            return cell, node
        cell = new


def _broken_before(
    system: System, cells: Cells, releases: Sequence[Shown], new: int, cases: Sequence[_Case]
) -> list[Bools]:
    """Tell for each demand which cells of all releases it did not hold for already, without the new release."""
    nobody = np.zeros(len(cells), dtype=np.bool_)
    others = [system.releases[place] for place in system.published if system.releases[place] != new]
    before = system_of(cells, releases, system.columns, among=others)
    if before is None or not any(case.broken.any() for case in cases):
        return [nobody] * len(cases)
    doubted = [np.append(case.broken, False)[system.cell_of] for case in cases]
    earlier = [_Case.about(Judge.of(case.judge.demand, before, releases)) for case in cases]
    for case, doubt in zip(earlier, doubted, strict=True):
        asked = np.zeros(len(before) + 1, dtype=np.bool_)
        asked[before.cell_of[doubt]] = True
        case.concerned &= asked[:-1]
    _Cases(earlier).judge(left_by(before), seen=False)
    return [np.append(case.broken, False)[before.cell_of] for case in earlier]


def _verdict(system: System, case: _Case, before: Bools) -> Verdict:
    """Bring the cells of a system back to those of all releases; people in none of its releases are not concerned."""
    broken = np.concatenate([case.broken, [False]])[system.cell_of]
    undecided = np.concatenate([case.open_cells(), [False]])[system.cell_of]
    return Verdict(case.judge.demand, broken & ~before, undecided)
