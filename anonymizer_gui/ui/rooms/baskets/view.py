"""The window half of the room of baskets: its pages in the order of the rail, samples, and words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.room_view import RoomView, Sample, StatusBarText

if TYPE_CHECKING:
    from anonymizer_gui.ui.actions import Action
    from anonymizer_gui.ui.page import Page
    from anonymizer_gui.ui.room_view import TourStep
    from anonymizer_gui.ui.rooms.baskets.output_panel import BasketsOutputPanel
    from anonymizer_gui.ui.shell.main_window import MainWindow
    from anonymizer_gui.workspace.document import Document


class BasketsView(RoomView):
    """Sets of items, published as sets."""

    name = "baskets"
    title = "Baskets"
    summary = "Publish what people bought, had or visited: rare items become groups until nobody stands out by a few."
    icon = "group"
    order = 40
    samples = (
        Sample("market.anon", "Market", "1,500 baskets of a small market: what a friend at the till could find."),
        Sample("four_customers.anon", "Four customers", "The example of the lectures: generalise or delete one item."),
    )
    release_suffix = ".csv"

    def pages(self) -> "Sequence[type[Page]]":
        """Give the six steps."""
        from anonymizer_gui.ui.release.page import ReleasePage
        from anonymizer_gui.ui.rooms.baskets.attack_page import AttackPage
        from anonymizer_gui.ui.rooms.baskets.compare_page import ComparePage
        from anonymizer_gui.ui.rooms.baskets.data_page import DataPage, ItemHierarchyPage
        from anonymizer_gui.ui.rooms.baskets.protect_page import ProtectPage

        return DataPage, AttackPage, ItemHierarchyPage, ProtectPage, ComparePage, ReleasePage

    def actions(self) -> "Sequence[Action]":
        """Give what can be done on its pages."""
        from anonymizer_gui.ui.hierarchies.actions import ACTIONS as ON_HIERARCHIES
        from anonymizer_gui.ui.release.page import ACTIONS as ON_RELEASE
        from anonymizer_gui.ui.rooms.baskets.protect_page import ACTIONS as ON_PROTECT

        return *ON_HIERARCHIES, *ON_PROTECT, *ON_RELEASE

    def open_source(self, window: "MainWindow", source: str) -> None:
        """Show how the file would be read; without one it is asked for first."""
        from anonymizer_gui.ui.dialogs.file_dialogs import ask_open
        from anonymizer_gui.ui.rooms.baskets.data_page import OpenBasketsDialog

        def begin(path: object) -> None:
            OpenBasketsDialog(window.document, str(path), window).open()

        if source:
            begin(source)
        else:
            ask_open(window, "", begin, tables_only=True)

    def leaving_panel(self, document: "Document") -> "BasketsOutputPanel":
        """Make what the Release page shows."""
        from anonymizer_gui.ui.rooms.baskets.output_panel import BasketsOutputPanel

        return BasketsOutputPanel(document)

    def status(self, document: "Document") -> StatusBarText:
        """Say how many baskets and items there are, and what is promised."""
        baskets, goals = document.files.get("table"), document.project.goals
        if baskets is None:
            return StatusBarText()
        size = tr(
            "{baskets:basket|baskets}, {items:item|items}",
            baskets=format_integer(len(baskets)),
            items=format_integer(len(baskets.items)),
        )
        short = ", ".join(goal.short() for goal in goals) or tr("no goal yet")
        return StatusBarText(size, short, "\n".join(tr(goal.sentence()) for goal in goals))

    def after_saving(self, document: "Document", is_new: bool) -> None:
        """Tell that the file holds the tree, and with it every item."""
        if is_new and document.project.hierarchies:
            document.messages.info(tr("The project file holds the tree of items: keep it inside."))

    def tour(self) -> "tuple[TourStep, ...]":
        """Give the chapter on the market."""
        from anonymizer_gui.ui.rooms.baskets.tour import steps

        return steps()


VIEW = BasketsView()
