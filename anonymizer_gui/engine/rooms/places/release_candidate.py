"""Places on their way out: checked, written, and counted again from their files by code that shares nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.releases.release_candidate import ContentCandidate, TextFile
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.places.certificate import certificate_entries, format_entries, published_numbers
from anonymizer_gui.engine.rooms.places.checklist import checklist
from anonymizer_gui.engine.rooms.places.independent.recount import read_csv, read_release
from anonymizer_gui.engine.rooms.places.independent_check import agrees, count_independently
from anonymizer_gui.engine.rooms.places.output_format import output_files, require_suffix
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.engine.rooms.places.run import true_points


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
        """The numbers measured on what leaves; those of the original places stay inside."""
        return published_numbers(self.release)

    def source(self) -> bytes:
        """Give where everybody was, and when."""
        places = self.release.places
        return bytes(b"places" + places.x.tobytes() + places.y.tobytes() + places.t.tobytes())

    def content(self) -> bytes:
        """Give the tables, whatever format they leave in."""
        return "".join(text for _place, text in output_files(Path("x.csv"), self.release.published)).encode()

    def files(self, path: Path) -> tuple["ReleaseFile", ...]:
        """Give the files that are written; raises UnwritableFile for a name that says no fitting format."""
        release = self.release
        require_suffix(path, release.project.way, is_degrees=release.places.projection.is_degrees)
        return tuple(ReleaseFile(place, text, release, path) for place, text in output_files(path, release.published))

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""
        return certificate_entries(self.release, path)

    def inside(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the inside copy: what was measured of the original places."""
        return {"measured": dict(self.release.measured), "notes": list(self.release.notes),
                "seed": self.release.project.seed}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseFile(TextFile):
    """One file of a release."""

    said: ClassVar[str] = "Writing the places"

    def holds(self, content: bytes) -> bool:
        """Count regions, tracks or mixes again."""
        release, published = self.release, self.release.published
        written = format_entries(release.project, published, release.places, release.made)
        try:
            _head, rows = read_release(self.first.suffix.lower(), content, list(published.head))
            parts = {place.name: text for place, text in output_files(self.first, published)[1:]}
            tables = {
                name: read_csv(text.encode())[1] for name, text in zip(published.parts, parts.values(), strict=True)
            }
            found = count_independently(written, rows, tables, true_points(release.made, release.places.projection))
        except (ValueError, KeyError, IndexError):
            return False
        return agrees(found, published_numbers(release), release.promises) and all(
            each.holds for each in release.promises
        )
