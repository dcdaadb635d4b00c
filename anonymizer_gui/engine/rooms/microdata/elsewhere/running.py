"""A run on an engine: counted there, searched here, joined and written there, counted again from the file."""

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
from anonymizer_gui.engine.rooms.microdata.anonymize import anonymize
from anonymizer_gui.engine.rooms.microdata.elsewhere.fetching import Fetched, fetch_table
from anonymizer_gui.engine.rooms.microdata.elsewhere.holding import read_options_of, refuse_sets
from anonymizer_gui.engine.rooms.microdata.elsewhere.leaving import prepare_elsewhere
from anonymizer_gui.engine.rooms.microdata.elsewhere.preparing import refuse_row_steps
from anonymizer_gui.engine.rooms.microdata.elsewhere.sampling import sample_of
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.scale.contract import Engine, EngineInput, find_input
from anonymizer_gui.engine.scale.engine_choice import refuse_unsound_engine

SAMPLE_ROWS = 20_000
NewEngine = Callable[[Path | None], Engine]
"""Opens an engine; told a file, one that may read and write in its folder."""


@dataclass(frozen=True, slots=True)
class Errand:
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
class Done:
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


def input_for(project: Project, place: str) -> EngineInput:
    """Find the table of a project at a place, to be read as its own was.

    Raises UnreadableFile, and BadParameter when a step of its preparation is none for an engine.
    """
    refuse_row_steps(project.source)
    refuse_sets(project)
    return find_input(place, read_options_of(project.source))


def run_elsewhere(
    project: Project, errand: Errand, progress: Progress = SILENT, population: Table | None = None
) -> Done:
    """Run a project on an engine and export the release; nothing lies under its name until its file was verified.

    Raises whatever the run in memory raises, and EngineFailed.
    """
    refuse_sets(project)
    started = time.perf_counter()
    with closing(errand.new_engine(errand.target)) as engine:
        refuse_unsound_engine(engine, progress)
        fetched = fetch_table(engine, errand.source, project, progress.sub(0.0, 0.3), most_bytes=errand.most_bytes)
        sample = fetched.table if fetched.is_whole else sample_of(engine, fetched, SAMPLE_ROWS)
        release_memory()
        read = time.perf_counter() - started
        release = _searched(fetched, errand, progress.sub(0.3, 0.6), population)
        started = time.perf_counter()
        leaving = prepare_elsewhere(
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
    return Done(release, exported, leaving.written["canonical"], described, seconds)


def _searched(fetched: Fetched, errand: Errand, progress: Progress, population: Table | None) -> Release:
    release = anonymize(fetched.table, fetched.project, progress, population, try_anyway=errand.try_anyway)
    note = fetched.base.note()
    if note is None:
        return release
    return replace(release, recoding=replace(release.recoding, notes=(*release.recoding.notes, note)))
