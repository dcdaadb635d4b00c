"""What somebody wants an engine to do, as the dialog tells it: as a run, and as the command that does the same."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.releases.interrupted_export import companion_names
from anonymizer_gui.engine.releases.release_candidate import read_safeguards
from anonymizer_gui.engine.releases.signing import read_signing_key
from anonymizer_gui.engine.rooms.microdata.out_of_core.engine_source import refuse_remote_target
from anonymizer_gui.engine.rooms.microdata.out_of_core.release_candidate import SUFFIXES
from anonymizer_gui.engine.rooms.microdata.out_of_core.run import (
    OutOfCoreJob,
    OutOfCoreResult,
    engine_input,
    run_out_of_core,
)
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.scale.contract import Engine, EngineInput
from anonymizer_gui.engine.scale.duckdb_engine import EngineLimits
from anonymizer_gui.engine.scale.engine_choice import EngineSelfTest, open_engine, self_test_engine, verification_engine
from anonymizer_gui.engine.storage.sources import refuse_overwrite
from anonymizer_gui.workspace.engine_tasks import ExportSafeguards


@dataclass(frozen=True, slots=True)
class Wish:
    """Which engine, which table, where the release goes, and how much of this machine may be used."""

    engine: str
    table: str
    target: str
    memory_gb: float = 0.0
    spill: str = ""

    def command(self, project: Path | None) -> str:
        """Give the call that does the same without a window."""
        words = ["anonymizer-gui", "run", str(project or "PROJECT.anon"), "--engine", self.engine]
        words += ["--input", self.table, "--output", self.target]
        words += ["--memory", f"{self.memory_gb:g}GB"] if self.memory_gb else []
        return shlex.join([*words, *(["--spill", self.spill] if self.spill else [])])

    def source(self, project: Project) -> EngineInput:
        """Find the table; raises UnreadableFile."""
        return engine_input(project, self.table)

    def opened(self, source: EngineInput, target: Path | None) -> Engine:
        """Open the engine; raises BadParameter, MissingExtra, EngineFailed."""
        return open_engine(self.engine, [*source.files, *([target.absolute()] if target else [])], self.room())

    def room(self) -> EngineLimits:
        """Give what may be taken of this machine."""
        return EngineLimits(int(self.memory_gb * 1e9), Path(self.spill) if self.spill else None)


def try_out(wish: Wish, project: Project, progress: Progress) -> EngineSelfTest:
    """Try the engine out on the table."""
    source = wish.source(project)
    return self_test_engine(wish.opened(source, None), source, progress)


def fulfil(
    wish: Wish,
    project: Project,
    population: Table | None,
    safeguards: ExportSafeguards,
    project_file: Path | None,
    progress: Progress,
) -> OutOfCoreResult:
    """Run the project on the engine and export the release; the key is read now and kept nowhere."""
    refuse_remote_target(wish.target)
    source, target = wish.source(project), Path(wish.target)
    if target.suffix.lower() not in SUFFIXES:
        raise BadParameter("The release needs a name that ends in .parquet or .csv.", "Give it such a name.")
    own = [*source.files, *safeguards.files(), *([project_file] if project_file else [])]
    refuse_overwrite([target, *companion_names(target)], own)
    signer = read_signing_key(Path(safeguards.signing_file)) if safeguards.signing_file else None
    errand = OutOfCoreJob(
        source,
        target,
        lambda place: wish.opened(source, place),
        read_safeguards(safeguards.key_file, safeguards.ledger_file, safeguards.reason),
        exporting=(("signer", signer), ("own", own)),
        new_judge=verification_engine(wish.room()),
    )
    return run_out_of_core(project, errand, progress, population)
