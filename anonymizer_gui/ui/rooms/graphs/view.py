"""The window half of the room of graphs: its pages in the order of the rail, its sample, and words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import RoomView, Sample, StatusBarText

if TYPE_CHECKING:
    from anonymizer_gui.ui.actions import Action
    from anonymizer_gui.ui.page import Page
    from anonymizer_gui.ui.room_view import TourStep
    from anonymizer_gui.ui.rooms.graphs.output_panel import GraphOutputPanel
    from anonymizer_gui.ui.shell.main_window import MainWindow
    from anonymizer_gui.workspace.document import Document


class GraphsView(RoomView):
    """Social networks, published as graphs or as groups of people."""

    name = "graphs"
    title = "Graph of people"
    summary = "Publish who is tied to whom: nobody is found by their number of ties, or only groups are told."
    icon = "compare"
    order = 50
    samples = (Sample("village.anon", "Village", "Who helps whom in a small village, and who is ill."),)
    release_suffix = ".csv"

    def pages(self) -> "Sequence[type[Page]]":
        """Give the six steps."""
        from anonymizer_gui.ui.release.page import ReleasePage
        from anonymizer_gui.ui.rooms.graphs.attack_page import AttackPage
        from anonymizer_gui.ui.rooms.graphs.compare_page import ComparePage
        from anonymizer_gui.ui.rooms.graphs.data_page import DataPage, PeopleHierarchiesPage
        from anonymizer_gui.ui.rooms.graphs.protect_page import ProtectPage

        return DataPage, AttackPage, PeopleHierarchiesPage, ProtectPage, ComparePage, ReleasePage

    def actions(self) -> "Sequence[Action]":
        """Give what can be done on its pages."""
        from anonymizer_gui.ui.hierarchies.actions import ACTIONS as ON_HIERARCHIES
        from anonymizer_gui.ui.release.page import ACTIONS as ON_RELEASE
        from anonymizer_gui.ui.rooms.graphs.data_page import ACTIONS as ON_GRAPH
        from anonymizer_gui.ui.rooms.graphs.protect_page import ACTIONS as ON_PROTECT

        return *ON_GRAPH, *ON_HIERARCHIES, *ON_PROTECT, *ON_RELEASE

    def open_source(self, window: "MainWindow", source: str) -> None:
        """Start a project about a graph at once."""
        from anonymizer_gui.ui.dialogs.file_dialogs import ask_file

        def begin(path: str) -> None:
            window.document.open_table(path, room=self.name)

        if source:
            begin(source)
        else:
            ask_file(window, tr("Open a Graph"), begin)

    def leaving_panel(self, document: "Document") -> "GraphOutputPanel":
        """Make what the Release page shows: ties and people as they leave."""
        from anonymizer_gui.ui.rooms.graphs.output_panel import GraphOutputPanel

        return GraphOutputPanel(document)

    def status(self, document: "Document") -> StatusBarText:
        """Say how large the graph is, and what must hold."""
        graph = document.files.get("graph")
        if graph is None:
            return StatusBarText()
        size = tr("{nodes:person|people}, {edges:tie|ties}", nodes=graph.n_nodes, edges=graph.n_edges)
        return StatusBarText(size, f"k = {document.project.k}", tr(document.project.algorithm.summary))

    def after_saving(self, document: "Document", is_new: bool) -> None:
        """Say nothing: the file holds decisions, and no ties."""

    def tour(self) -> "tuple[TourStep, ...]":
        """Give the chapter on the village."""
        from anonymizer_gui.ui.rooms.graphs.tour import steps

        return steps()


VIEW = GraphsView()
