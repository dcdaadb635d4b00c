"""Road network for the map."""

import itertools
import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.places.places import Floats, Projection
from anonymizer_gui.engine.data.tables.io import read_table, sniff
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.storage.safe_open import read_regular

_NODES, _EDGES = "node", "edge"

_PART = re.compile(f"({_NODES}|{_EDGES})", re.IGNORECASE)

_KINDS = {
    "node": ("node", "id", "node_id", "nodeid", "osmid"),
    "x": ("x", "lon", "lng", "long", "longitude", "east"),
    "y": ("y", "lat", "latitude", "north"),
    "from": ("a", "from", "source", "u", "start", "node1", "from_node", "start_node", "tail"),
    "to": ("b", "to", "target", "v", "end", "node2", "to_node", "end_node", "head"),
}
"""What columns may be called; where none has such a name, the first ones are taken in this order."""


def network_files(path: Path) -> tuple[Path, Path] | None:
    """Give the file of nodes and that of edges, whichever was chosen; nothing when its name says it is neither.

    Raises UnreadableFile when the other one is not there.
    """
    found = list(_PART.finditer(path.stem))
    if not found:
        return None
    last, other = found[-1], path
    is_nodes = last.group().lower() == _NODES
    wanted = _EDGES if is_nodes else _NODES
    for word in (wanted, wanted.capitalize(), wanted.upper()):
        other = path.with_name(f"{path.stem[: last.start()]}{word}{path.stem[last.end() :]}{path.suffix}")
        if other.is_file():
            return (path, other) if is_nodes else (other, path)
    raise UnreadableFile(
        message("“{name}” is one half of a network of roads.", name=path.name),
        message("The other half must lie beside it, as “{other}”.",
            other=f"{path.stem[: last.start()]}{wanted}{path.stem[last.end() :]}{path.suffix}"),
    )  # fmt: skip


def read_network(nodes: Path, edges: Path, progress: Progress) -> Floats:
    """Give a piece of road for each edge; raises ValueError or KeyError when one leads to no node."""
    places, ends = (read_table(path, sniff(path), progress)[0] for path in (nodes, edges))
    node, x, y = (_texts(places, kind, at) for at, kind in enumerate(("node", "x", "y")))
    at = {name: (float(east), float(north)) for name, east, north in zip(node, x, y, strict=True)}
    pairs = zip(_texts(ends, "from", 0), _texts(ends, "to", 1), strict=True)
    return np.array([[*at[one], *at[other]] for one, other in pairs], dtype=float).reshape(-1, 4)


def _texts(table: Table, kind: str, usual: int) -> list[str]:
    """Give the cells of the column with such a name, or of the one at the usual place."""
    called = {name.strip().lower(): name for name in table.names}
    name = next((called[each] for each in _KINDS[kind] if each in called), table.names[usual])
    return [str(text) for text in table.column(name).texts()]


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
