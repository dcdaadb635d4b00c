"""Location queries as the provider sees them: one region, who would send it, and what linked queries leave."""

import numpy as np
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import Algorithm, PlaceDemands
from anonymizer_gui.engine.rooms.places.attack import IntersectionResult, attack_by_intersection
from anonymizer_gui.engine.rooms.places.cloaking import CloakedRegions
from anonymizer_gui.ui.charts.plots import LinePlot
from anonymizer_gui.ui.i18n import error_text, format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.places.figures import metres
from anonymizer_gui.ui.rooms.places.map_view import MapView
from anonymizer_gui.ui.rooms.places.scenes import regions_scene
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.workspace.document import Document

_QUERIES = 6
_MOST_LISTED = 2000


class LinkedQueries(QWidget):
    """A user to look at, their region on the map, and how many are left when queries are linked."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document
        self._made: CloakedRegions | None = None
        self._worst: list[int] = []
        self.story = name_widget(QLabel(wordWrap=True), "query_story")
        self.user = name_widget(QComboBox(), "query_user", spoken=tr("The user, most exposed first"))
        self.found = name_widget(QLabel(wordWrap=True), "query_found")
        self.map = MapView(document.drawing, "query_map")
        self.curve = ChartPanel(document.drawing, "shrinking_chart")
        self.figures = CardRow()
        self._build()
        self.user.activated.connect(lambda _at: self._show_user())
        self.map.clicked.connect(self._on_clicked)

    def show_places(self, places: Places) -> None:
        """Cloak everybody once more, and let them move."""
        project = self.document.project
        self.document.ask(
            "queries", _cloaked, places, project.algorithm, project.k, then=self._on_made,
            title=tr("Cloak everybody"), failed=self._on_error,
        )  # fmt: skip
        if project.algorithm.needs_time:
            self.curve.show_plot(None)
            return
        self.document.ask(
            "linked queries",
            attack_by_intersection,
            places,
            project.algorithm,
            project.k,
            _QUERIES,
            then=self._on_shrinking,
            title=tr("Link queries"),
            failed=self._on_error,
        )

    def _build(self) -> None:
        self.story.setText(
            tr(
                "The provider of a map sees regions instead of points. Whoever also knows where everybody is, a camera "
                "or a phone company, asks: who would have sent this region? And who was in all the regions of one user?"
            )
        )
        head = QHBoxLayout()
        label = QLabel(self.user.accessibleName())
        label.setBuddy(self.user)
        for widget in (label, self.user):
            head.addWidget(widget)
        head.addWidget(self.found, 1)
        split = name_widget(QSplitter(childrenCollapsible=False), "queries_splitter")
        split.addWidget(self.map)
        split.addWidget(self.curve)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        layout.addWidget(self.story)
        layout.addLayout(head)
        layout.addWidget(split, 1)
        layout.addWidget(self.figures)

    def _on_error(self, error: BaseException) -> None:
        self._made = None
        self.found.setText(error_text(error))
        self.map.show_scene(None)
        self.figures.show_figures(())

    def _on_made(self, made: CloakedRegions) -> None:
        self._made = made
        self._worst = np.lexsort((made.inside, made.senders)).tolist()[:_MOST_LISTED]
        self.user.clear()
        self.user.addItems([tr("User {n}", n=format_integer(user + 1)) for user in self._worst])
        k = self.document.project.k
        exposed = int((made.senders < k).sum())
        self.figures.show_figures(
            (
                Figure(
                    "inside",
                    tr("Fewest users in a region"),
                    format_integer(int(made.inside.min())),
                    tr("{k} wanted", k=k),
                    "good" if made.inside.min() >= k else "bad",
                ),
                Figure(
                    "senders",
                    tr("Fewest who send the same"),
                    format_integer(int(made.senders.min())),
                    tr("who knows where all are finds the user among these"),
                    "good" if made.senders.min() >= k else "bad",
                ),
                Figure(
                    "exposed",
                    tr("Exposed users"),
                    format_percent(exposed / max(made.n_users, 1)),
                    tr("{n:user, red on the map|users, red on the map}", n=exposed),
                    "bad" if exposed else "good",
                ),
            )
        )
        self._show_user(keep_view=False)

    def _show_user(self, *, keep_view: bool = True) -> None:
        made, at = self._made, self.user.currentIndex()
        if made is None or at < 0:
            return
        user, k = self._worst[at], self.document.project.k
        self.map.show_scene(regions_scene(self.document, made, k, user), keep_view=keep_view)
        side = float(np.sqrt(np.prod(made.box[0, user, 2:] - made.box[0, user, :2])))
        self.found.setText(
            tr("A region of {side} with {inside:user|users}; {senders:user sends|users send} exactly this one.",
               side=metres(side), inside=int(made.inside[user]), senders=int(made.senders[user]))
        )  # fmt: skip

    def _on_clicked(self, x: float, y: float) -> None:
        """Look at the user nearest to where the map was clicked."""
        if self._made is not None and self._worst:
            near = np.hypot(self._made.x[0][self._worst] - x, self._made.y[0][self._worst] - y)
            self.user.setCurrentIndex(int(np.argmin(near)))
            self._show_user()

    def _on_shrinking(self, found: IntersectionResult) -> None:
        series: dict[str, list[float]] = {
            tr("memorised group, worst off"): [float(n) for n in found.kept_fewest],
            tr("new groups, in the middle"): list(found.fresh_median),
            tr("new groups, worst off"): [float(n) for n in found.fresh_fewest],
        }
        title = tr("Users left when the queries of one user are linked")
        self.curve.show_plot(
            LinePlot(title, list(range(1, len(found.fresh_median) + 1)), series, tr("Queries"), tr("Users left"))
        )


def _cloaked(places: Places, algorithm: Algorithm, k: int, progress: Progress) -> CloakedRegions:
    made = algorithm.run(places, PlaceDemands(k), progress.sub(0.0, 0.7))
    assert isinstance(made, CloakedRegions)  # only ways that cloak are shown here
    progress(0.8)
    _counted_here = made.inside, made.senders  # counting takes a while and is kept
    return made
