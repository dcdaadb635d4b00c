"""The chapter of the tour about baskets, on the sample of the market."""

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.shell.main_window import MainWindow

SAMPLE = "market"


def steps() -> tuple[TourStep, ...]:
    """List the stops in order; each assumes the ones before it."""
    return (
        TourStep(
            "baskets",
            tr("Baskets"),
            tr("Purchases, diagnoses, visits: sets of items. Here are the baskets of a small market."),
            _open_sample,
            "baskets",
        ),
        TourStep(
            "baskets_attack",
            tr("Baskets: the attack"),
            tr("Two things seen at the till are enough to find a basket, and with it everything else."),
            lambda window: window.go_to("attack"),
            "rare_sets",
        ),
        TourStep(
            "baskets_protect",
            tr("Baskets: a promise"),
            tr("Whoever knows up to two items shall find five baskets: rare items become groups, a few are deleted."),
            _protect,
            "method",
        ),
        TourStep(
            "baskets_compare",
            tr("Baskets: before and after"),
            tr("What became a group is tinted, what was deleted is struck through; the recount says that it holds."),
            lambda window: window.go_to("compare"),
            "before_after",
        ),
    )


def _open_sample(window: MainWindow) -> None:
    """Open the sample in place of the one before it; the window shows its first page once it is read."""
    window.document.open_project(resource_path("samples", f"{SAMPLE}.anon"), as_copy=True)


def _protect(window: MainWindow) -> None:
    window.go_to("protect")
    window.document.run(name=tr(window.document.project.algorithm.title))
