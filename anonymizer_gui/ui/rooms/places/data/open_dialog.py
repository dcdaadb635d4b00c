"""Opening places: drawn on a map as they will be read, while one changes how they are read."""

from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QSplitter, QVBoxLayout, QWidget

from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.shapes.places.found import Found
from anonymizer_gui.engine.shapes.places.options import PlaceOptions
from anonymizer_gui.engine.shapes.places.places import Places
from anonymizer_gui.engine.shapes.places.reading import read_places
from anonymizer_gui.engine.shapes.places.sniffing import columns_of, sniffed
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import told, tr
from anonymizer_gui.ui.rooms.places.map_layers import DOTS, Layer, Scene
from anonymizer_gui.ui.rooms.places.map_view import MapView
from anonymizer_gui.ui.widgets.layout_pieces import UpAndDown, resize_in_lines
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.note import Note
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.workspace.document import Document

_ROOM = "places"


class OpenPlaces(QDialog):
    """How the file is read at the left, where that puts its points at the right."""

    def __init__(self, document: Document, source: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("open_places")
        self.setWindowTitle(tr("Open Places"))
        self._document, self._source = document, source
        self.form = ParamForm(PlaceOptions)
        self._place = QVBoxLayout()
        self.map = MapView(document.drawing, "open_map")
        self.counts = named(QLabel(wordWrap=True), "place_counts")
        self.note = Note()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel)
        self._build()
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)
        self._document.jobs.start(
            "", _sniff, Path(source), on_done=self._on_sniffed, on_error=self._on_error, replace_key="look at places"
        )

    def accept(self) -> None:
        """Open the file as the form says."""
        options = self.form.value()
        if options is not None:
            self._document.open_table(self._source, options, room=_ROOM)
            super().accept()

    def _build(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setText(tr("Open"))
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        theme.plain_buttons(self.buttons)
        split = named(QSplitter(childrenCollapsible=False), "open_places_splitter")
        side = QWidget()
        side.setLayout(self._place)
        split.addWidget(UpAndDown(side))
        split.addWidget(self.map)
        split.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.addWidget(named(QLabel(tr("“{name}”", name=Path(self._source).name)), "places_file"))
        layout.addWidget(split, 1)
        for widget in (self.counts, self.note, self.buttons):
            layout.addWidget(widget)
        resize_in_lines(self, 60, 34)

    def _on_sniffed(self, proposed: tuple[PlaceOptions, tuple[str, ...]]) -> None:
        """Show the proposal in a form that offers the columns of the file."""
        options, columns = proposed
        self.form.deleteLater()
        self.form = ParamForm(PlaceOptions, options, columns=columns)
        self.form.changed.connect(lambda _value: self._look())
        self.form.invalid.connect(lambda text: self.note.show_note("bad", text))
        self._place.addWidget(self.form)
        self._place.addStretch()
        self._look()

    def _look(self) -> None:
        options = self.form.value()
        if options is not None:
            self._document.jobs.start(
                "", _look, Path(self._source), options, on_done=self._on_seen, on_error=self._on_error,
                replace_key="look at places",
            )  # fmt: skip

    def _on_seen(self, seen: tuple[Places, Found]) -> None:
        places, found = seen
        at = np.column_stack([places.x, places.y])
        self.map.show_scene(Scene(tr("Where the points are"), (Layer(DOTS, at, width=3.0, opacity=0.6),)))
        self.counts.setText(
            tr("{points:point|points} of {tracks:track|tracks}.", points=places.n_points, tracks=len(places))
        )
        self.note.show_note("info", " ".join(tr(problem) for problem in found.problems))
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(True)

    def _on_error(self, error: BaseException) -> None:
        self.map.show_scene(None)
        self.counts.setText("")
        self.note.show_note("bad", told(error))
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(False)


def _sniff(path: Path, progress: Progress) -> tuple[PlaceOptions, tuple[str, ...]]:
    progress(0.0)
    return sniffed(path), columns_of(path)


def _look(path: Path, options: PlaceOptions, progress: Progress) -> tuple[Places, Found]:
    return read_places(path, options, progress)
