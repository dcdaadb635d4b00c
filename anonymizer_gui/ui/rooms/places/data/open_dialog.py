"""Opening places: drawn on a map as they will be read, while one changes how they are read."""

from pathlib import Path
from typing import ClassVar

import numpy as np
from PySide6.QtWidgets import QWidget

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.layout import PlaceOptions, sniff_options, table_columns
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.data.places.reading import PlacesReadReport, read_places
from anonymizer_gui.ui.dialogs.open_data import OpenDataDialog
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.places.map_layers import DOTS, Layer, Scene
from anonymizer_gui.ui.rooms.places.map_view import MapView


class OpenPlaces(OpenDataDialog):
    """How the file is read at the left, where that puts its points at the right."""

    room: ClassVar[str] = "places"
    title: ClassVar[str] = "Open Places"
    options: ClassVar[type] = PlaceOptions
    tone: ClassVar[str] = "info"
    lines: ClassVar[tuple[int, int]] = (60, 34)

    def preview(self) -> QWidget:
        """Make the map."""
        self.map = MapView(self._document.drawing, "open_map")
        return self.map

    @staticmethod
    def sniff(path: Path, progress: Progress) -> tuple[PlaceOptions, tuple[str, ...]]:
        """Look at the beginning of the file."""
        progress(0.0)
        return sniff_options(path), table_columns(path)

    @staticmethod
    def look(path: Path, options: PlaceOptions, progress: Progress) -> tuple[Places, PlacesReadReport]:
        """Read the places."""
        return read_places(path, options, progress)

    def show_data(self, data: Places | None, found: PlacesReadReport | None) -> str:
        """Draw the points, and count them."""
        if data is None:
            self.map.show_scene(None)
            return ""
        at = np.column_stack([data.x, data.y])
        self.map.show_scene(Scene(tr("Where the points are"), (Layer(DOTS, at, width=3.0, opacity=0.6),)))
        return tr("{points:point|points} of {tracks:track|tracks}.", points=data.n_points, tracks=len(data))
