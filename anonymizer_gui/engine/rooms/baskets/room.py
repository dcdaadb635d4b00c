"""The room of baskets: sets of items leave as sets of items, grouped or thinned until the promises hold."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.data.baskets.reading import likelihood, options_of_source, read_source, sniff_options
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.room import Files, NewProject, ReadFile, Section, VerificationResult
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.baskets.beginning import begin
from anonymizer_gui.engine.rooms.baskets.leaving import LeavingBaskets, prepare
from anonymizer_gui.engine.rooms.baskets.project import RULES, TABLE, Project
from anonymizer_gui.engine.rooms.baskets.project_json import from_json, to_json
from anonymizer_gui.engine.rooms.baskets.promises.contract import GOALS
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.rooms.baskets.report_sections import sections_of
from anonymizer_gui.engine.rooms.baskets.rules import read_rules
from anonymizer_gui.engine.rooms.baskets.running import run
from anonymizer_gui.engine.rooms.baskets.trees.contract import TREES
from anonymizer_gui.engine.rooms.baskets.verifying import counted_anew
from anonymizer_gui.engine.storage.sources import Source, checksum


class BasketRoom:
    """Purchases, diagnoses, visits: sets of items, published as sets."""

    name = "baskets"
    title = "Baskets"
    summary = "Publish what people bought, had or visited: rare items become groups until nobody stands out by a few."
    project = Project
    roles: ClassVar = {TABLE: "Baskets", RULES: "Rules"}
    is_repeatable = True
    holds_cells = frozenset({"hierarchies"})
    spends = False

    def registries(self) -> dict[str, Registry[Any]]:
        """Give promises, algorithms and ways to make a tree."""
        return {"algorithms": ALGORITHMS, "promises": GOALS, "trees": TREES}

    def accepts(self, path: Path, head: bytes) -> float:
        """Take lines of different lengths before tables do, and tables after them."""
        return likelihood(path, head)

    def read(self, role: str, source: Source, progress: Progress) -> ReadFile:
        """Read baskets with the options they were read with before, or rules; raises UnreadableFile."""
        place = Path(source.path)
        if role == RULES:
            rules = read_rules(place)
            return ReadFile(rules, Source(str(place.resolve()), checksum(place, progress)))
        progress(0.0, "Reading the baskets")
        options = options_of_source(source) or sniff_options(place)
        baskets, found, read = read_source(source, options, progress)
        return ReadFile(baskets, read, found.problems)

    def begin(self, source: Source, data: Baskets, progress: Progress, **choices: Any) -> NewProject:
        """Start a project about baskets."""
        return begin(source, data, progress)

    def fits(self, project: Project, files: Files) -> None:
        """Take any baskets: items without a place in the tree are told when it is run."""

    def run(self, project: Project, files: Files, progress: Progress, *, try_anyway: bool = False) -> Release:
        """Run the project's algorithm and count what came out."""
        return run(project, files, progress)

    def settings_of(self, made: Project, now: Project) -> Project:
        """Give the settings as they were; name and layout do not matter to a run."""
        return replace(made, name=now.name, layout=now.layout, uneven=now.uneven)

    def as_decided(self, release: Release, project: Project) -> Release:
        """Give a release with the layout that is decided now."""
        return replace(release, project=replace(release.project, layout=project.layout))

    def leaving(self, release: Release, files: Files, safeguards: Safeguards, progress: Progress) -> LeavingBaskets:
        """Put the baskets in order and check them."""
        return prepare(release, safeguards, progress)

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Count a released file again."""
        return counted_anew(path, told, progress)

    def sections(self, told: Mapping[str, Json]) -> list[Section]:
        """Give the sections of the report."""
        return sections_of(told)

    def to_json(self, project: Project) -> dict[str, Json]:
        """Give the room's entries of the project file."""
        return to_json(project)

    def from_json(self, entries: Mapping[str, Json]) -> Project:
        """Make the project of its entries."""
        return from_json(entries)


ROOM = BasketRoom()
