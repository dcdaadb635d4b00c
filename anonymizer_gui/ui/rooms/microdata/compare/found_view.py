"""How the selected release was found: lattice, map of partitions, tree of splits, loss by checks, class sizes."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import SearchCurve, SearchStep
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import Lattice
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.equivalence_classes import class_sizes
from anonymizer_gui.engine.rooms.microdata.views.search_trace import has_steps, is_specialization, node_with
from anonymizer_gui.ui.charts.plots import BarPlot, LinePlot
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.compare.lattice_panel import LatticePanel
from anonymizer_gui.ui.rooms.microdata.compare.partition_panel import PartitionPanel
from anonymizer_gui.ui.rooms.microdata.compare.split_panel import SplitPanel
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel

LATTICE, MAP, TREE, SIZES, WAY = range(5)
_STEPS_DRAWN = 60


class FoundView(QWidget):
    """Offers the pictures that the run of the selected release has, the most telling first."""

    apply_asked = Signal(object)
    """Carries the (column, level) pairs of a node of the lattice."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self.setObjectName("found_view")
        self.document = document
        self._release: Release | None = None
        self.words = name_widget(QLabel(wordWrap=True), "found_words")
        self.kinds = name_widget(QTabBar(), "found_kinds")
        self.lattice = LatticePanel(document)
        self.map = PartitionPanel(document)
        self.tree = SplitPanel(document)
        self.sizes = ChartPanel(document.drawing, "class_sizes")
        self.way = ChartPanel(document.drawing, "loss_by_checks")
        self._build()
        self._connect()

    def show_release(self, release: Release) -> None:
        """Show how a release was found; what is drawn already stays as it is."""
        is_other = self._release is None or release.table is not self._release.table
        self._release = release
        if is_other:
            self._offer(release)
        self._show_kind()

    def _build(self) -> None:
        self.kinds.setDocumentMode(True)
        self.kinds.setDrawBase(False)
        self.kinds.setExpanding(False)
        self.kinds.setAccessibleName(tr("Picture"))
        self._stack = QStackedWidget()
        for widget in (self.lattice, self.map, self.tree, self.sizes, self.way):
            self._stack.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.addWidget(self.kinds)
        layout.addWidget(self.words)
        layout.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.kinds.currentChanged.connect(self._show_kind)
        self.lattice.apply_asked.connect(self.apply_asked)

    def _offer(self, release: Release) -> None:
        """Name the pictures there are; the kind that was looked at stays if the release has it."""
        before = self.kinds.tabData(self.kinds.currentIndex()) if self.kinds.count() else -1
        self.kinds.blockSignals(True)
        while self.kinds.count():
            self.kinds.removeTab(0)
        titles = {
            LATTICE: tr("Lattice"),
            MAP: tr("Map of Partitions"),
            TREE: tr("Tree of Splits"),
            SIZES: tr("Class Sizes"),
            WAY: tr("Loss by Checks"),
        }
        for kind in self._kinds_of(release):
            self.kinds.setTabData(self.kinds.addTab(titles[kind]), kind)
        kinds = [self.kinds.tabData(i) for i in range(self.kinds.count())]
        self.kinds.setCurrentIndex(kinds.index(before) if before in kinds and before == SIZES else 0)
        self.kinds.blockSignals(False)

    def _kinds_of(self, release: Release) -> list[int]:
        if self._source_of_lattice(release) is not None:
            return [LATTICE, SIZES, MAP]
        if has_steps(release):
            return [TREE, MAP, SIZES] if is_specialization(release) else [MAP, TREE, SIZES]
        return [WAY, SIZES, MAP] if _has_way(release) else [SIZES, MAP]

    def _source_of_lattice(self, release: Release) -> Release | None:
        """Give the release whose search shows this one: itself, or for levels by hand the latest with these columns."""
        if isinstance(release.recoding.search, Lattice):
            return release
        if _told_levels(release) is None:
            return None
        quasi = release.project.schema.names(Role.QI)
        others: tuple[Release, ...] = self.document.releases
        for other in reversed(others):
            if isinstance(other.recoding.search, Lattice) and other.recoding.search.columns == quasi:
                return other
        return None

    def _show_kind(self) -> None:
        release = self._release
        kind = self.kinds.tabData(self.kinds.currentIndex()) if self.kinds.count() else None
        if release is None or kind is None:
            return
        self._stack.setCurrentIndex(kind)
        show = {LATTICE: self._show_lattice, MAP: self._show_map, TREE: self._show_tree, SIZES: self._show_sizes}
        {**show, WAY: self._show_way}[kind](release)

    def _show_lattice(self, release: Release) -> None:
        source = self._source_of_lattice(release)
        if source is None or not isinstance(source.recoding.search, Lattice):
            return
        lattice = source.recoding.search
        levels = None if source is release else _told_levels(release)
        node = lattice.chosen if levels is None else node_with(lattice, levels)
        self.lattice.show_lattice(lattice, source.project, int(node))
        words = self.lattice.explain()
        if levels is not None:
            words = tr("Levels chosen by hand, shown in the lattice of “{name}”.", name=source.name) + " " + words
        self._say(words)

    def _show_map(self, release: Release) -> None:
        self.map.show_release(release)
        self._say(tr("Each box holds the rows published alike in these two columns."))

    def _show_tree(self, release: Release) -> None:
        self.tree.show_release(release)
        self._say(
            tr("The table was split step by step while every part satisfied the goals; the ends are its classes.")
        )

    def _show_sizes(self, release: Release) -> None:
        sizes, are_people = class_sizes(release.measured.class_heads), release.measured.people is not None
        series = {tr("Classes"): sizes.classes}
        unit = tr("People in the class") if are_people else tr("Rows in the class")
        self.sizes.show_plot(BarPlot(tr("Sizes of the classes"), sizes.labels, series, x=unit, y=tr("Classes")))
        average = format_decimal(int(release.measured.class_heads.sum()) / max(release.measured.classes, 1), 1)
        self._say(
            tr(
                "{classes:class|classes}; the smallest has {k:person|people}, the average one {average}."
                if are_people
                else "{classes:class|classes}; the smallest has {k:row|rows}, the average one {average}.",
                classes=format_integer(release.measured.classes),
                k=format_integer(release.measured.k),
                average=average,
            )
        )

    def _show_way(self, release: Release) -> None:
        way = release.recoding.search
        if not isinstance(way, SearchCurve):
            return
        first, last, steps = way.steps[0], way.steps[-1], _drawn(way.steps)
        series = {tr("Loss reached"): [step.loss for step in steps]}
        if way.bound is not None:
            series[tr("No recoding loses less")] = [way.bound] * len(steps)
        at = [step.checks for step in steps]
        self.way.show_plot(LinePlot(tr("Loss by checks"), at, series, tr("Checks"), tr("Loss (LM)"), shares=True))
        told = tr(
            "The loss fell from {first} to {last} in {checks:check|checks}; then nothing more was found."
            if way.is_exhausted
            else "The loss fell from {first} to {last} in {checks:check|checks}; more checks may find less.",
            first=format_percent(first.loss, 2),
            last=format_percent(last.loss, 2),
            checks=format_integer(last.checks),
        )
        bound = (
            ""
            if way.bound is None
            else tr("It is proven that nothing is below {bound}.", bound=format_percent(way.bound, 2))
        )
        self._say(f"{told} {bound}".strip())

    def _say(self, words: str) -> None:
        notes = self._release.notes if self._release is not None else ()
        self.words.setText("\n".join([words, *map(tr, notes)]))


def _drawn(steps: Sequence[SearchStep]) -> list[SearchStep]:
    """Choose the steps that are drawn: more of the first ones, in which the loss falls most, than of later ones."""
    shares = ((number / _STEPS_DRAWN) ** 2 for number in range(_STEPS_DRAWN + 1))
    places = {bisect_left(steps, share * steps[-1].checks, key=lambda step: step.checks) for share in shares}
    return [steps[place] for place in sorted(places)]


def _has_way(release: Release) -> bool:
    way = release.recoding.search
    return isinstance(way, SearchCurve) and len(way.steps) > 2 and way.steps[0].loss > way.steps[-1].loss


def _told_levels(release: Release) -> Mapping[str, int] | None:
    """Give the levels that were chosen by hand; None where they were found."""
    return None if release.project.algorithm is None else release.project.algorithm.told_levels()
