"""k-anonymity is reached and attacked, and why k is not enough; with diversity the same attack finds nobody."""

from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.rooms.microdata.risk.page import RiskPage
from anonymizer_gui.ui.shell.main_window import MainWindow

_K, _L = 3, 3
_ATTACK = "homogeneity"


def attack_steps() -> tuple[TourStep, ...]:
    """Protect by k alone, run, attack; ask for diversity, run, attack again."""
    return (*_by_k_alone(), *_by_diversity())


def _by_k_alone() -> tuple[TourStep, ...]:
    return (
        TourStep(
            "protect",
            tr("Protect"),
            tr(
                "We ask that every row looks like at least {others} others: our neighbour hides among them.",
                others=_K - 1,
            ),
            _ask_for_k,
            "goal_k",
        ),
        TourStep(
            "result",
            tr("Result"),
            tr("After a run the figures say in words how the release stands, before anything leaves the house."),
            _run,
            "result_figures",
        ),
        TourStep(
            "attack",
            tr("Attack: k is not enough"),
            tr(
                "Nobody can tell the rows of a class apart. "
                "But where all of them have the same diagnosis, one need not."
            ),
            _attack,
            "attack_bench",
            tell=_tell_hits,
        ),
    )


def _by_diversity() -> tuple[TourStep, ...]:
    return (
        TourStep(
            "diversity",
            tr("Diversity"),
            tr("So every class must also have {l} different diagnoses. We add that goal and run again.", l=_L),
            _ask_for_diversity,
            f"goal_{DistinctLDiversity.name}",
        ),
        TourStep(
            "attack_again",
            tr("Attack again"),
            tr("The same attack on the new release."),
            _attack,
            "attack_bench",
            tell=_tell_hits,
        ),
    )


def _ask_for_k(window: MainWindow) -> None:
    window.go_to("protect")
    window.document.edit(
        tr("Set the goals of the tour"), goals=(KAnonymity(k=_K),), algorithm=BestLoss(), suppression=0.05
    )


def _run(window: MainWindow) -> None:
    window.go_to("protect")
    window.commands.qt["protect.run"].trigger()


def _ask_for_diversity(window: MainWindow) -> None:
    window.go_to("protect")
    window.document.edit(tr("Set the goals of the tour"), goals=(KAnonymity(k=_K), DistinctLDiversity(l=_L)))
    _run(window)


def _attack(window: MainWindow) -> None:
    window.go_to("risk")
    page = window.pages.page("risk")
    if isinstance(page, RiskPage):
        page.tabs.setCurrentIndex(1)
        page.bench.choose(_ATTACK)


def _tell_hits(window: MainWindow) -> str:
    page = window.pages.page("risk")
    both = page.bench.found(_ATTACK) if isinstance(page, RiskPage) else None
    if both is None:
        return ""
    if not both.after.hit:
        return tr(
            "It finds out about nobody: no class agrees in a sensitive value any more. "
            "Other attacks of the list need other goals."
        )
    return tr(
        "{people:person’s diagnosis is|people’s diagnoses are} known that way, though their rows cannot be told apart.",
        people=both.after.hit,
    )
