"""What a run brings out: the published table, how it was made, and what it was measured to hold."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.params import to_json as params_json
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, Recoding
from anonymizer_gui.engine.rooms.microdata.measures import Measured
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recoding import published_column
from anonymizer_gui.engine.shapes.tables.table import SUPPRESSED, Column, Role, Table, smallest_codes
from anonymizer_gui.engine.words import say


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished run; never changed afterwards.

    `table` is what may be published, in source order; `rows` the original row of each of its rows and
    `class_of_row` its class in `recoding` (-1: published as `*`), both for the pages that compare, never exported.
    `suppressed` counts the rows left out or published as `*`.
    """

    id: str
    name: str
    project: Project
    table: Table
    rows: npt.NDArray[np.int64]
    class_of_row: npt.NDArray[np.int64]
    recoding: Recoding
    measured: Measured
    suppressed: int
    seconds: Mapping[str, float]
    seed: int
    version: str
    created: str

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What was promised, as it was measured."""
        return self.measured.promises

    @property
    def notes(self) -> tuple[str, ...]:
        """What the algorithm has to say about its result."""
        return self.recoding.notes

    def sentence(self) -> str:
        """Say in a few words what was made."""
        return say("{rows:row|rows}, k = {k}", rows=self.table.n_rows, k=self.measured.k)

    def to_json(self) -> dict[str, Json]:
        """Give the numbers of the run as the command line prints them."""
        algorithm = self.project.algorithm
        return {
            **self.measured.to_json(),
            "suppressed": self.suppressed,
            "algorithm": "" if algorithm is None else algorithm.name,
            "parameters": {} if algorithm is None else params_json(algorithm),
            "seconds": dict(self.seconds),
            "seed": self.seed,
            "version": self.version,
            "notes": list(self.notes),
        }


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
    rows = np.arange(table.n_rows) if stars else np.flatnonzero(kept)
    place = {qi.name: j for j, qi in enumerate(encoded.qis)}
    dropped = set(project.schema.names(Role.EI))
    columns = []
    for column in table.columns:
        if column.name in place:
            j = place[column.name]
            recoded = published_column(encoded.qis[j], j, recoding, recoding.class_of_row[kept])
            columns.append(_with_stars(recoded, kept) if stars and not kept.all() else recoded)
        elif column.name not in dropped:
            columns.append(column.take(rows))
    return Published(Table(tuple(columns), len(rows)), rows)


def _with_stars(column: Column, kept: npt.NDArray[np.bool_]) -> Column:
    labels = column.labels if SUPPRESSED in column.labels else (*column.labels, SUPPRESSED)
    codes = np.full(len(kept), labels.index(SUPPRESSED), dtype=np.int64)
    codes[kept] = column.codes
    return Column(column.name, smallest_codes(codes, len(labels)), labels)
