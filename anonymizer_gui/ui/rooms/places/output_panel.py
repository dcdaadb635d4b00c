"""What the Release page shows of places: the rows as they leave."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QVBoxLayout

from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.engine.rooms.places.release_candidate import ReleaseCandidate
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.release.output_panel import OutputPanel
from anonymizer_gui.ui.rooms.places.figures import release_figures
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.workspace.document import Document

_MOST_ROWS = 1000


class PlacesOutputPanel(OutputPanel):
    """The first rows of the file."""

    formats: ClassVar[Mapping[str, str]] = {"CSV": "csv", "GeoJSON": "geojson", "GPX": "gpx"}

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.rows = name_widget(QTableWidget(), "leaving_places", spoken=tr("Rows that leave"))
        self.rows.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.rows.verticalHeader().hide()
        self.words = QLabel(wordWrap=True)
        layout = QVBoxLayout(self.what)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.words)
        layout.addWidget(self.rows, 1)

    def show_project(self, release: Release | None) -> None:
        """Show the release as its file will hold it."""
        if release is None:
            return
        head, rows = release.published.head, release.published.rows[:_MOST_ROWS]
        self.rows.clear()
        self.rows.setColumnCount(len(head))
        self.rows.setRowCount(len(rows))
        self.rows.setHorizontalHeaderLabels(list(head))
        for at, row in enumerate(rows):
            for place, cell in enumerate(row):
                self.rows.setItem(at, place, QTableWidgetItem(cell))
        self.rows.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        more = len(release.published.rows) > _MOST_ROWS
        first = tr("The first {rows:row|rows}; no name or id is among them.", rows=_MOST_ROWS)
        self.words.setText(first if more else tr("All rows that leave; no name or id is among them."))
        self.figures.show_figures(release_figures(release))

    def sentence(self, leaving: ReleaseCandidate) -> str:
        """Say in a line what will leave."""
        numbers = leaving.numbers
        if leaving.release.project.way == CLOAK:
            return tr("{answers:region leaves|regions leave}, one for each user and query.",
                      answers=numbers["answers"] * numbers["queries"])  # fmt: skip
        if leaving.release.project.way == TILES:
            return tr("{visits:visit leaves|visits leave} of {people:person|people}.", visits=numbers["published"],
                      people=numbers["people"])  # fmt: skip
        if leaving.release.project.way == MIX:
            return tr("{names:pseudonym leaves|pseudonyms leave}, and a table of who ended and began in which mix.",
                      names=numbers["pseudonyms"])  # fmt: skip
        return tr("{tracks:track leaves|tracks leave} in classes of at least {k}.", tracks=numbers["published"],
                  k=numbers["smallest_class"])  # fmt: skip

    def success(self, leaving: ReleaseCandidate, path: Path) -> str:
        """Say what has left."""
        return tr("“{name}” has left.", name=path.name)
