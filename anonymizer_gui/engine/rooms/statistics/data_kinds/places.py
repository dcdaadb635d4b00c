"""Places: what is protected is a point, or a person with several of them; tracks become rows of points."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import from_json, to_json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.layout import PlaceOptions, likelihood, sniff_options
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.data.places.reading import read_source
from anonymizer_gui.engine.data.tables.table import Column, Table, smallest_codes
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.room import ReadFile
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import DATA_KINDS, KIND_OPTION
from anonymizer_gui.engine.rooms.statistics.data_kinds.tables import TableKind
from anonymizer_gui.engine.storage.sources import Source

X, Y, PERSON, TRACK = "x", "y", "person", "track"
"""The columns of points: longitude and latitude, or metres, as they stand in the file."""
_SURE = 0.9
_DIGITS = 6


@DATA_KINDS.register
class PlacesKind(TableKind):
    """A point is a row; a person may have many, in one track or several."""

    name: ClassVar[str] = "places"
    title: ClassVar[str] = "Places"
    summary: ClassVar[str] = "Where people were; a row is a point, and a person may have many of them."

    def accepts(self, path: Path, head: bytes) -> float:
        """Take formats of tracks; a table with coordinates is asked about as a table unless somebody says so."""
        chance = likelihood(path, head)
        return chance if chance >= _SURE else 0.0

    def read(self, source: Source, progress: Progress) -> ReadFile:
        """Read places with the options they were read with before, and make a row of every point.

        Coordinates stay as they are in the file: where they would be projected to depends on everybody, and nobody's
        row may depend on anybody else's.
        """
        kept = {name: value for name, value in source.options.items() if name != KIND_OPTION}
        options = from_json(PlaceOptions, kept) if kept else sniff_options(Path(source.path))
        places, found, read = read_source(source, replace(options, units="metres"), progress)
        kept = {KIND_OPTION: self.name, **to_json(options)}
        return ReadFile(points_table(places), replace(read, options=kept), found.problems)

    def units(self) -> Mapping[Neighbours, Message]:
        """Speak of points and people."""
        return {
            Neighbours.ROW: message("A point more or less"),
            Neighbours.CHANGE: message("A point that is moved; how many there are is public"),
            Neighbours.PERSON: message("A person with several points"),
        }

    def sentence(self, unit: PrivacyUnit) -> Message:
        """Speak of points and people."""
        if unit.kind is Neighbours.PERSON:
            return message("Nobody can tell whether a person with up to {rows:point|points} is there.", rows=unit.rows)
        if unit.kind is Neighbours.CHANGE:
            return message("Nobody can tell where a point is; how many points there are is public.")
        return message("Nobody can tell whether a point is there.")


def points_table(places: Places) -> Table:
    """Make a table of points: person, track, and both coordinates in the units of the file."""
    people = places.person_of[places.track_of]
    labels = tuple(str(number + 1) for number in range(int(people.max(initial=-1)) + 1))
    return Table(
        (
            Column(PERSON, smallest_codes(people, len(labels)), labels),
            Column(TRACK, smallest_codes(places.track_of, len(places)), places.names),
            Column.from_texts(X, np.char.mod(f"%.{_DIGITS}f", places.x).tolist()),
            Column.from_texts(Y, np.char.mod(f"%.{_DIGITS}f", places.y).tolist()),
        )
    )
