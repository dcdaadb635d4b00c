"""Goals about all classes of a table together, such as the average risk: which classes to drop, and how far to merge.

No class decides such a goal, so an algorithm that decides class by class cannot ask for it. It is run with a least
number of rows in every class instead: the smallest with which the table keeps the goals. Whatever they ask for there is
a number that is enough for certain. The lattice judges whole tables itself and needs none of this.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import number_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups
from anonymizer_gui.engine.rooms.microdata.privacy.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.privacy.persons import Persons


def run_keeping(algorithm: Algorithm, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
    """Run an algorithm so that the goals about the whole table are kept, too; raises Infeasible when they are not."""
    if not goals.of_table or algorithm.judges(goals.models):
        return algorithm.run(encoded, goals, limits, progress)
    enough = max(model.enough_rows() for model in goals.of_table)
    others = tuple(model for model in goals.models if not model.of_table)
    found: dict[int, Recoding | None] = {}

    def keeps(rows: int) -> bool:
        least = replace(goals, models=(*others, KAnonymity(rows)), are_stricter=rows > goals.least_rows)
        try:
            made = algorithm.run(encoded, least, limits, progress.sub(len(found) / (len(found) + 4), 1.0))
        except Infeasible:
            found[rows] = None
            return True  # more rows would not be reached, either: look below
        found[rows] = made if goals.kept_by_table(_published(encoded, made)) else None
        return found[rows] is not None

    low, high = max(goals.least_rows, 1), min(enough, max(encoded.n_rows, 1))
    if not keeps(low):
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if keeps(middle) else (middle, high)
        if high not in found:
            keeps(high)
    kept = [(rows, made) for rows, made in sorted(found.items()) if made is not None]
    if not kept:
        raise infeasible(encoded, goals, limits)
    rows, made = kept[0]
    return made if rows <= goals.least_rows else replace(made, notes=(*made.notes, _told(rows)))


def _told(rows: int) -> str:
    return message(
        "For the goals about the whole table every class was asked to have at least {rows:row|rows}.", rows=rows
    )


def _published(encoded: Encoded, recoding: Recoding) -> Groups:
    """Count the rows and people of the classes as they are published: those with the same cells are one."""
    cells = [*recoding.low.T, *recoding.high.T, *recoding.node.T]
    _, alike = number_rows(cells) if recoding.n_classes else (None, np.zeros(0, dtype=np.int64))
    n_classes = int(alike.max(initial=-1)) + 1
    told = recoding.class_of_row >= 0
    group = np.full(len(told), n_classes, dtype=np.int64)  # what is left out is one more group, and goes
    group[told] = alike[recoding.class_of_row[told]]
    sizes = np.bincount(group, weights=encoded.times, minlength=n_classes + 1)[:n_classes].astype(np.int64)
    first = np.unique(alike, return_index=True)[1] if n_classes else np.zeros(0, dtype=np.int64)
    parts = zip(recoding.low.T, recoding.high.T, recoding.node.T, strict=True)
    columns = [number_rows([part[first] for part in column])[1] for column in parts] if n_classes else []
    numbered = np.stack(columns, axis=1).astype(np.int64) if columns else None
    return Groups(sizes, persons=_persons(encoded, group, n_classes), cells=numbered)


def _persons(encoded: Encoded, group: npt.NDArray[np.int64], n_classes: int) -> Persons | None:
    if encoded.persons is None:
        return None
    every = encoded.persons.regrouped(group, n_classes + 1)
    return every.only(np.append(np.arange(n_classes), -1), n_classes)
