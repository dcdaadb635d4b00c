"""How a release was found: lattice panel, loss curve, class sizes."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import SearchCurve, SearchStep
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import Lattice
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.equivalence_classes import class_sizes
from anonymizer_gui.engine.rooms.microdata.views.search_trace import (
    MOST_NODES,
    LatticeMap,
    count_states,
    example_of_level,
    has_steps,
    is_specialization,
    layout_lattice,
    node_with,
    search_facts,
    state_of,
)
from anonymizer_gui.ui.charts.plots import BarPlot, LinePlot
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.compare.lattice_view import LatticeLegend, LatticeView, loss_text, state_text
from anonymizer_gui.ui.rooms.microdata.compare.partition_views import PartitionMapPanel, SplitTreePanel
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import breakable, name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel

_LEVEL = 1
"""The place of the level in a row of the details."""


class LatticePanel(QWidget):
    """Shows one lattice; `apply_asked` carries the levels of the node to be applied."""

    apply_asked = Signal(object)
    """Carries the (column, level) pairs of a node."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self.setObjectName("lattice_panel")
        self.document = document
        self._lattice: Lattice | None = None
        self._project: Project | None = None
        self._wanted = -1
        self.view = LatticeView()
        self.legend = LatticeLegend()
        self.only_checked = name_widget(QCheckBox(tr("Only nodes that were checked")), "lattice_only_checked")
        self.title = name_widget(QLabel(wordWrap=True), "node_title")
        self.figures = name_widget(QLabel(wordWrap=True), "node_figures")
        self.note = name_widget(QLabel(wordWrap=True), "node_note")
        self.apply_button = name_widget(QPushButton(tr("Apply This Node")), "apply_node")
        self._build()
        self._connect()

    def show_lattice(self, lattice: Lattice, project: Project, node: int) -> None:
        """Show the lattice of a release made with this project, looking at a node."""
        is_other = lattice is not self._lattice
        self._project, self._lattice = project, lattice
        if is_other:
            self.only_checked.blockSignals(True)
            self.only_checked.setChecked(len(lattice.state) > MOST_NODES)
            self.only_checked.blockSignals(False)
        if self.view.lattice is not lattice:
            self._wanted = node
            self._lay_out()
        elif node != self._wanted:
            self._wanted = node
            self.view.set_current(node)

    def explain(self) -> str:
        """Say in words how the chosen node was found."""
        if self._lattice is None:
            return ""
        found, lattice = search_facts(self._lattice), self._lattice
        words = tr(
            "{checked} of {nodes:node was|nodes were} checked, the others cannot be better; "
            "{satisfied:checked node satisfies|checked nodes satisfy} the goals.",
            checked=format_integer(found.checked),
            nodes=format_integer(found.nodes),
            satisfied=format_integer(found.satisfied),
        )
        if not lattice.complete:
            words = tr("{checked:node was|nodes were} checked.", checked=format_integer(found.checked))
        loss = format_percent(lattice.lm[lattice.chosen], 2)
        if found.proven:
            words += " " + tr("The chosen node loses {loss} (LM); it is proven that none loses less.", loss=loss)
        else:
            bound = format_percent(lattice.bound, 2)
            words += " " + tr(
                "The chosen node loses {loss} (LM); none can lose less than {bound}.", loss=loss, bound=bound
            )
        if found.second >= 0:
            words += " " + tr("The next best loses {loss}.", loss=format_percent(lattice.lm[found.second], 2))
        return words

    def _build(self) -> None:
        splitter = name_widget(QSplitter(), "lattice_splitter")
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._tool_row())
        column.addWidget(self.view, 1)
        column.addWidget(self.legend)
        splitter.addWidget(left)
        splitter.addWidget(self._details())
        splitter.setStretchFactor(0, 1)
        splitter.setCollapsible(0, False)
        unit = self.fontMetrics().height()
        splitter.setSizes([unit * 40, unit * 16])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _tool_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        hint = QLabel(tr("Rows: sum of levels, the most general on top. Further left loses less."))
        hint.setForegroundRole(hint.foregroundRole().PlaceholderText)
        hint.setWordWrap(True)
        row.addWidget(hint, 1)
        row.addWidget(self.only_checked)
        for text, tip, name, action in (
            ("−", tr("Draw the nodes nearer together (-)"), "lattice_zoom_out", lambda: self.view.zoom(-1)),
            ("+", tr("Draw the nodes further apart (+)"), "lattice_zoom_in", lambda: self.view.zoom(1)),
            (tr("Fit"), tr("Show as much as possible (0)"), "lattice_fit", self.view.fit),
        ):
            button = name_widget(QToolButton(), name, tip=tip, spoken=tip)
            button.setText(text)
            button.clicked.connect(action)
            row.addWidget(button)
        return row

    def _details(self) -> QFrame:
        box = name_widget(QFrame(), "node_details")
        box.setFrameShape(QFrame.Shape.StyledPanel)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        for label in (self.title, self.figures, self.note):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setForegroundRole(self.note.foregroundRole().PlaceholderText)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(2, 1)
        self._grid.setHorizontalSpacing(self.fontMetrics().height())
        for place, text in enumerate((tr("Column"), tr("Level"), tr("Such as"))):
            head = self._cell(0, place)
            head.setText(text)
            head.setForegroundRole(head.foregroundRole().PlaceholderText)
        layout = QVBoxLayout(box)
        layout.addWidget(self.title)
        layout.addWidget(self.figures)
        layout.addLayout(self._grid)
        layout.addStretch(1)
        layout.addWidget(self.note)
        layout.addWidget(self.apply_button)
        return box

    def _connect(self) -> None:
        self.only_checked.toggled.connect(self._lay_out)
        self.view.current_changed.connect(self._show_node)
        self.view.activated.connect(lambda _node: self.apply_button.click())
        self.apply_button.clicked.connect(self._on_apply)

    def _lay_out(self) -> None:
        if self._lattice is not None:
            self.legend.show_counts(count_states(self._lattice))
            self.document.ask(
                "lattice",
                layout_lattice,
                self._lattice,
                self.only_checked.isChecked(),
                then=self._on_laid_out,
                title=tr("Lay the lattice out"),
            )

    def _on_laid_out(self, found: LatticeMap) -> None:
        if found.lattice is self._lattice:
            self.view.show_map(found, self._wanted)

    def _show_node(self, node: int) -> None:
        lattice = self._lattice
        if lattice is None:
            return
        state = state_of(lattice, node)
        self.title.setText(state_text(state))
        lines = [loss_text(lattice, node)]
        if lattice.k[node] >= 0:
            lines.append(tr("k = {k}", k=format_integer(lattice.k[node])))
        if lattice.suppressed[node] >= 0:
            lines.append(tr("{count:row|rows} suppressed", count=format_integer(lattice.suppressed[node])))
        self.figures.setText("\n".join(lines))
        self._show_levels(node)
        self.note.setText(_advice(state))

    def _show_levels(self, node: int) -> None:
        assert self._lattice is not None
        levels = self._lattice.levels[node].tolist()
        for row, (name, level) in enumerate(zip(self._lattice.columns, levels, strict=True), start=1):
            tree = self._project.hierarchies.get(name) if self._project is not None else None
            for place, text in enumerate((name, str(level), example_of_level(tree, level))):
                self._cell(row, place).setText(breakable(text))
        for row in range(len(levels) + 1, self._grid.rowCount()):
            for place in range(3):
                self._cell(row, place).clear()

    def _cell(self, row: int, place: int) -> QLabel:
        item = self._grid.itemAtPosition(row, place)
        widget = item.widget() if item is not None else None
        if isinstance(widget, QLabel):
            return widget
        label = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=place != _LEVEL)
        self._grid.addWidget(label, row, place)
        return label

    def _on_apply(self) -> None:
        node = self.view.current
        if self._lattice is not None and node >= 0:
            levels = self._lattice.levels[node].tolist()
            self.apply_asked.emit(tuple(zip(self._lattice.columns, levels, strict=True)))


def _advice(state: str) -> str:
    return {
        "chosen": tr("This node is the one that was published."),
        "satisfied": tr("Applying it makes a release with these levels."),
        "violated": tr("Its classes violate the goals; applying it says which."),
        "pruned": tr("It was left out of the search; applying it tells whether it satisfies."),
    }[state]


LATTICE, MAP, TREE, SIZES, WAY = range(5)

_STEPS_DRAWN = 60


class SearchView(QWidget):
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
        self.map = PartitionMapPanel(document)
        self.tree = SplitTreePanel(document)
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
