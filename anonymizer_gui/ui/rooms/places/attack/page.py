"""The second step, attack first: how few people fit a region, linked queries, or a few known points."""

from PySide6.QtWidgets import QStackedLayout

from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.places.attack.known_points import KnownPoints
from anonymizer_gui.ui.rooms.places.attack.linked_queries import LinkedQueries
from anonymizer_gui.ui.rooms.places.attack.zone_attack import ZoneAttack
from anonymizer_gui.ui.rooms.places.ours import has_places, places_of
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document


class AttackPage(Page):
    """What somebody may find out; which attack is shown follows what is to leave."""

    name = "attack"
    title = "Attack"
    order = 20
    icon = "risk"
    help = "places/attack"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say what can be tried."""
        if not has_places(document):
            return StepStatus(StepState.EMPTY, tr("Open places first."))
        return StepStatus(StepState.READY, tr("See who is found by a few places"))

    def _build(self) -> None:
        self.queries = LinkedQueries(self.document)
        self.points = KnownPoints(self.document)
        self.zones = ZoneAttack(self.document)
        self.empty = EmptyState(tr("Open places first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="risk")
        self._stack = QStackedLayout(self)
        for widget in (self.empty, self.queries, self.points, self.zones):
            self._stack.addWidget(widget)

    def _show(self, changed: frozenset[str]) -> None:
        places = places_of(self.document)
        if places is None:
            self._stack.setCurrentWidget(self.empty)
            return
        panels: dict[str, LinkedQueries | KnownPoints | ZoneAttack] = {CLOAK: self.queries, MIX: self.zones}
        shown = panels.get(self.document.project.way, self.points)
        self._stack.setCurrentWidget(shown)
        if is_affected(changed, "places", "source", "roads", "algorithm", "k", Change.RESULTS):
            shown.show_places(places)
