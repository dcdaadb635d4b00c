"""The curve of privacy against loss grows, every algorithm is tried, and one release is looked at closely."""

from PySide6.QtWidgets import QTabWidget

from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.ui.i18n import format_percent, tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.shell.main_window import MainWindow

_CURVE = (2, 3, 5, 10, 20, 50)


def choosing_steps() -> tuple[TourStep, ...]:
    """Sweep k, try every algorithm, see how one was found, and look at the rows."""
    return (
        TourStep(
            "curve",
            tr("The price of k"),
            tr("The same goals with k from {least} to {most}: point by point the curve grows.", least=2, most=50),
            _grow,
            "trade_off_chart_panel",
            tell=_tell_price,
        ),
        TourStep(
            "compare",
            tr("Compare"),
            tr("We try every algorithm; the best trade-offs between privacy and loss stand out."),
            _try_all,
            "release_table",
        ),
        TourStep(
            "search",
            tr("How it was found"),
            tr("For bottom-up every combination of levels that was looked at can be seen, and another one chosen."),
            _look_at_the_search,
        ),
        TourStep(
            "side_by_side",
            tr("Side by side"),
            tr("Original and release next to each other: what changed is tinted, what is suppressed is marked."),
            _look_at_the_best,
            "side_tables",
        ),
    )


def _grow(window: MainWindow) -> None:
    window.go_to("protect")
    goals = (KAnonymity(k=5), DistinctLDiversity(l=3))
    window.document.edit(tr("Set the goals of the tour"), goals=goals, algorithm=BottomUp())
    page = window.pages.page("protect")
    if isinstance(page, ProtectPage):
        page.series.sweep(0, "k", _CURVE)
    _tab(window, "compare", 0)


def _tell_price(window: MainWindow) -> str:
    measured = [release.measured for release in window.document.releases[-len(_CURVE) :]]
    losses = [each.lm for each in measured if each.lm is not None]
    if len(losses) < len(_CURVE):
        return ""
    return tr(
        "More privacy costs more: the loss rises from {low} to {high}.",
        low=format_percent(losses[0]),
        high=format_percent(losses[-1]),
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
    """Select the last release of an algorithm that was made with the present goals."""
    for release in window.document.releases:
        made = release.project
        if (
            made.algorithm is not None
            and made.algorithm.name == algorithm
            and made.goals == window.document.project.goals
        ):
            window.document.finished.select(release)


def _tab(window: MainWindow, page: str, place: int) -> None:
    window.go_to(page)
    tabs = window.pages.page(page).findChild(QTabWidget)
    if tabs is not None and place < tabs.count():
        tabs.setCurrentIndex(place)
