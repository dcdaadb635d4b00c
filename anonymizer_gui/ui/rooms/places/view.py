"""The window half of the room of places: its pages in the order of the rail, its samples, and words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import RoomView, Sample, StatusBarText

if TYPE_CHECKING:
    from anonymizer_gui.ui.actions import Action
    from anonymizer_gui.ui.page import Page
    from anonymizer_gui.ui.room_view import TourStep
    from anonymizer_gui.ui.rooms.places.output_panel import PlacesOutputPanel
    from anonymizer_gui.ui.shell.main_window import MainWindow
    from anonymizer_gui.workspace.document import Document


class PlacesView(RoomView):
    """Location queries, mix zones and tracks."""

    name = "places"
    title = "Places and tracks"
    summary = "Publish where people are and were: as regions, under changing pseudonyms, or as tracks that k share."
    icon = "pin"
    order = 60
    samples = (
        Sample("town.anon", "Town", "The morning of 120 people in a town with one bridge, as tracks that k share."),
        Sample("town_queries.anon", "Town, queries", "The same people ask for the way: regions instead of points."),
        Sample("town_bridge.anon", "Town, bridge", "The same people get new names on the bridge; who links them?"),
    )
    release_suffix = ".csv"

    def pages(self) -> "Sequence[type[Page]]":
        """Give the five steps."""
        from anonymizer_gui.ui.release.page import ReleasePage
        from anonymizer_gui.ui.rooms.places.attack_page import AttackPage
        from anonymizer_gui.ui.rooms.places.compare_page import ComparePage
        from anonymizer_gui.ui.rooms.places.data_page import DataPage
        from anonymizer_gui.ui.rooms.places.protect_page import ProtectPage

        return DataPage, AttackPage, ProtectPage, ComparePage, ReleasePage

    def actions(self) -> "Sequence[Action]":
        """Give what can be done on its pages."""
        from anonymizer_gui.ui.release.page import ACTIONS as ON_RELEASE
        from anonymizer_gui.ui.rooms.places.data_page import ACTIONS as ON_DATA
        from anonymizer_gui.ui.rooms.places.protect_page import ACTIONS as ON_PROTECT

        return *ON_DATA, *ON_PROTECT, *ON_RELEASE

    def open_source(self, window: "MainWindow", source: str) -> None:
        """Ask how the file is to be read, with a map of what that gives."""
        from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
        from anonymizer_gui.ui.rooms.places.data_page import OpenPlacesDialog

        def begin(path: str) -> None:
            OpenPlacesDialog(window.document, path, window).open()

        if source:
            begin(source)
        else:
            ask_file(window, tr("Open Places"), begin)

    def leaving_panel(self, document: "Document") -> "PlacesOutputPanel":
        """Make what the Release page shows: the rows as they leave."""
        from anonymizer_gui.ui.rooms.places.output_panel import PlacesOutputPanel

        return PlacesOutputPanel(document)

    def status(self, document: "Document") -> StatusBarText:
        """Say how much there is, and what must hold."""
        places = document.files.get("places")
        if places is None:
            return StatusBarText()
        size = tr("{points:point|points} of {tracks:track|tracks}", points=places.n_points, tracks=len(places))
        return StatusBarText(size, f"k = {document.project.k}", tr(document.project.algorithm.summary))

    def after_saving(self, document: "Document", is_new: bool) -> None:
        """Say nothing: the file holds decisions, and no places."""

    def tour(self) -> "tuple[TourStep, ...]":
        """Give the chapter on the town."""
        from anonymizer_gui.ui.rooms.places.tour import steps

        return steps()


VIEW = PlacesView()
