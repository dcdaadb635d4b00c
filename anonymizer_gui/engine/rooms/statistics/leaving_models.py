"""Synthetic tables and models on their way out: files of their own, read back and compared, and told of."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anonymizer_gui.engine.core.errors import AnonymizerError, PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.data.tables.io.read_write import writer_of
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.room import OutputFile
from anonymizer_gui.engine.rooms.statistics.made import Made, digest_of
from anonymizer_gui.engine.rooms.statistics.promise import about
from anonymizer_gui.engine.rooms.statistics.release import Release
from anonymizer_gui.engine.rooms.statistics.written import Cells, read_model, read_rows


def file_of(place: Path, made: Made, release: Release) -> OutputFile:
    """Give the file of a table or of a model."""
    if made.table is not None:
        return TableFile(place, made.table)
    return ModelFile(place, {**(made.model or {}), "promise": about(release.project, release.spent)})


def told_made(place: Path, made: Made) -> dict[str, Json]:
    """Give what the certificate tells of it: of a table its size, of a model what tells it from others."""
    told: dict[str, Json] = {"answer": made.at, "kind": made.kind, "file": place.name}
    if made.table is not None:
        return {**told, "synthetic": True, "rows": made.table.n_rows, "columns": list(made.table.names)}
    return {**told, "digest": digest_of(made.model or {})}


@dataclass(frozen=True, slots=True, eq=False)
class TableFile:
    """The file a synthetic table leaves in."""

    place: Path
    table: Table

    def write(self, target: Path, progress: Progress) -> None:
        """Write the table in the format of the place."""
        writer_of(self.place).write(self.table, target, WriteOptions(), progress)

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back; raises PromiseBroken unless it holds exactly the table."""
        try:
            found = read_rows(target, progress)
        except (AnonymizerError, ValueError):
            found = []
        if found != _cells(self.table):
            raise _broken(self.place)


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """The file a model leaves in: plain JSON, nothing that could be run."""

    place: Path
    model: Mapping[str, Json]

    def write(self, target: Path, progress: Progress) -> None:
        """Write the model."""
        progress(0.0, "Writing the model")
        target.write_bytes((json.dumps(self.model, ensure_ascii=False, indent=1) + "\n").encode())

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back; raises PromiseBroken unless it holds exactly the model."""
        progress(0.0, "Reading the model")
        if read_model(target) != json.loads(json.dumps(self.model)):
            raise _broken(self.place)


def _cells(table: Table) -> Cells:
    """Give head and rows as a reader of the file finds them."""
    texts = [["" if text == MISSING else escape_formula(text) for text in column.texts()] for column in table.columns]
    return [[escape_formula(name) for name in table.names], *(list(row) for row in zip(*texts, strict=True))]


def _broken(place: Path) -> PromiseBroken:
    return PromiseBroken(
        message("Read back from its file, “{name}” is not what was made.", name=place.name),
        "Nothing was released. Choose another format, and report this.",
    )
