"""Levels chosen by hand: one node of the lattice, as the user picked it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, PerColumn, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.lattice import Ladder, Node, ladder_memory
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows, settle
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.size import Size


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Levels(Algorithm):
    """Full-domain generalization to levels the user names."""

    name: ClassVar[str] = "levels"
    title: ClassVar[str] = "Levels by hand"
    summary: ClassVar[str] = "Lifts every column to the level you choose; columns without a choice go to the top."
    reference: ClassVar[str] = "Samarati, TKDE 13(6), 2001"
    attacks: ClassVar[str] = (
        "Minimality and downcoding do not apply: the levels are yours, and one for the whole column. Whoever looked "
        "for the lowest levels that satisfy has done by hand what minimality speaks of."
    )
    levels: tuple[tuple[str, int], ...] = param(
        PerColumn(Int(low=0)),
        default=(),
        label="Levels",
        help="The level of each column, 0 being the values themselves.",
    )

    def judges(self, models: Sequence[PrivacyModel]) -> bool:
        """Judge every goal on the whole table."""
        return True

    def told_levels(self) -> Mapping[str, int]:
        """Give the level of each column that the user has chosen."""
        return dict(self.levels)

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        return ladder_memory(size)

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Publish the chosen node; raises Infeasible when it does not satisfy the goals."""
        progress(0.0, "Lifting the columns")
        ladder = Ladder(encoded)
        base = ladder.base()
        rolled = ladder.roll_up(base, self._node(encoded))
        rolled = ladder.with_cells(rolled) if goals.need_cells else rolled
        price = rolled.groups.sizes * (1.0 - ladder.row_losses(rolled.node, rolled.first_tuples))
        settled = settle(rolled.groups, goals, allowed_rows(encoded.n_rows, limits.suppression), price)
        if settled is None:
            raise infeasible(encoded, goals, limits, rolled.groups)
        return ladder.recoding(rolled, settled)

    def _node(self, encoded: Encoded) -> Node:
        chosen = dict(self.levels)
        known = {qi.name: qi for qi in encoded.qis}
        for name, level in chosen.items():
            if name not in known:
                raise BadParameter(
                    message("“{name}” is no quasi-identifier.", name=name),
                    message("There are: {known}.", known=list(known)),
                )
            if not known[name].lowest <= level <= known[name].top:
                allowed = message("It may be {low} to {high}.", low=known[name].lowest, high=known[name].top)
                raise BadParameter(
                    message("“{name}” has no level {level} that may be published.", name=name, level=level), allowed
                )
        return tuple(chosen.get(qi.name, qi.top) - min(qi.lowest, qi.top) for qi in encoded.qis)
