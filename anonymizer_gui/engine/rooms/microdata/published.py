"""The table as it is published, made of the original and of what an algorithm found."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.data.tables.table import SUPPRESSED, Column, Role, Table, smallest_codes
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recoding import published_column


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """A published table, and the original row of each of its rows."""

    table: Table
    rows: npt.NDArray[np.int64]


def publish(table: Table, project: Project, encoded: Encoded, recoding: Recoding, *, stars: bool) -> Published:
    """Make the published table.

    EI columns are left out, QI cells recoded, the rest is unchanged. Suppressed rows are left out, or with `stars`
    published with `*` in every QI.
    """
    kept = recoding.class_of_row >= 0
    rows = np.arange(table.n_told) if stars else np.flatnonzero(kept)
    times = None if table.times is None else table.times[rows]
    place = {qi.name: j for j, qi in enumerate(encoded.qis)}
    dropped = set(project.schema.names(Role.EI))
    columns = []
    for column in table.columns:
        if column.name in place:
            j = place[column.name]
            recoded = published_column(encoded.qis[j], j, recoding, recoding.class_of_row[kept])
            starred = _with_stars(recoded, kept) if stars and not kept.all() else recoded
            columns.append(replace(starred, times=times))
        elif column.name not in dropped:
            columns.append(column.take(rows))
    return Published(Table(tuple(columns), len(rows) if times is None else int(times.sum())), rows)


def _with_stars(column: Column, kept: npt.NDArray[np.bool_]) -> Column:
    labels = column.labels if SUPPRESSED in column.labels else (*column.labels, SUPPRESSED)
    codes = np.full(len(kept), labels.index(SUPPRESSED), dtype=np.int64)
    codes[kept] = column.codes
    return Column(column.name, smallest_codes(codes, len(labels)), labels)
