"""Local suppression: as few cells as possible are emptied, the others are published as they are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, PerColumn, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.local_suppression.emptied_cells import Cells, Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.local_suppression.patterns import Floats, fit_patterns
from anonymizer_gui.engine.rooms.microdata.algorithms.local_suppression.subsets import empty_for_subsets
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian.goals import Judge
from anonymizer_gui.engine.rooms.microdata.algorithms.people_repair import about_people, merged_for_people
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows, settle_tuples
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.method import Reach
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.recoding import first_groups
from anonymizer_gui.engine.rooms.microdata.size import Size


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class LocalSuppression(Algorithm):
    """Empties single cells, those of unimportant columns first, until every class satisfies the goals.

    An emptied cell is published at the highest level allowed, `*` as a rule, and is a cell like any other: classes are
    those of the published table. Under goals about subsets of columns alone only what such subsets show is emptied.
    """

    name: ClassVar[str] = "local-suppression"
    title: ClassVar[str] = "Local suppression"
    summary: ClassVar[str] = (
        "Empties single cells of rows that stand out and publishes all others as they are; suits surveys with few "
        "coarse columns."
    )
    reference: ClassVar[str] = (
        "Templ, Kowarik, Meindl, Statistical disclosure control for micro-data using the R package sdcMicro, "
        "JSS 67(4), 2015; Hundepool et al., mu-Argus manual, 2015"
    )
    attacks: ClassVar[str] = (
        "Minimality: an emptied cell tells that the row stood out in that column, and a value that all others of its "
        "class have is ruled out. Downcoding (Cohen 2022) applies: cells are emptied one by one."
    )
    reach: ClassVar[Reach | None] = Reach()
    tried_by_auto: ClassVar[bool] = False
    aims_at: ClassVar[str] = "Emptied cells, by their importance"

    importance: tuple[tuple[str, float], ...] = param(
        PerColumn(Float(low=0)),
        default=(),
        label="Importance",
        help="How much cells of a column are worth, 1 where nothing is said: those worth least are emptied first.",
    )
    cells: float = param(
        Float(low=0, high=1),
        default=1.0,
        label="Most cells",
        help="The largest share of the cells of all quasi-identifiers that may be emptied; 0.05 is one in twenty.",
    )

    def judges(self, models: Sequence[PrivacyModel]) -> bool:
        """Goals about subsets of columns are kept cell by cell, where there are no others."""
        return all(model.needs_cells for model in models)

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        return size.tuples * (60 * size.columns + 100) + 64 * size.entries

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Empty cells; raises Infeasible when the goals cannot be reached, or not with so few cells."""
        importance = self._importance(encoded)
        if goals.of_table:
            found = self._by_subsets(encoded, goals, limits, importance, progress)
        else:
            rows = replace(goals, models=tuple(model for model in goals.models if not model.needs_population))
            found = self._by_patterns(encoded, rows, limits, importance, progress)
            if found is None and limits.suppression:
                found = self._by_patterns(encoded, rows, replace(limits, suppression=0.0), importance, progress)
        if found is None:
            raise infeasible(encoded, goals, limits)
        cells, groups = found
        if about_people(goals):
            taken = groups[encoded.tuple_of_row]
            return merged_for_people(encoded, goals, limits, taken, progress.sub(0.9, 1.0), groups)
        return replace(cells.recoding(groups), notes=(self._counted(cells, groups),))

    def _by_patterns(
        self, encoded: Encoded, goals: Goals, limits: Limits, importance: Floats, progress: Progress
    ) -> tuple[Cells, Ints] | None:
        cells, allowed = Cells(encoded), allowed_rows(encoded.n_rows, limits.suppression)
        groups = fit_patterns(cells, Judge(encoded, goals, progress), importance, allowed, progress)
        # What fits nothing is emptied altogether; what the level bounds keep apart even so is never one class.
        cells.empty[groups < 0] = True
        rest = np.where(groups < 0, groups.max(initial=-1) + 1 + first_groups(encoded), groups)
        kept = settle_tuples(encoded, goals, limits, rest)
        return None if kept is None else (cells, kept)

    def _by_subsets(
        self, encoded: Encoded, goals: Goals, limits: Limits, importance: Floats, progress: Progress
    ) -> tuple[Cells, Ints] | None:
        cells = Cells(encoded)
        asked = [(model.enough_rows(), model.known_columns()) for model in goals.models]
        if not empty_for_subsets(cells, asked, importance, progress):
            return None
        now = cells.now
        return cells, group_rows(list(now.T), len(now)).ids.astype(np.int64)

    def _importance(self, encoded: Encoded) -> Floats:
        told = dict(self.importance)
        known = [qi.name for qi in encoded.qis]
        for name in told:
            if name not in known:
                raise BadParameter(
                    message("“{name}” is no quasi-identifier.", name=name), message("There are: {known}.", known=known)
                )
        return np.array([told.get(name, 1.0) for name in known])

    def _counted(self, cells: Cells, groups: Ints) -> str:
        """Tell how many cells were emptied, and in which columns; raises Infeasible when they are too many."""
        emptied = cells.emptied_rows(groups >= 0)
        every = cells.encoded.n_rows * len(emptied)
        share = int(emptied.sum()) / max(every, 1)
        if share > self.cells + 1e-12:
            raise Infeasible(
                message(
                    "Local suppression would empty {cells:,} of {every:cell|cells} ({share:.2%}); "
                    "allowed are {most:.2%}.",
                    cells=int(emptied.sum()),
                    every=every,
                    share=share,
                    most=self.cells,
                ),
                "Allow more cells, generalise first by level bounds, or ask for less.",
            )
        named = zip(cells.encoded.qis, emptied.tolist(), strict=True)
        return message(
            "{cells:,} of {every:cell|cells} ({share:.2%}) were emptied: {columns}.",
            cells=int(emptied.sum()),
            every=every,
            share=share,
            columns=[message("{name} {number:,}", name=qi.name, number=number) for qi, number in named],
        )
