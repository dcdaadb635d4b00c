"""The room of baskets: the contract of a kind of release for sets of items, and how a project begins."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.data.baskets.reading import likelihood, options_of_source, read_source, sniff_options
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.room import Files, NewProject, ReadFile, Section, VerificationResult
from anonymizer_gui.engine.rooms.baskets.algorithms.apriori import AprioriWithoutRoot
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.baskets.certificate import report_sections
from anonymizer_gui.engine.rooms.baskets.item_hierarchies.orders import ITEM_HIERARCHIES, Alphabetical, build_tree
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import MODELS, KmAnonymity
from anonymizer_gui.engine.rooms.baskets.project import RULES, TABLE, Project, project_from_json, project_to_json
from anonymizer_gui.engine.rooms.baskets.release import Release, read_rules
from anonymizer_gui.engine.rooms.baskets.release_candidate import ReleaseCandidate, prepare_candidate
from anonymizer_gui.engine.rooms.baskets.run import run
from anonymizer_gui.engine.rooms.baskets.verification import verify_release
from anonymizer_gui.engine.storage.sources import Source, checksum


def new_project(source: Source, baskets: Baskets, progress: Progress) -> NewProject:
    """Start a project with the usual promise and method."""
    tree = build_tree(Alphabetical(), baskets, progress)
    note = message(
        "The tree of items is by the alphabet so far: bring your own, or compare several on the Protect page."
    )
    project = Project(
        name=Path(source.path).stem,
        source=source,
        goals=(KmAnonymity(),),
        algorithm=AprioriWithoutRoot(),
        hierarchies={ITEMS: tree},
    )
    return NewProject(project, (note,))


class BasketsRoom:
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
        return {"algorithms": ALGORITHMS, "promises": MODELS, "trees": ITEM_HIERARCHIES}

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
        return new_project(source, data, progress)

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

    def leaving(self, release: Release, files: Files, safeguards: Safeguards, progress: Progress) -> ReleaseCandidate:
        """Put the baskets in order and check them."""
        return prepare_candidate(release, safeguards, progress)

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Count a released file again."""
        return verify_release(path, told, progress)

    def sections(self, told: Mapping[str, Json]) -> list[Section]:
        """Give the sections of the report."""
        return report_sections(told)

    def to_json(self, project: Project) -> dict[str, Json]:
        """Give the room's entries of the project file."""
        return project_to_json(project)

    def from_json(self, entries: Mapping[str, Json]) -> Project:
        """Make the project of its entries."""
        return project_from_json(entries)


ROOM = BasketsRoom()
