"""Try all algorithms, sweep a goal, alternatives for sets."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError, ResourcesExceeded
from anonymizer_gui.engine.core.params import Float, Int, params_of
from anonymizer_gui.engine.room import Attempt
from anonymizer_gui.engine.rooms.microdata.algorithms.objectives import OBJECTIVES
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel, set_requirements
from anonymizer_gui.engine.rooms.microdata.recoding import LEAST_LOSS
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.sweep import (
    SetAlternative,
    best_release,
    least_loss_release,
    ranking_objective,
    run_set_alternatives,
    sweep_algorithms,
    sweep_parameter,
)
from anonymizer_gui.ui.dialogs.alternatives import AlternativesDialog, AlternativesTexts
from anonymizer_gui.ui.i18n import error_text, format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.sweep import ParameterSweepDialog
from anonymizer_gui.workspace.batch_run import BATCH_MESSAGE, BatchRun
from anonymizer_gui.workspace.jobs import Work
from anonymizer_gui.workspace.messages import Message


class SetAlternativesDialog(AlternativesDialog):
    """A row for each way; the chosen one becomes the goal of the project."""

    name: ClassVar[str] = "set_ways"
    words: ClassVar[AlternativesTexts] = AlternativesTexts(
        title="Ways to Protect Sets",
        about="A class of few rows cannot carry varied sets. A row is exposed when fewer than k rows fit its class "
        "together with the items that somebody may know; parts that are safe alone may leave most rows exposed.",
        head=("Way", "Exposed rows", "Loss of the classes", "Loss of the sets"),
        spoken="Ways and what they lose",
        job="Try ways for sets",
        waiting="Trying the ways…",
        take="Take This Way",
    )
    lines: ClassVar[tuple[int, int]] = (58, 24)

    def work(self, document: MicrodataDocument) -> tuple[Work, *tuple[Any, ...]]:
        """Try the ways on the table."""
        return run_set_alternatives, document.table, document.project, document.population

    def row(self, way: SetAlternative) -> tuple[str, ...]:
        """Tell a way, the rows it leaves exposed, and what it loses."""
        if way.problem is not None or way.exposed is None:
            return tr(way.title), tr("not possible"), "", tr(way.problem.message) if way.problem else ""
        share = tr("{rows} ({share})", rows=format_integer(way.exposed.rows), share=format_percent(way.exposed.share))
        return tr(way.title), share, _percent(way.of_classes), _percent(way.of_sets)

    def taken(self, way: SetAlternative) -> SetAlternative | None:
        """Give the way where it is possible."""
        return way if way.problem is None else None


class SetAlternativesButton(QPushButton):
    """The button that is there where a quasi-identifier is a set; the way that is taken is run at once."""

    taken = Signal()

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__(tr("Ways for Sets…"))
        name_widget(self, "set_ways_button")
        self._document = document
        tip = tr("Larger classes, fewer known items or two unlinked files: see what each loses")
        for tell in (self.setToolTip, self.setStatusTip, self.setWhatsThis):
            tell(tip)
        self.clicked.connect(self.ask)

    def show_project(self) -> None:
        """Be there where the project has sets."""
        self.setVisible(bool(self._document.project.schema.sets))

    def ask(self) -> None:
        """Try the ways and let one be chosen."""
        dialog = SetAlternativesDialog(self._document, self.window())
        dialog.chosen.connect(self._take)
        dialog.open()

    def _take(self, way: SetAlternative) -> None:
        self._document.edit(tr("Protect sets: {way}", way=tr(way.title)), goals=way.project.goals)
        self.taken.emit()


def unprotected_sets(document: MicrodataDocument) -> str:
    """Say that sets are quasi-identifiers and no goal protects them; nothing when all is well."""
    project = document.project
    if not project.schema.sets or set_requirements(project.goals):
        return ""
    return tr("No goal protects the sets of “{column}”: add (k, k^m)-anonymity.", column=project.schema.sets[0])


def _percent(loss: float | None) -> str:
    return "–" if loss is None else format_percent(loss)


class GoalSweepDialog(ParameterSweepDialog):
    """Lets the user choose a number of a goal and the values it takes."""

    goal_chosen = Signal(int, str, object)
    """Carries the place of the goal, the name of its parameter, and the values."""

    def __init__(self, goals: Sequence[PrivacyModel], parent: QWidget | None = None) -> None:
        numbers = [
            (str(place), replace(param, default=getattr(goal, param.name)))
            for place, goal in enumerate(goals)
            for param in params_of(type(goal))
            if isinstance(param.kind, Int | Float)
        ]
        super().__init__(numbers, parent, titles={str(place): tr(goal.title) for place, goal in enumerate(goals)})
        self.setObjectName("sweep_dialog")
        self.chosen.connect(lambda what, values: self.goal_chosen.emit(int(what[0]), what[1].name, values))


class MicrodataBatch(QObject):
    """Starts several runs; of those with equal goals the one that loses least is selected in the end."""

    def __init__(self, document: MicrodataDocument, to_compare: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._to_compare = to_compare
        self._selects_best = False
        self._swept: tuple[int, str, float] | None = None
        self._known: tuple[Release, ...] = ()
        self.runs = BatchRun(document, self)
        self.runs.ended.connect(self._on_ended)
        self.runs.refused.connect(self._on_refused)

    def try_all(self) -> None:
        """Run every algorithm with the same goals; one that was run so already is not run again."""
        self._selects_best, self._swept = True, None
        attempts = sweep_algorithms(self._document.project)
        asked = [attempt.project for attempt in attempts]
        self._known = tuple(release for release in self._document.releases if release.project in asked)
        made = [release.project for release in self._known]
        if all(project in made for project in asked):
            self._tell_best(tr("Nothing new to try."), self._known, self._document.messages.info)
        else:
            self._start([attempt for attempt in attempts if attempt.project not in made])

    def sweep(self, goal: int, parameter: str, values: tuple[Any, ...]) -> None:
        """Run a range of values of a parameter of a goal."""
        self._selects_best, self._known = False, ()
        self._swept = goal, parameter, getattr(self._document.project.goals[goal], parameter)
        self._start(sweep_parameter(self._document.project, goal, parameter, values))

    def _start(self, attempts: Sequence[Attempt]) -> None:
        named = []
        for place, attempt in enumerate(attempts, start=1):
            name = tr(attempt.name)
            title = tr("{name} ({place} of {count})", name=name, place=place, count=len(attempts))
            named.append(replace(attempt, name=name, title=title))
        self.runs.start(named)

    def _on_ended(self, made: tuple[Release, ...], failed: tuple[tuple[str, AnonymizerError], ...]) -> None:
        if not made and not failed:
            return
        text = tr("{made:release was|releases were} made.", made=len(made))
        if failed:
            text += " " + tr("{failed:run|runs} could not reach the goals.", failed=len(failed))
        post = self._document.messages.warning if failed else self._document.messages.success
        details = "\n".join(f"{name}: {error_text(error)}" for name, error in failed)
        self._tell_best(text, (*self._known, *made), post, details)

    def _tell_best(
        self, text: str, releases: tuple[Release, ...], post: Callable[..., Message], details: str = ""
    ) -> None:
        objective, target = ranking_objective(self._document.project)
        table = self._document.table
        if not self._selects_best or objective == LEAST_LOSS or table is None or len(releases) < 2:
            self._tell(text, releases, post, details, least_loss_release(releases) if self._selects_best else None)
            return
        self._document.jobs.start(
            tr("Comparing the releases"),
            lambda progress: best_release(objective, target, releases, table, progress),
            on_done=lambda best: self._tell(text, releases, post, details, best),
            replace_key="best of several",
        )

    def _tell(
        self,
        text: str,
        releases: tuple[Release, ...],
        post: Callable[..., Message],
        details: str,
        best: Release | None,
    ) -> None:
        nearest = self._nearest(releases)
        if nearest is not None:
            self._document.finished.select(nearest)
            text += " " + tr("“{name}” is nearest to your settings and is selected.", name=nearest.name)
        if best is not None:
            self._document.finished.select(best)
        if best is not None and len(releases) > 1:
            text += " " + self._why(best)
        post(text, "", details, [(tr("Compare"), self._to_compare)], key=BATCH_MESSAGE)

    def _why(self, best: Release) -> str:
        objective = ranking_objective(self._document.project)[0]
        if objective == LEAST_LOSS:
            return tr("“{name}” loses least and is selected.", name=best.name)
        title = tr(OBJECTIVES[objective].title)
        return tr("“{name}” is best by {objective} and is selected.", name=best.name, objective=title)

    def _nearest(self, releases: tuple[Release, ...]) -> Release | None:
        """Give the release of a sweep that is nearest to what is asked for on the page."""
        if self._swept is None:
            return None
        goal, parameter, asked = self._swept
        return min(releases, key=lambda made: abs(getattr(made.project.goals[goal], parameter) - asked), default=None)

    def _on_refused(self, error: ResourcesExceeded, left: tuple[Attempt, ...]) -> None:
        report_too_large(self._document, error, lambda: self.runs.start(left, try_anyway=True))


def report_too_large(document: MicrodataDocument, error: ResourcesExceeded, run_anyway: Callable[[], None]) -> None:
    """Say that memory or time will not suffice, and offer to try it all the same."""
    document.messages.warning(error.message, error.hint, actions=[(tr("Run Anyway"), run_anyway)], key="too much")
