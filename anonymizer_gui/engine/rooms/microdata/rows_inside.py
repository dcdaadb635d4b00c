"""Rows made alike for other rooms: those of each given set by themselves, by any algorithm for tables."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.recode_for_other_rooms import RecodingRequest, RecodingResult
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.anonymize import told_of_ranges
from anonymizer_gui.engine.rooms.microdata.background import Background
from anonymizer_gui.engine.rooms.microdata.beginning import USUAL_ALGORITHM
from anonymizer_gui.engine.rooms.microdata.encoding import encode_table, goals_for, own_order
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.measures import measure_table
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.privacy.distinct_l import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.privacy.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.published import publish
from anonymizer_gui.engine.rooms.microdata.recoding import from_groups

Rows = npt.NDArray[np.int64]


def rows_made_alike(asked: RecodingRequest, progress: Progress) -> RecodingResult:
    """Make the rows of each set alike until k share them, with l values of the sensitive column; none is left out.

    Raises BadParameter and BadHierarchy when table and hierarchies do not fit together.
    """
    table = asked.table
    project = _project(asked)
    encoded = encode_table(table, project, progress=progress.sub(0.0, 0.1))
    goals = goals_for(encoded, project, table)
    order = own_order(table, project)
    sets = [order[asked.sets[order] == each] for each in np.unique(asked.sets).tolist()]
    found = []
    for at, rows in enumerate(sets):
        part = progress.sub(0.1 + 0.8 * at / len(sets), 0.1 + 0.8 * (at + 1) / len(sets))
        found.append(_inside(_part(encoded, rows), goals, asked, part))
    recoding = told_of_ranges(project, encoded, _joined(found, sets, len(order)))
    published = publish(table, project, encoded, recoding, stars=False).table
    qis = project.schema.names(Role.QI)
    background = Background(project.hierarchies, project.schema, table, np.arange(len(order)))
    measured = measure_table(published, qis, (), background=background, progress=progress.sub(0.9, 1.0))
    return RecodingResult(published, measured.lm or 0.0, recoding.notes)


def _project(asked: RecodingRequest) -> Project:
    goals: list[PrivacyModel] = [KAnonymity(k=asked.k)]
    goals += [DistinctLDiversity(l=asked.l)] if asked.l > 1 else []
    used = {*asked.schema.names(Role.QI), *asked.schema.names(Role.SA)}
    trees = {name: tree for name, tree in asked.hierarchies.items() if name in used}
    return Project(schema=asked.schema, hierarchies=trees, goals=tuple(goals), uneven=asked.uneven, seed=asked.seed)


def _method(asked: RecodingRequest) -> Algorithm:
    return asked.method if asked.method is not None else ALGORITHMS.get(USUAL_ALGORITHM)()


def _inside(encoded: Encoded, goals: Goals, asked: RecodingRequest, progress: Progress) -> Recoding:
    """Make the rows of one set alike; where no two classes are possible, or not even one is, all of them."""
    together = np.zeros(len(encoded.tuples), dtype=np.int64)
    if encoded.n_rows < 2 * asked.k or not goals.satisfied(encoded.groups(together, 1)).all():
        return from_groups(encoded, together)
    found = _method(asked).run(encoded, goals, Limits(0.0, asked.seed), progress)
    # Nobody may be left out: they are in the data that the table lies beside.
    return found if (found.class_of_row >= 0).all() else from_groups(encoded, together)


def _part(encoded: Encoded, rows: Rows) -> Encoded:
    """Give the table as algorithms see it for some of its rows only."""
    kept, of_row = np.unique(encoded.tuple_of_row[rows], return_inverse=True)
    of_row = of_row.astype(np.int64)
    values = {name: codes[rows] for name, codes in encoded.sensitive_of_row.items()}
    sensitive = {
        name: Histogram.count(of_row, len(kept), codes, encoded.sensitive[name].n_values, None)
        for name, codes in values.items()
    }
    counts = np.bincount(of_row, minlength=len(kept)).astype(np.int64)
    return replace(
        encoded, tuples=encoded.tuples[kept], counts=counts, tuple_of_row=of_row, sensitive=sensitive,
        sensitive_of_row=values,
    )  # fmt: skip


def _joined(found: Sequence[Recoding], sets: Sequence[Rows], n_rows: int) -> Recoding:
    """Put together what was found for each set."""
    classes, seen = np.zeros(n_rows, dtype=np.int64), 0
    for recoding, rows in zip(found, sets, strict=True):
        classes[rows] = recoding.class_of_row + seen
        seen += recoding.n_classes
    low, high, node = (np.concatenate([getattr(each, part) for each in found]) for part in ("low", "high", "node"))
    return Recoding(classes, low, high, node)
