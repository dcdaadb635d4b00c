"""What the Release page shows of a graph: ties and people as they leave."""

from pathlib import Path

from PySide6.QtWidgets import QHeaderView, QLabel, QSplitter, QTableWidget, QTableWidgetItem, QVBoxLayout

from anonymizer_gui.engine.rooms.graphs.published_graph import PublishedGraph
from anonymizer_gui.engine.rooms.graphs.release import Release
from anonymizer_gui.engine.rooms.graphs.release_candidate import ReleaseCandidate
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.release.output_panel import OutputPanel
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.figure_cards import Figure
from anonymizer_gui.workspace.document import Document

_MOST_ROWS, _MEASURED = 1000, 50


class GraphOutputPanel(OutputPanel):
    """Ties at the left, people at the right, as the files will hold them."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.edges = name_widget(QTableWidget(), "leaving_edges", spoken=tr("Ties that leave"))
        self.people = name_widget(QTableWidget(), "leaving_people", spoken=tr("People who leave"))
        self.words = QLabel(wordWrap=True)
        split = QSplitter(childrenCollapsible=False)
        for table in (self.edges, self.people):
            table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
            table.verticalHeader().hide()
            split.addWidget(table)
        split.setSizes([3000, 2000])  # shares; groups have a column more than people
        layout = QVBoxLayout(self.what)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.words)
        layout.addWidget(split, 1)

    def show_project(self, release: Release | None) -> None:
        """Show the release as its files will hold it."""
        if release is None:
            return
        published: PublishedGraph = release.published
        head = (tr("Group A"), tr("Group B"), tr("Ties")) if published.is_grouped else (tr("From"), tr("To"))
        _fill(self.edges, head, published.edges)
        _fill(self.people, published.head, published.nodes)
        self.words.setText(tr("The first {rows:row|rows} of each.", rows=_MOST_ROWS))
        self.words.setVisible(max(len(published.edges), len(published.nodes)) > _MOST_ROWS)
        after = release.after
        self.figures.show_figures(
            (
                Figure(
                    "smallest",
                    tr("Smallest set"),
                    format_integer(after.smallest),
                    tr("people who fit"),
                    "good" if after.smallest >= release.project.k else "bad",
                ),
                Figure(
                    "h2",
                    tr("Found by neighbours' ties"),
                    format_percent(after.unique["h2"]),
                    tr("of the people"),
                    "warn" if after.unique["h2"] else "good",
                ),
                Figure(
                    "certain",
                    tr("Ties that are certain"),
                    format_percent(after.certain_edges),
                    tr("of those that leave"),
                    "warn" if after.certain_edges else "good",
                ),
            )
        )

    def sentence(self, leaving: ReleaseCandidate) -> str:
        """Say in a line what will leave."""
        numbers = leaving.numbers
        return tr("{nodes:person|people} and {edges:tie|ties} leave.", nodes=numbers["nodes"], edges=numbers["edges"])

    def success(self, leaving: ReleaseCandidate, path: Path) -> str:
        """Say what has left."""
        return tr("“{name}” has left, with the people in a file beside it.", name=path.name)


def _fill(table: QTableWidget, head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> None:
    table.clear()
    table.setColumnCount(len(head))
    table.setRowCount(min(len(rows), _MOST_ROWS))
    table.setHorizontalHeaderLabels(list(head))
    for at, row in enumerate(rows[:_MOST_ROWS]):
        for place, cell in enumerate(row):
            table.setItem(at, place, QTableWidgetItem(cell))
    header = table.horizontalHeader()
    header.setResizeContentsPrecision(_MEASURED)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setStretchLastSection(True)
