"""A release of a graph as files: edges and people as CSV, or both in one GraphML."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.data.tables.io.contract import escape_formula
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.rooms.graphs.publishing import Published, Rows

GRAPHML, CSV = ".graphml", ".csv"
_EDGES, _COUNTS = ("source", "target"), ("group_a", "group_b", "edges")


def check_suffix(path: Path, *, is_grouped: bool) -> None:
    """Raise UnwritableFile when a graph cannot leave in a file of that name."""
    suffix = path.suffix.lower()
    if suffix not in (CSV, GRAPHML):
        raise UnwritableFile("A graph leaves as CSV or GraphML.", "Let the name end in .csv or .graphml.")
    if is_grouped and suffix == GRAPHML:
        raise UnwritableFile("Groups leave as CSV.", "Let the name end in .csv.")


def places(path: Path, published: Published) -> list[tuple[Path, str]]:
    """Give every file that is written when the first is called so, and its content."""
    if path.suffix.lower() == GRAPHML:
        return [(path, graphml_text(published))]
    files = [
        (path, csv_text(_COUNTS if published.is_grouped else _EDGES, published.edges)),
        (beside(path, "nodes"), csv_text(published.head, published.nodes)),
    ]
    drawn = [(beside(path, "sample"), csv_text(_EDGES, published.sample))] if published.sample else []
    return files + drawn


def beside(path: Path, part: str) -> Path:
    """Name a file that belongs to another.

    >>> beside(Path("ties.csv"), "nodes").name
    'ties.nodes.csv'
    """
    return path.with_name(f"{path.stem}.{part}{path.suffix}")


def csv_text(head: Sequence[str], rows: Rows) -> str:
    """Write rows as CSV; a missing cell is empty, what a spreadsheet would run begins with an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([escape_formula(name) for name in head])
    writer.writerows([["" if cell == MISSING else escape_formula(cell) for cell in row] for row in rows])
    return text.getvalue()


def graphml_text(published: Published) -> str:
    """Write nodes with their cells, and edges, as GraphML."""
    columns = published.head[1:]
    keys = [
        f'  <key id="d{at}" for="node" attr.name={quoteattr(name)} attr.type="string"/>'
        for at, name in enumerate(columns)
    ]
    nodes = [line for row in published.nodes for line in _node(row)]
    edges = [f'    <edge source="n{one}" target="n{other}"/>' for one, other in published.edges]
    way = "directed" if published.is_directed else "undirected"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *keys,
        f'  <graph edgedefault="{way}">',
        *nodes,
        *edges,
        "  </graph>",
        "</graphml>",
    ]
    return "\n".join(lines) + "\n"


def _node(row: Sequence[str]) -> list[str]:
    cells = [f'      <data key="d{at}">{escape(cell)}</data>' for at, cell in enumerate(row[1:]) if cell != MISSING]
    return [f'    <node id="n{row[0]}">', *cells, "    </node>"] if cells else [f'    <node id="n{row[0]}"/>']


def as_written(text: str, path: Path) -> str:
    """Give a name or cell as it is in a file: nothing for a missing one; CSV disarms what a spreadsheet would run."""
    if text == MISSING:
        return ""
    return text if path.suffix.lower() == GRAPHML else escape_formula(text)


def part_of(name: str) -> str:
    """Give which part of a release a file is, by its name.

    >>> part_of("ties.nodes.csv")
    'nodes'
    """
    return Path(name).stem.rpartition(".")[2]
