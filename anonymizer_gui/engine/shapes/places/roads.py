"""Roads for the map: lines of a GeoJSON file, pieces of road in a table, or a network of nodes and edges in two."""

import itertools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.shapes.places.projection import Floats, Projection
from anonymizer_gui.engine.shapes.places.road_network import network_files, read_network
from anonymizer_gui.engine.shapes.tables.io import read_table, sniff
from anonymizer_gui.engine.storage.safe_open import read_regular

_LARGEST_BYTES = 256 << 20
_ENDS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Roads:
    """Pieces of road, a row of x, y, x, y each, in the units of their file."""

    pieces: Floats

    def in_metres(self, projection: Projection) -> Floats:
        """Give the pieces in the metres of some places."""
        pieces = self.pieces
        if not len(pieces):
            return pieces
        ends = [projection.metres(pieces[:, at], pieces[:, at + 1]) for at in (0, 2)]
        return np.column_stack([*ends[0], *ends[1]])


def read_roads(path: Path, progress: Progress = SILENT) -> Roads:
    """Read roads; raises UnreadableFile."""
    progress(0.0, "Reading the roads")
    try:
        if path.suffix.lower() in (".geojson", ".json"):
            found = _geojson(read_regular(path, _LARGEST_BYTES))
        elif (both := network_files(path)) is not None:
            found = read_network(*both, progress)
        else:
            found = _table(path, progress)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise _no_roads(path) from None
    if not len(found) or not np.isfinite(found).all():
        raise _no_roads(path)
    return Roads(found)


def _no_roads(path: Path) -> UnreadableFile:
    return UnreadableFile(
        message("“{name}” holds no roads that could be read.", name=path.name),
        "GeoJSON lines are read, tables with four columns of numbers (x, y, x, y of both ends), and two tables beside "
        "each other, such as town_nodes.csv (node, x, y) and town_edges.csv (from, to).",
    )


def _geojson(content: bytes) -> Floats:
    told = json.loads(content.decode("utf-8-sig"))
    pieces: list[list[float]] = []
    for feature in told["features"]:
        geometry = feature["geometry"]
        lines = [geometry["coordinates"]] if geometry["type"] == "LineString" else geometry["coordinates"]
        for line in lines if geometry["type"] in ("LineString", "MultiLineString") else []:
            pieces += [[*one[:2], *other[:2]] for one, other in itertools.pairwise(line)]
    return np.array(pieces, dtype=float).reshape(-1, _ENDS)


def _table(path: Path, progress: Progress) -> Floats:
    table, _report = read_table(path, sniff(path), progress)
    columns = [column.texts() for column in table.columns[:_ENDS]]
    return np.column_stack([np.array([float(text) for text in column]) for column in columns]).reshape(-1, _ENDS)
