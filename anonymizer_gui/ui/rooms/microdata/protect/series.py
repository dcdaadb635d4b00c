"""Several runs in a row: every algorithm, or a range of values; named, counted, and told about when they are over."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject

from anonymizer_gui.engine.core.errors import AnonymizerError, ResourcesExceeded
from anonymizer_gui.engine.room import Attempt
from anonymizer_gui.engine.rooms.microdata.algorithms.objectives import OBJECTIVES
from anonymizer_gui.engine.rooms.microdata.recoding import LEAST_LOSS
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.sweep import (
    best_release,
    least_loss_release,
    ranking_objective,
    sweep_algorithms,
    sweep_parameter,
)
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.workspace.batch_run import BATCH_MESSAGE, BatchRun
from anonymizer_gui.workspace.messages import Message


class Series(QObject):
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
        tell_too_much(self._document, error, lambda: self.runs.start(left, try_anyway=True))


def tell_too_much(document: MicrodataDocument, error: ResourcesExceeded, run_anyway: Callable[[], None]) -> None:
    """Say that memory or time will not suffice, and offer to try it all the same."""
    document.messages.warning(error.message, error.hint, actions=[(tr("Run Anyway"), run_anyway)], key="too much")
