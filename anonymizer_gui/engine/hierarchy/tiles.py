"""Places in tiles of round degrees, tiles in larger ones: bounds that do not depend on who is in the table."""

import math

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.data.tables.values import read_point
from anonymizer_gui.engine.hierarchy.builders.assembly import Level, assemble, used_values
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

SIDES = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0)
"""Sides of tiles in degrees; each fits a whole number of times into the next."""
FINEST, COARSEST = 0.01, 10.0
_DIGITS = 2


def tiles_of(
    column: Column,
    schema: ColumnSchema | None,
    finest: float = FINEST,
    coarsest: float = COARSEST,
    progress: Progress = SILENT,
) -> Hierarchy:
    """Put every place of a column into tiles of each size from the finest to the coarsest, as far as they differ.

    Cells that are no place on the earth come directly under the root, as missing ones do.
    """
    form = "" if schema is None else schema.format
    points = {text: point for text in used_values(column) if (point := read_point(text, form)) is not None}
    # Neighbours in the tree are neighbours on the map, whatever their texts look like.
    ordered = sorted(points, key=lambda text: (tuple(_corner(points[text], side) for side in reversed(SIDES)), text))
    levels = []
    for side in (side for side in SIDES if finest <= side <= coarsest):
        progress.check()
        levels.append(Level([tile_label(points[text], side) for text in ordered]))
    return assemble(ordered, levels, column, progress)


def tile_label(point: tuple[float, float], side: float) -> str:
    """Name the tile of a place by its bounds.

    >>> tile_label((-33.87, 151.21), 0.5)
    'lat -34 .. -33.5, lon 151 .. 151.5'
    """
    south, west = _corner(point, side)
    return (
        f"lat {_degrees(south * side)} .. {_degrees((south + 1) * side)}, "
        f"lon {_degrees(west * side)} .. {_degrees((west + 1) * side)}"
    )


def _corner(point: tuple[float, float], side: float) -> tuple[int, int]:
    """Number the tile; the pole and the antimeridian belong to the last ones before them."""
    lat, lon = point
    south, west = math.floor(round(lat / side, 9)), math.floor(round(lon / side, 9))
    return min(south, round(90 / side) - 1), min(west, round(180 / side) - 1)


def _degrees(value: float) -> str:
    return f"{round(value, _DIGITS) + 0.0:g}"
