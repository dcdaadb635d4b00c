"""A network of roads as two tables that lie beside each other: nodes with their places, edges between two of them."""

import re
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.shapes.places.projection import Floats
from anonymizer_gui.engine.shapes.tables.io import read_table, sniff
from anonymizer_gui.engine.shapes.tables.table import Table

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
