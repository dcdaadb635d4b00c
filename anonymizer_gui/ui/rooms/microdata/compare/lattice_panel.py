"""The lattice of a search with what is known of the node looked at, and the button that applies it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import Lattice
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.views.search_trace import (
    MOST_NODES,
    LatticeMap,
    count_states,
    example_of_level,
    layout_lattice,
    search_facts,
    state_of,
)
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.compare.lattice_marks import LatticeLegend, loss_words, state_words
from anonymizer_gui.ui.rooms.microdata.compare.lattice_view import LatticeView
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import breakable, name_widget

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
        self.title.setText(state_words(state))
        lines = [loss_words(lattice, node)]
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
