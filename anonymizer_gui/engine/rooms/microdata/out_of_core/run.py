"""A project run on an engine (until Room.run takes a FrequencyTable)."""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.memory import release_memory
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.out_of_core.engine_source import (
    refuse_row_steps,
    refuse_sets,
    source_read_options,
)
from anonymizer_gui.engine.rooms.microdata.out_of_core.frequency_set import FrequencyTable, count_table
from anonymizer_gui.engine.rooms.microdata.out_of_core.release_candidate import prepare_out_of_core
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.scale.contract import Engine, EngineInput, find_input
from anonymizer_gui.engine.scale.engine_choice import refuse_unsound_engine
from anonymizer_gui.engine.scale.sampled_table import table_from_arrow


def sample_rows(engine: Engine, fetched: FrequencyTable, rows: int, progress: Progress = SILENT) -> Table:
    """Draw so many rows at random, with all columns."""
    source = fetched.project.source
    missing = source.options.get("missing", ()) if source else ()
    return fetched.written.table(table_from_arrow(fetched.names, engine.fetch(engine.sampled(rows), progress), missing))


SAMPLE_ROWS = 20_000

NewEngine = Callable[[Path | None], Engine]
"""Opens an engine; told a file, one that may read and write in its folder."""


@dataclass(frozen=True, slots=True)
class OutOfCoreJob:
    """What an engine is to do: read this, write that; `printers` and `signer` as an export takes them."""

    source: EngineInput
    target: Path
    new_engine: NewEngine
    safeguards: Safeguards = field(default_factory=Safeguards)
    most_bytes: int = 0
    try_anyway: bool = False
    exporting: tuple[tuple[str, Any], ...] = ()
    new_judge: NewEngine | None = None
    """Opens the engine that counts the written file, where the first one does not see the files of this machine."""


@dataclass(frozen=True, slots=True, eq=False)
class OutOfCoreResult:
    """What came of a run on an engine: release and export, and the canonical checksum of its rows."""

    release: Release
    exported: ExportResult
    canonical: str
    engine: dict[str, str]
    seconds: dict[str, float]

    def to_json(self) -> dict[str, Json]:
        """Give the numbers as the command line prints them."""
        more = {"seconds": self.seconds, "sha256": self.exported.sha256}
        return {**self.release.to_json(), **more, "canonical": self.canonical, "engine": dict(self.engine)}


def engine_input(project: Project, place: str) -> EngineInput:
    """Find the table of a project at a place, to be read as its own was.

    Raises UnreadableFile, and BadParameter when a step of its preparation is none for an engine.
    """
    refuse_row_steps(project.source)
    refuse_sets(project)
    return find_input(place, source_read_options(project.source))


def run_out_of_core(
    project: Project, errand: OutOfCoreJob, progress: Progress = SILENT, population: Table | None = None
) -> OutOfCoreResult:
    """Run a project on an engine and export the release; nothing lies under its name until its file was verified.

    Raises whatever the run in memory raises, and EngineFailed.
    """
    refuse_sets(project)
    started = time.perf_counter()
    with closing(errand.new_engine(errand.target)) as engine:
        refuse_unsound_engine(engine, progress)
        fetched = count_table(engine, errand.source, project, progress.sub(0.0, 0.3), most_bytes=errand.most_bytes)
        sample = fetched.table if fetched.is_whole else sample_rows(engine, fetched, SAMPLE_ROWS)
        release_memory()
        read = time.perf_counter() - started
        release = _searched(fetched, errand, progress.sub(0.3, 0.6), population)
        started = time.perf_counter()
        leaving = prepare_out_of_core(
            release,
            fetched,
            (engine, errand.new_judge or errand.new_engine),
            errand.safeguards,
            progress.sub(0.6, 0.7),
            sample=sample,
            population=population,
        )
        described = engine.described()
        exported = export(leaving, errand.target, progress.sub(0.7, 1.0), **dict(errand.exporting))
    seconds = {"read": read, **release.seconds, "write": time.perf_counter() - started}
    return OutOfCoreResult(release, exported, leaving.written["canonical"], described, seconds)


def _searched(fetched: FrequencyTable, errand: OutOfCoreJob, progress: Progress, population: Table | None) -> Release:
    release = run(fetched.table, fetched.project, progress, population, try_anyway=errand.try_anyway)
    note = fetched.base.note()
    if note is None:
        return release
    return replace(release, recoding=replace(release.recoding, notes=(*release.recoding.notes, note)))
