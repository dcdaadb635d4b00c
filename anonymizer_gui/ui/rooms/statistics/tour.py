"""The chapter of the tour about statistics, on the practice sample."""

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.rooms.statistics.checker_page import MechanismCheckerPage
from anonymizer_gui.ui.rooms.statistics.models_page import ModelsPage
from anonymizer_gui.ui.shell.main_window import MainWindow

SAMPLE, MODELS = "practice", "practice_models"


def steps() -> tuple[TourStep, ...]:
    """List the stops in order; each assumes the ones before it."""
    return (
        TourStep(
            "statistics",
            tr("Statistics"),
            tr("Where no rows may leave, numbers do. First we say who is protected, and what all of it may cost."),
            lambda window: _open(window, SAMPLE),
            "unit_sentence",
        ),
        TourStep(
            "statistics_plan",
            tr("Statistics: the plan"),
            tr("Each question says how far one person can move it, what hides that, and what it costs."),
            lambda window: window.go_to("plan"),
            "plan_table",
        ),
        TourStep(
            "statistics_preview",
            tr("Statistics: a preview"),
            tr("Possible releases on simulated numbers: choose epsilon, or the error you can live with."),
            lambda window: window.go_to("preview"),
            "possible_releases",
        ),
        _models(),
        TourStep(
            "statistics_attacks",
            tr("Statistics: the attack bench"),
            tr("Two exact averages reveal one salary; with noise from the plan they do not."),
            lambda window: window.go_to("bench"),
            "differencing_chart",
        ),
        TourStep(
            "statistics_checker",
            tr("Statistics: is this DP?"),
            tr("A small mechanism is proven private, or two tables refute it. A fixed shift hides nobody."),
            _check_a_shift,
            "argument",
        ),
        *_made_of_noise(),
    )


def _made_of_noise() -> tuple[TourStep, ...]:
    """Stop at what is more than numbers: a synthetic table, clusters, a model."""
    return (
        TourStep(
            "statistics_made",
            tr("Statistics: tables, clusters and models"),
            tr("A synthetic table, clusters and a model are questions like any other, and share one budget."),
            lambda window: _open(window, MODELS),
            "unit_sentence",
        ),
        TourStep(
            "statistics_synthetic",
            tr("Statistics: a synthetic table"),
            tr("Made-up rows beside the visits: about the same columns and pairs of columns, and no row is a person."),
            _run_and_compare,
            "likeness_pairs",
        ),
        TourStep(
            "statistics_clusters",
            tr("Statistics: clusters"),
            tr("Seen ahead on simulated points: centres with and without noise, and what each epsilon loses."),
            _show_clusters,
            "clusters_map",
        ),
    )


def _run_and_compare(window: MainWindow) -> None:
    window.document.run()
    page = window.show_page("models")
    if isinstance(page, ModelsPage):
        page.tabs.setCurrentWidget(page.likeness)


def _show_clusters(window: MainWindow) -> None:
    page = window.show_page("models")
    if isinstance(page, ModelsPage):
        page.tabs.setCurrentWidget(page.clusters)


def _models() -> TourStep:
    """Stop at the question of the lectures."""
    return TourStep(
        "statistics_models",
        tr("Statistics: anonymise first or noise inside?"),
        tr("The same task on a k-anonymous table, on a synthetic one, and with noise inside the algorithm."),
        lambda window: window.go_to("models"),
        "versus_chart",
    )


def _check_a_shift(window: MainWindow) -> None:
    """Show the verdict on the mechanism that everybody thinks of first."""
    page = window.show_page("checker")
    if isinstance(page, MechanismCheckerPage):
        page.choose("shift")


def _open(window: MainWindow, sample: str) -> None:
    """Open a sample in place of the one before it; the window shows its first page once it is read."""
    window.document.open_project(resource_path("samples", f"{sample}.anon"), as_copy=True)
