"""What a run brings out: the published table, how it was made, and what it was measured to hold."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.measures import Measured
from anonymizer_gui.engine.rooms.microdata.project import Project


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
        loss = self.measured.lm
        return self._size() if loss is None else message("{made}, loss {loss:.1%}", made=self._size(), loss=loss)

    def _size(self) -> Message:
        if self.measured.people is None:
            return message("{rows:row|rows}, k = {k}", rows=self.table.n_rows, k=self.measured.k)
        return message(
            "{rows:row|rows} about {people:person|people}, k = {k}",
            rows=self.table.n_rows,
            people=self.measured.people,
            k=self.measured.k,
        )

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
