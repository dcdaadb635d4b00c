"""A release beside its certificate: what was counted from its bytes, and the project that the certificate describes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.data.tables.io import WriteOptions
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.releases.certificate import VERSION
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.recount import Recount
from anonymizer_gui.engine.rooms.microdata.told import OF_A_PERSON


@dataclass(frozen=True, eq=False)
class Certified:
    """What `verify` has in hand: the certificate, the count of the file, and its columns by their names in the file.

    `table` is the whole file; nothing where an engine wrote it, for no memory may hold it. Then only the
    quasi-identifiers are among the columns.
    """

    path: Path
    told: Mapping[str, Json]
    options: WriteOptions
    found: Recount
    columns: Mapping[str, Column]
    table: Table | None

    @property
    def is_current(self) -> bool:
        """Whether this version wrote the certificate, so that every word of it can be composed anew."""
        return is_current(self.told)

    @property
    def counts_people(self) -> bool:
        """Whether k, l and risk count people, whom the file does not name."""
        return self.told["numbers"].get("people") is not None

    @property
    def left_out(self) -> int:
        """The records of the source that the file does not have."""
        return int(self.told["source"]["rows"]) - self.found.rows

    @cached_property
    def published(self) -> frozenset[str]:
        """The columns that the certificate says were written, those of a second file included."""
        written = self.told["written"]
        return frozenset({*written["columns"], *written.get("apart", {}).get("columns", ())})

    @cached_property
    def project(self) -> Project:
        """The project as the certificate describes it; hierarchies and source are not published."""
        told = self.told
        schema = Schema(
            tuple(
                ColumnSchema(entry["name"], ColumnType(entry["type"]), entry["format"], Role(entry["role"]))
                for entry in told["columns"]
            )
        )
        goals = tuple(from_json(PRIVACY_MODELS.get(each["name"]), each["parameters"]) for each in told["promises"])
        recipe = told["recipe"]
        publishing = Publishing(
            pseudonyms=tuple((name, way) for name, way in recipe["pseudonyms"]),
            left_out=tuple(recipe.get("left_out", ())),
        )
        whom = [entry["name"] for entry in told["columns"] if str(entry.get("published", "")).endswith(OF_A_PERSON)]
        return Project(schema=schema, goals=goals, publishing=publishing, person=whom[0] if whom else "")


def is_current(told: Mapping[str, Json]) -> bool:
    """Tell whether this version wrote a certificate."""
    return bool(told["version"] == VERSION and told["program"]["anonymizer"] == __version__)
