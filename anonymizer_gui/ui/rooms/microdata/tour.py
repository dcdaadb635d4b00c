"""The chapter of the tour about microdata, on the hospital sample."""

from PySide6.QtWidgets import QTabWidget

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice.bottom_up import BottomUp
from anonymizer_gui.engine.rooms.microdata.privacy.distinct_l import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.privacy.k_anonymity import KAnonymity
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.tour.step import Step

SAMPLE = "hospital"


def steps() -> tuple[Step, ...]:
    """List the stops in order; each assumes the ones before it."""
    return (*_up_to_the_run(), *_comparing(), *_judging())


def _up_to_the_run() -> tuple[Step, ...]:
    return (
        Step(
            "data",
            tr("Data"),
            tr("Every column has a role: identifiers go, quasi-identifiers are generalised, sensitive ones protected."),
            _open_sample,
            "data_table",
        ),
        Step(
            "hierarchies",
            tr("Hierarchies"),
            tr("Each quasi-identifier has a tree that says how its values become coarser, step by step."),
            lambda window: window.go_to("hierarchies"),
            "hierarchy_tree",
        ),
        Step(
            "protect",
            tr("Protect"),
            tr("We ask that every row looks like at least 4 others, and that every class has 3 different diagnoses."),
            _set_goals,
            "goal_k",
        ),
        Step(
            "result",
            tr("Result"),
            tr("After a run the figures say in words how the release stands, before anything leaves the house."),
            lambda window: window.commands.qt["protect.run"].trigger(),
            "result_figures",
        ),
    )


def _comparing() -> tuple[Step, ...]:
    return (
        Step(
            "compare",
            tr("Compare"),
            tr("We try every algorithm; the best trade-offs between privacy and loss stand out."),
            _try_all,
        ),
        Step(
            "search",
            tr("How it was found"),
            tr("For bottom-up every combination of levels that was looked at can be seen, and another one chosen."),
            _look_at_the_search,
        ),
        Step(
            "side_by_side",
            tr("Side by side"),
            tr("Original and release next to each other: what changed is tinted, what is suppressed is marked."),
            _look_at_the_best,
        ),
    )


def _judging() -> tuple[Step, ...]:
    return (
        Step(
            "risk",
            tr("Risk"),
            tr("How easily somebody could be picked out, before and after, and what known attacks would find."),
            lambda window: window.go_to("risk"),
            "result_figures",
        ),
        Step(
            "utility",
            tr("Utility"),
            tr("What the release is still good for: distributions, count queries, and learning from it."),
            lambda window: window.go_to("utility"),
        ),
        Step(
            "release",
            tr("Release"),
            tr("A checklist must be green. Every export is read back, measured again and certified."),
            lambda window: window.go_to("release"),
            "checklist",
        ),
    )


def _open_sample(window: MainWindow) -> None:
    window.files.open_sample(resource_path("samples", f"{SAMPLE}.anon"))
    window.go_to("data")


def _set_goals(window: MainWindow) -> None:
    window.go_to("protect")
    window.document.edit(
        tr("Set the goals of the tour"),
        goals=(KAnonymity(k=5), DistinctLDiversity(l=3)),
        algorithm=BottomUp(),
        suppression=0.05,
    )


def _try_all(window: MainWindow) -> None:
    window.commands.qt["protect.try_all"].trigger()
    _tab(window, "compare", 0)


def _look_at_the_search(window: MainWindow) -> None:
    window.document.messages.clear_told()  # which release is the best
    _select(window, "bottom-up")
    _tab(window, "compare", 1)


def _look_at_the_best(window: MainWindow) -> None:
    _select(window, "best-loss")
    _tab(window, "compare", 2)


def _select(window: MainWindow, algorithm: str) -> None:
    for release in window.document.releases:
        if release.project.algorithm is not None and release.project.algorithm.name == algorithm:
            window.document.finished.select(release)


def _tab(window: MainWindow, page: str, place: int) -> None:
    window.go_to(page)
    tabs = window.pages.page(page).findChild(QTabWidget)
    if tabs is not None and place < tabs.count():
        tabs.setCurrentIndex(place)
