"""The builder for places: a point, tiles of round degrees around it, larger tiles."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Float, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, Builder
from anonymizer_gui.engine.hierarchy.coverage import COARSEST, FINEST, SIDES, tile_hierarchy
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


@BUILDERS.register
@dataclass(frozen=True, slots=True)
class MapTiles(Builder):
    """Tiles of 0.01, 0.05, 0.1, 0.5, 1, 5 and 10 degrees."""

    name: ClassVar[str] = "map-tiles"
    title: ClassVar[str] = "Map tiles"
    summary: ClassVar[str] = "Puts places into tiles of round degrees on the map, level by level."

    finest: float = param(
        Float(low=SIDES[0], high=SIDES[-1]),
        default=FINEST,
        label="Finest tile",
        help="Side of the smallest tiles in degrees; 0.01 is about a kilometre.",
    )
    coarsest: float = param(
        Float(low=SIDES[0], high=SIDES[-1]),
        default=COARSEST,
        label="Coarsest tile",
        help="Side of the largest tiles in degrees; above them is only the root.",
    )

    def build(self, column: Column, schema: ColumnSchema, progress: Progress = SILENT) -> Hierarchy:
        """Put the places into tiles; raises BadParameter when no size is between the two."""
        if not any(self.finest <= side <= self.coarsest for side in SIDES):
            raise BadParameter("There is no tile between the two sizes.", "Make the coarsest larger than the finest.")
        return tile_hierarchy(column, schema, self.finest, self.coarsest, progress)

    @staticmethod
    def suits(column: Column, schema: ColumnSchema) -> bool:
        """Say whether the column holds places."""
        return schema.type is ColumnType.PLACE
