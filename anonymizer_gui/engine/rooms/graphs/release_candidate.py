"""A graph on its way out: checked, written, and counted again from its files by code that shares nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.releases.release_candidate import ContentCandidate, TextFile
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.graphs.certificate import certificate_entries, inside_of, loss_of_cells
from anonymizer_gui.engine.rooms.graphs.checklist import checklist
from anonymizer_gui.engine.rooms.graphs.independent_check import compare_with_certificate, count_independently
from anonymizer_gui.engine.rooms.graphs.published_graph import output_files, require_suffix
from anonymizer_gui.engine.rooms.graphs.release import Release


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseCandidate(ContentCandidate):
    """A release ready to leave."""

    release: Release
    safeguards: Any

    @property
    def checks(self) -> tuple[Check, ...]:
        """What must be green before it leaves."""
        return checklist(self.release, self.others())

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers measured on what leaves; those of the original graph stay inside."""
        numbers = self.release.numbers()
        after = {name: numbers[name]["after"] for name in ("unique", "certain_edges", "labels")}
        return {name: numbers[name] for name in ("nodes", "edges", "smallest_class", "lm")} | after

    def source(self) -> bytes:
        """Give ties and names."""
        graph = self.release.people.graph
        return bytes(graph.edges.tobytes() + "\x1f".join(graph.names).encode("utf-8", "backslashreplace"))

    def content(self) -> bytes:
        """Give the tables, whatever format they leave in."""
        return "".join(text for _place, text in output_files(Path("x.csv"), self.release.published)).encode()

    def files(self, path: Path) -> tuple["ReleaseFile", ...]:
        """Give the files that are written; raises UnwritableFile for a name that says no known format."""
        published = self.release.published
        require_suffix(path, is_grouped=published.is_grouped)
        return tuple(ReleaseFile(place, text, self.release, path) for place, text in output_files(path, published))

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""
        return certificate_entries(self.release, path)

    def inside(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the inside copy: what was measured of the original graph."""
        return inside_of(self.release, path)


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseFile(TextFile):
    """One file of a release."""

    said: ClassVar[str] = "Writing the graph"

    def holds(self, content: bytes) -> bool:
        """Count ties and rows again."""
        others = {place.name: text.encode("utf-8") for place, text in output_files(self.first, self.release.published)}
        told, losses = certificate_entries(self.release, self.first), loss_of_cells(self.release, self.first)
        counted = count_independently(self.first, {**others, self.first.name: content}, told, losses)
        promises = [promise.to_json() for promise in self.release.promises]
        numbers = ReleaseCandidate(self.release, None).numbers
        measured = {**told, "numbers": numbers, "promises": promises}
        return counted is not None and not compare_with_certificate(counted, measured)
