"""The original and a release row by row: which published row each original row became, and what each cell lost."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.hierarchy.coverage import domain_of, place_cells
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.set_counts import set_label_losses

LEFT_OUT = -1


@dataclass(frozen=True, slots=True, eq=False)
class Lost:
    """What each label of a published column lost (LM, 0 to 1), and its place in the order of the domain."""

    loss: npt.NDArray[np.float64]
    rank: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Both tables; `published_row[r]` is the published row of original row r, -1 where it was left out.

    `starred[r]` says that the row is published as `*`. `lost` has an entry for every quasi-identifier.
    """

    original: Table
    published: Table
    published_row: npt.NDArray[np.int64]
    starred: npt.NDArray[np.bool_]
    lost: Mapping[str, Lost]
    columns: tuple[str, ...]
    """All columns of the original: quasi-identifiers, sensitive ones, the others, and identifiers last."""

    def is_suppressed(self, row: int) -> bool:
        """Tell whether an original row was left out or published as `*`."""
        return bool(self.published_row[row] == LEFT_OUT or self.starred[row])


def side_by_side(release: Release, original: Table, progress: Progress = SILENT) -> SideBySide:
    """Put a release beside the table it was made from."""
    schema, hierarchies = release.project.schema, release.project.hierarchies
    lost = {}
    quasi = schema.names(Role.QI)
    for done, name in enumerate(quasi):
        progress(done / len(quasi), message("Loss of “{name}”", name=name))
        entry, column, raw = schema.column(name), release.table.column(name), original.column(name)
        domain = domain_of(column, raw, hierarchies.get(name), entry)
        if domain is not None:
            cells = place_cells(column, domain, entry)
            lost[name] = Lost(cells.loss, np.argsort(np.lexsort((cells.high, cells.low))))
    for name in schema.sets:
        column = release.table.column(name)
        known = original.column(name), release.rows, hierarchies.get(name), schema.column(name)
        order = np.argsort(np.argsort(np.array(column.labels, dtype=object)))
        lost[name] = Lost(set_label_losses(column, *known), order)
    published_row = np.full(original.n_rows, LEFT_OUT, dtype=np.int64)
    published_row[release.rows] = np.arange(len(release.rows))
    starred = np.zeros(original.n_rows, dtype=np.bool_)
    starred[release.rows] = release.class_of_row < 0
    others = (name for role in (Role.SA, Role.OTHER, Role.EI) for name in schema.names(role))
    columns = (*schema.quasi, *others)
    return SideBySide(original, release.table, published_row, starred, lost, columns)


def order_by_published(both: SideBySide, column: str, descending: bool, progress: Progress) -> npt.NDArray[np.int64]:
    """Sort the original rows by what was published of them; rows that were left out come last."""
    progress(0.1, column)
    published = both.published.column(column)
    lost = both.lost.get(column)
    ranks = np.argsort(np.argsort(np.array(published.labels, dtype=object))) if lost is None else lost.rank
    key = (-ranks if descending else ranks)[published.codes] if len(published) else np.empty(0, dtype=np.int64)
    last = len(published.labels)
    of_row = np.append(key, last)[both.published_row]  # -1 picks the entry appended
    progress(0.5, column)
    return np.argsort(of_row, kind="stable").astype(np.int64)
