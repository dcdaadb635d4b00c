"""Protect page: publication model, k, method, costs."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, CLOAK, WAYS, Algorithm, methods_of
from anonymizer_gui.engine.rooms.places.algorithms.mix_zones import MixZones
from anonymizer_gui.engine.rooms.places.algorithms.trajectories import NeverWalkAlone, TileGeneralisation
from anonymizer_gui.engine.rooms.places.sweep import (
    CloakCost,
    MixCost,
    TileCost,
    TimeCost,
    cloak_costs,
    mix_costs,
    numeric_parameters,
    sweep_parameter,
    tile_costs,
    time_costs,
)
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.charts.plots import BarPlot, LinePlot, Plot
from anonymizer_gui.ui.i18n import error_text, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.places.figures import format_metres, has_places, places_of, release_figures, release_of
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow
from anonymizer_gui.ui.widgets.layout import scroll_column, section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.method_form import MethodForm
from anonymizer_gui.ui.widgets.sweep import ParameterSweepDialog
from anonymizer_gui.workspace.batch_run import BatchRun
from anonymizer_gui.workspace.document import Document

_HOUR = 3600.0


def cost_plot(found: Sequence[Any]) -> Plot | None:
    """Draw the curve over k, or both kinds of time beside each other."""
    if not found:
        return None
    if isinstance(found[0], TimeCost):
        return BarPlot(
            tr("Tracks lost in relative and in absolute time"), [_time(cost.time) for cost in found],
            {tr("lost"): [cost.lost for cost in found]}, "", "", shares=True,
        )  # fmt: skip
    if isinstance(found[0], TileCost):
        losses = {tr("loss"): [cost.loss for cost in found], tr("deleted"): [cost.deleted for cost in found]}
        return LinePlot(tr("Loss against k"), [cost.k for cost in found], losses, "k", "")
    if isinstance(found[0], MixCost):
        sets = {
            tr("as it looks"): [cost.nominal for cost in found],
            tr("under timing and turns"): [cost.effective for cost in found],
        }
        return LinePlot(
            tr("Size of a set against the number of zones"), [c.zones for c in found], sets, tr("Zones"), tr("People")
        )
    costs: list[CloakCost] = list(found)
    at = [cost.k for cost in costs]
    if any(cost.median_wait for cost in costs):
        waits = {tr("median"): [cost.median_wait / _HOUR for cost in costs]}
        return LinePlot(tr("Waiting against k"), at, waits, "k", tr("Hours"))
    sides = {tr("median"): [cost.median_side for cost in costs], tr("one in ten"): [cost.p90_side for cost in costs]}
    return LinePlot(tr("Side of a region against k"), at, sides, "k", tr("Metres"))


def cost_text(found: Sequence[Any]) -> str:
    """Say what the chart shows."""
    if not found:
        return ""
    if isinstance(found[0], TimeCost):
        parts = [
            tr("{time}: {lost} of the tracks are lost, the others moved by {far} on average.", time=_time(cost.time),
               lost=format_percent(cost.lost), far=format_metres(cost.displacement))
            for cost in found
        ]  # fmt: skip
        return " ".join(parts)
    if isinstance(found[0], TileCost):
        return tr("The more people must fit, the coarser tiles and slots become, and the more visits are deleted.")
    if isinstance(found[0], MixCost):
        last_mix: MixCost = found[-1]
        return tr(
            "More zones change pseudonyms more often and silence more: {zones:zone silences|zones silence} {share} of "
            "the points.",
            zones=last_mix.zones, share=format_percent(last_mix.silent),
        )  # fmt: skip
    last: CloakCost = found[-1]
    return tr(
        "The more people must fit, the larger the region or the longer the wait: k = {k} takes {side} in the middle; "
        "{share} of the users send a region that k users send.",
        k=last.k, side=format_metres(last.median_side), share=format_percent(last.reciprocal),
    )  # fmt: skip


def _time(name: str) -> str:
    return tr("Relative time") if name == "relative" else tr("Absolute time")


class ProtectPage(Page):
    """Way, k and method at the left, what they cost at the right, the figures of the last run below."""

    name = "protect"
    title = "Protect"
    order = 30
    icon = "protect"
    help = "places/protect"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there is a release of these settings."""
        if not has_places(document):
            return StepStatus(StepState.EMPTY, tr("Open places first."))
        release = release_of(document)
        if release is None:
            return StepStatus(StepState.READY, tr("Ready to run"))
        if document.finished.is_stale(release):
            return StepStatus(StepState.STALE, tr("Settings have changed since the run"))
        return StepStatus(StepState.DONE, tr("Protected"))

    def run(self) -> None:
        """Make a release."""
        if self.run_button.isEnabled():
            project = self.document.project
            self.document.run(on_error=self._on_error, name=f"{tr(project.algorithm.title)}, k = {project.k}")

    def sweep(self) -> None:
        """Ask what varies, then make a release for each value."""
        choices = [("", param) for param in numeric_parameters(self.document.project)]
        dialog = ParameterSweepDialog(choices, self, tr("Result"))
        dialog.chosen.connect(
            lambda varied, values: self.runs.start(sweep_parameter(self.document.project, varied[1], values))
        )
        dialog.open()

    def _build(self) -> None:
        self.runs = BatchRun(self.document, self)
        self.way = name_widget(QComboBox(), "way", spoken=tr("What leaves"))
        there = {kind.way for kind in ALGORITHMS}
        for name, words in WAYS.items():
            if name in there:
                self.way.addItem(tr(words), name)
        self.k = name_widget(QSpinBox(minimum=1, maximum=1_000_000), "k", spoken=tr("People who must fit (k)"))
        self.method = name_widget(QComboBox(), "method", spoken=tr("Method"))
        self.about = name_widget(QLabel(wordWrap=True), "about_method")
        self.parameters = MethodForm()
        self.costs = ChartPanel(self.document.drawing, "costs_chart")
        self.cost_words = name_widget(QLabel(wordWrap=True), "cost_words")
        self.run_button = name_widget(QPushButton(tr("Protect"), default=True), "run_places")
        self.sweep_button = name_widget(
            QPushButton(tr("Sweep…")), "sweep_places", tip=tr("Vary k or a number of the method")
        )
        self.note, self.figures = InlineMessage(), CardRow()
        self.empty = EmptyState(
            tr("Open places first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="protect"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        settings = QWidget()
        column = QVBoxLayout(settings)
        column.setContentsMargins(0, 0, 0, 0)
        form = QFormLayout()
        for widget in (self.way, self.k, self.method):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            form.addRow(label, widget)
        column.addLayout(form)
        column.addWidget(self.about)
        column.addWidget(self.parameters)
        column.addStretch()
        split = name_widget(QSplitter(childrenCollapsible=False), "protect_places_splitter")
        split.addWidget(scroll_column(section(tr("What must hold, and how"), settings)))
        split.addWidget(section(tr("What it costs"), self.cost_words, self.costs))
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.sweep_button)
        buttons.addStretch()
        buttons.addWidget(self.run_button)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.addWidget(split, 1)
        layout.addWidget(self.note)
        layout.addLayout(buttons)
        layout.addWidget(self.figures)
        return inside

    def _connect(self) -> None:
        self.way.activated.connect(lambda _at: self._on_way())
        self.k.valueChanged.connect(lambda k: self.document.edit(tr("Choose k"), "k", k=k))
        self.method.activated.connect(lambda _at: self._choose(self.method.currentData()))
        self.parameters.changed.connect(self._on_parameter)
        self.parameters.checked.connect(self._show_obstacle)
        self.run_button.clicked.connect(self.run)
        self.sweep_button.clicked.connect(self.sweep)
        self.runs.ended.connect(self._on_ended)

    def _on_way(self) -> None:
        if self.way.currentData() != self.document.project.way:
            self._choose(methods_of(self.way.currentData())[0].name)

    def _choose(self, name: str) -> None:
        kind = ALGORITHMS.get(name)
        if name != self.document.project.algorithm.name:
            self.document.edit(tr("Choose the method {title}", title=tr(kind.title)), algorithm=kind())

    def _show(self, changed: frozenset[str]) -> None:
        places = places_of(self.document)
        self._stack.setCurrentIndex(int(places is not None))
        if places is None:
            return
        project = self.document.project
        self.k.blockSignals(True)
        self.k.setValue(project.k)
        self.k.blockSignals(False)
        if is_affected(changed, "algorithm", "places", "source"):
            self._show_method(project.algorithm)
        if is_affected(changed, "algorithm", "places", "source", "k"):
            self._ask_costs(places)
        release = release_of(self.document)
        self.figures.setVisible(release is not None)
        self.note.show_note("info", "")
        if release is not None:
            self.figures.show_figures(release_figures(release))
            self.note.show_note("info", " ".join(tr(note) for note in release.notes))
        self._show_obstacle()

    def _show_obstacle(self) -> None:
        places = places_of(self.document)
        is_timeless = self.document.project.algorithm.needs_time and (places is None or not places.has_time)
        why = self.parameters.error or (tr("These places have no times.") if is_timeless else "")
        for button in (self.run_button, self.sweep_button):
            button.setEnabled(not why)
            button.setToolTip(why)

    def _show_method(self, algorithm: Algorithm) -> None:
        self.way.setCurrentIndex(self.way.findData(algorithm.way))
        self.method.clear()
        for kind in methods_of(algorithm.way):
            self.method.addItem(tr(kind.title), kind.name)
        self.method.setCurrentIndex(self.method.findData(algorithm.name))
        self.about.setText(tr(algorithm.summary))
        self.parameters.show_method(algorithm)

    def _on_parameter(self, algorithm: Any) -> None:
        self.document.edit(tr("Set {title}", title=tr(algorithm.title)), "method", algorithm=algorithm)

    def _ask_costs(self, places: Places) -> None:
        """Have the loss of both kinds of time computed, or region size and waiting for several k."""
        project = self.document.project
        if project.algorithm.needs_time and not places.has_time:
            self.costs.show_plot(None)
            self.cost_words.setText("")
            return
        self.cost_words.setText(tr("Computing what it costs…"))
        self.document.ask(
            "costs of places", _costs, places, project.algorithm, project.k, then=self._on_costs,
            title=tr("Compute what it costs"), failed=lambda error: self.cost_words.setText(error_text(error)),
        )  # fmt: skip

    def _on_costs(self, found: list[Any]) -> None:
        self.costs.show_plot(cost_plot(found))
        self.cost_words.setText(cost_text(found))

    def _on_error(self, error: BaseException) -> None:
        self.note.show_note("bad", error_text(error))

    def _on_ended(self, made: tuple[Any, ...], failed: tuple[Any, ...]) -> None:
        if not made and not failed:
            return
        details = "\n".join(f"{tr(name)}: {error_text(error)}" for name, error in failed)
        text = tr("{made:release was|releases were} made.", made=len(made))
        if failed:
            text += " " + tr("{failed:run|runs} could not reach the goals.", failed=len(failed))
        post = self.document.messages.warning if failed else self.document.messages.success
        post(text, "", details, [(tr("Compare"), lambda: self.go.emit("result"))], key="runs")


def _costs(places: Places, algorithm: Algorithm, k: int, progress: Progress) -> list[Any]:
    if isinstance(algorithm, NeverWalkAlone):
        return time_costs(places, algorithm, k, progress)
    if isinstance(algorithm, TileGeneralisation):
        return tile_costs(places, algorithm, progress)
    if isinstance(algorithm, MixZones):
        return mix_costs(places, algorithm, k, progress)
    return cloak_costs(places, algorithm, progress) if algorithm.way == CLOAK else []


def _action(name: str, title: str, callback: Any, tip: str, icon: str, shortcut: str = "") -> Action:
    return Action(
        f"protect.{name}", title, callback, "Protect", "run", icon, shortcut, tip, has_places, "Open places first.",
        "protect",
    )  # fmt: skip


ACTIONS = (
    _action("run", "Protect Places", lambda page: page.run(), "Make what may leave of the places", "run", "Ctrl+R"),
    _action("sweep", "Sweep…", lambda page: page.sweep(), "Vary k or a number of the method", "utility"),
)
