"""The chapter of the tour on a town: tracks found by two places, people who ask for the way, names that change."""

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.shell.main_window import MainWindow

SAMPLE, QUERIES, BRIDGE = "town", "town_queries", "town_bridge"


def steps() -> tuple[TourStep, ...]:
    """List the stops in order; each assumes the ones before it."""
    return (
        TourStep(
            "places",
            tr("Places"),
            tr("A morning in a town with one bridge. Names will go; is that enough?"),
            lambda window: _open(window, SAMPLE),
            "places_map",
        ),
        TourStep(
            "places_attack",
            tr("Places: the attack"),
            tr("It is not: whoever met somebody at two places mostly finds a single track that was there."),
            lambda window: window.go_to("attack"),
            "points_map",
        ),
        TourStep(
            "places_result",
            tr("Places: tracks that k share"),
            tr("Each track is now that of at least five people, moved onto each other; who was too far is listed."),
            _run,
            "result_map",
        ),
        *_queries(),
        *_bridge(),
    )


def _queries() -> tuple[TourStep, ...]:
    return (
        TourStep(
            "places_queries",
            tr("Places: asking for the way"),
            tr("The same people ask where the next pharmacy is. Whoever answers must not learn where they are."),
            lambda window: _open(window, QUERIES),
            "places_map",
        ),
        TourStep(
            "places_regions",
            tr("Places: regions instead of points"),
            tr("Everybody of a group sends the same region. A group that is kept stays whole; new ones shrink."),
            lambda window: window.go_to("attack"),
            "query_map",
        ),
    )


def _bridge() -> tuple[TourStep, ...]:
    return (
        TourStep(
            "places_bridge",
            tr("Places: new names on the bridge"),
            tr("Now everybody keeps their exact track, and gets a new name where many pass together."),
            lambda window: _open(window, BRIDGE),
            "places_map",
        ),
        TourStep(
            "places_mix",
            tr("Places: what a mix zone is worth"),
            tr(
                "Who knows how long the bridge takes links many names all the same: sets are worth less than they look."
            ),
            lambda window: window.go_to("attack"),
            "mix_map",
        ),
    )


def _open(window: MainWindow, sample: str) -> None:
    window.document.open_project(resource_path("samples", f"{sample}.anon"), as_copy=True)


def _run(window: MainWindow) -> None:
    window.document.run()
    window.go_to("result")
