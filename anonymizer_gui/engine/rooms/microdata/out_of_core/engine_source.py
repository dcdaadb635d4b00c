"""Steps of preparation on an engine: each looks at the distinct values of a column, however many rows have them.

Values that are written otherwise become a map from text to text, and rows that are kept a semi-join: the engine's own
table is never copied. Steps that take rows one by one, or draw lots for them, need memory and are refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions
from anonymizer_gui.engine.data.tables.io.read_write import engine_of, options_of_source
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.room import ReadFile
from anonymizer_gui.engine.rooms.microdata.masking.contract import Step, StepResult, missing_column
from anonymizer_gui.engine.rooms.microdata.masking.row_sampling import KeepRows
from anonymizer_gui.engine.rooms.microdata.masking.steps import (
    counted_entry,
    decimal_of,
    step_notes,
    steps_of,
    with_step_counts,
    with_steps,
)
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.scale.contract import Engine, EngineInput
from anonymizer_gui.engine.scale.engine_choice import reason_for_engine
from anonymizer_gui.engine.scale.frequency_set import (
    NO_REWRITES,
    DistinctValues,
    ValueRewrites,
    distinct_values,
    scalar,
)
from anonymizer_gui.engine.scale.sampled_table import read_sampled_table, sampled_table_note
from anonymizer_gui.engine.storage.sources import Source, is_address

_ROWS = "SELECT count(*) AS n FROM source"


def refuse_row_steps(source: Source | None) -> None:
    """Raise BadParameter when a step is not done value by value: an engine has no order of rows to draw lots by."""
    for step in steps_of(source):
        if not step.is_by_value:
            raise BadParameter(
                message(
                    "“{step}” takes the rows of the table one by one, which an engine does not do.",
                    step=message(step.title),
                ),
                "Take the step out, or save the prepared table as a file of its own and make the project of that.",
            )


def prepare_on_engine(
    engine: Engine, names: Sequence[str], table: EngineInput, source: Source | None, progress: Progress = SILENT
) -> tuple[ValueRewrites, list[Json]]:
    """Do the steps of a source on its opened table; `source` are then the rows that are kept.

    Gives how values are written now, and every step with what it changed. Raises BadParameter as in memory.
    """
    refuse_row_steps(source)
    steps, preparing = steps_of(source), _Preparing(engine, names, table.options.missing, decimal_of(source))
    counted: list[Json] = []
    for at, step in enumerate(steps):
        progress(at / len(steps), message("Preparing the table"))
        counted.append(counted_entry(step, preparing.do(step, progress)))
    return preparing.written, counted


@dataclass(slots=True)
class _Preparing:
    """A table that an engine holds, on its way through the steps."""

    engine: Engine
    names: Sequence[str]
    missing: Sequence[str]
    decimal: str
    written: ValueRewrites = NO_REWRITES
    conditions: list[str] = field(default_factory=list)
    """What rows must meet to be kept."""

    def do(self, step: Step, progress: Progress) -> StepResult:
        """Do a step as it is done in memory, on a table that tells every value once."""
        if isinstance(step, KeepRows):
            return self._keep(step, progress)
        raw = self._values((step.touched() or ("",))[0], progress)
        done = step.apply(Table((self.written.column(raw.column),)), self.decimal)
        self.written = self.written.then(raw.column, done.table.columns[0])
        return done

    def _keep(self, step: KeepRows, progress: Progress) -> StepResult:
        clauses, before = step.clauses(self.decimal), scalar(self.engine, _ROWS, progress)
        for clause in clauses:
            self._place(clause.column)
        for clause in clauses:
            raw = self._values(clause.column, progress)
            column = self.written.column(raw.column)
            self._narrow(raw, clause.of_labels(column, self.decimal)[column.codes], progress)
        after = scalar(self.engine, _ROWS, progress)
        step.refuse_none(after, before)
        return StepResult(Table(()), rows=before - after)

    def _narrow(self, values: DistinctValues, meets: npt.NDArray[np.bool_], progress: Progress) -> None:
        """Keep only rows that have one of these values."""
        import pyarrow as pa

        name, null_at = f"met{len(self.conditions)}", values.null_at()
        self.engine.load(name, pa.table({"raw": values.raw.filter(pa.array(meets)).drop_null()}), progress)
        or_null = f" OR c{values.at} IS NULL" if null_at >= 0 and meets[null_at] else ""
        self.conditions.append(f"(c{values.at} IN (SELECT raw FROM {name}){or_null})")
        self.engine.see("source", f"SELECT * FROM opened WHERE {' AND '.join(self.conditions)}", progress)

    def _values(self, name: str, progress: Progress) -> DistinctValues:
        return distinct_values(self.engine, self._place(name), name, self.missing, progress)

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise missing_column(name)
        return list(self.names).index(name)


def read_sample(source: Source, address: str, progress: Progress) -> ReadFile:
    """Read some rows of a table and count its columns, prepared by its steps; raises BadParameter."""
    refuse_row_steps(source)
    why = None if engine_of(source) else reason_for_engine(source.path)
    counted: list[Json] = []

    def preparing(engine: Engine, names: Sequence[str], table: EngineInput) -> ValueRewrites:
        written, steps = prepare_on_engine(engine, names, table, source, progress)
        counted.extend(steps)
        return written

    table, found = read_sampled_table(with_steps(source, ()), address, progress, preparing=preparing)
    found = with_step_counts(found, counted)
    told = sampled_table_note(Path(found.path).name, table)
    return ReadFile(table, found, (*(() if why is None else (why,)), told, *step_notes(found)))


def source_read_options(source: Source | None) -> ReadOptions | None:
    """Give the options the table of a source is read with, its steps aside; raises BadParameter."""
    return None if source is None else options_of_source(with_steps(source, ()))


def refuse_sets(project: Project) -> None:
    """Raise BadParameter when quasi-identifiers are sets: an engine counts whole cells, not the items in them."""
    if project.schema.sets:
        raise BadParameter(
            message("“{name}” holds sets of items, which an engine does not count.", name=project.schema.sets[0]),
            "Run the project in memory, or leave the column out.",
        )


def refuse_remote_target(target: str) -> None:
    """Raise BadParameter when a release is to be written to an address: it could not be proven from its file."""
    if is_address(target):
        raise BadParameter(
            message(
                "A release is written on this computer, where it is proven from its file, not at “{place}”.",
                place=target,
            ),
            "Name a file, and copy it there afterwards with its certificate.",
        )
