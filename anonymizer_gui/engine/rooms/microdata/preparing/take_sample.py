"""Take a random sample of the rows, repeatable by its seed."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.preparing.contract import STEPS, Prepared
from anonymizer_gui.engine.rooms.microdata.preparing.drawing import DrawingStep, seed_param


@STEPS.register
@dataclass(frozen=True, slots=True)
class TakeSample(DrawingStep):
    """A simple random sample without replacement; the rows keep their order."""

    name: ClassVar[str] = "sample"
    title: ClassVar[str] = "Take a sample"
    summary: ClassVar[str] = "Takes a random share of the rows, the same for the same seed."

    share: float = param(
        Float(low=0, high=1, above=True), default=0.1, label="Share", help="How many of the rows are taken."
    )
    seed: int = seed_param()

    def apply(self, table: Table, decimal: str) -> Prepared:
        """Take the rows; at least one where there are any."""
        count = min(table.n_rows, max(1, round(self.share * table.n_rows)))
        taken = self.random().choice(table.n_rows, count, replace=False) if count else np.arange(0)
        rows = np.sort(taken)
        return Prepared(table.take(rows), rows=table.n_rows - count, origin=rows)

    def sentence(self) -> Message:
        """Say share and seed."""
        return message("Take a random sample of {share:.1%} (seed {seed})", share=self.share, seed=str(self.seed))

    def without_values(self) -> Message:
        """Say the share; the seed would tell who is in it."""
        return message("A random sample of {share:.1%} was taken", share=self.share)
