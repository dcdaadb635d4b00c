"""Linkage: a second table with names is joined on the quasi-identifiers."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Int, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.population import boxes_of
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure, Risk, RiskResult, result


@RISKS.register
@dataclass(frozen=True, slots=True)
class Linkage(Risk):
    """Every person of the second table is looked up in the release; hit are those that fit exactly one row.

    Columns the second table does not have do not help the attacker; at least one quasi-identifier must be there.
    """

    name: ClassVar[str] = "linkage"
    title: ClassVar[str] = "Linkage with a second table"
    summary: ClassVar[str] = "How many people of a second table fit one, two, … rows of the release."
    attacker: ClassVar[str] = "Has a second table with names and some of the quasi-identifiers."
    formula: ClassVar[str] = "for each person: rows whose cells hold all the values the person has"
    reference: ClassVar[str] = "Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002"

    most: int = param(
        Int(low=1, high=1000), default=10, label="Up to", help="Count the people that fit up to so many rows."
    )

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Give the share of people that fit exactly one row; the details count the people that fit 0, 1, 2, … rows
        and the rows that fit 0, 1, 2, … people.

        Raises BadParameter without a second table or without a common column.
        """
        outside = exposure.outside
        if outside is None:
            raise BadParameter(
                "Linkage needs a second table.",
                "Choose a table with names and quasi-identifiers, or name it with --outside.",
            )
        shared = tuple(name for name in exposure.qis if name in outside.names)
        if not shared:
            raise BadParameter(
                "The second table has none of the quasi-identifiers.", "Rename its columns to match, or choose another."
            )
        progress(0.0, "Linking both tables")
        rows_of_person, people_of_class = rows_that_fit(exposure, outside, shared, progress)
        sizes = exposure.people
        by_rows = self._tally(rows_of_person, np.ones(len(rows_of_person), dtype=np.int64))
        by_people = self._tally(people_of_class, sizes)
        details = {"columns": list(shared), "people_by_rows": by_rows, "rows_by_people": by_people}
        per_class = np.where(people_of_class > 0, 1.0 / sizes, 0.0)
        unique = by_rows["1"]
        summed = result(exposure, unique / max(outside.n_rows, 1), per_class, sizes < 0, details)
        return replace(summed, hit=unique, people=outside.n_rows)

    def _tally(self, matches: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> dict[str, int]:
        """Count by number of matches, 0 to the most asked for; the rest is “more”."""
        found = np.bincount(np.minimum(matches, self.most + 1), weights=counts, minlength=self.most + 2)
        names = [*(str(number) for number in range(self.most + 1)), "more"]
        return dict(zip(names, found.astype(np.int64).tolist(), strict=True))


def rows_that_fit(
    exposure: Exposure, outside: Table, shared: tuple[str, ...], progress: Progress
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Count for every person of the second table the rows that fit, and for every class the people that fit it."""
    if not exposure.table.n_rows or not outside.n_rows:
        return np.zeros(outside.n_rows, dtype=np.int64), np.zeros(len(exposure.classes), dtype=np.int64)
    cells = classes_of(exposure.table, shared)
    people = classes_of(outside, shared)
    boxes = boxes_of(exposure.table, cells, outside, people, shared, exposure.hierarchies, exposure.schema, progress)
    persons = exposure.persons_in(cells)
    sizes = cells.sizes if persons is None else persons.sizes
    rows_per_tuple = boxes.rows_of_people(sizes, progress.sub(0.1, 0.6))
    people_per_cell = boxes.people_in_boxes(people.sizes, progress.sub(0.6, 1.0))
    return rows_per_tuple[people.ids], people_per_cell[cells.ids[exposure.classes.first_rows]]
