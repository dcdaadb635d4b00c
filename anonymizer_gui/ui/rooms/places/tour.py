"""The chapter of the tour on a town: found by two places, then not any more."""

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.tour.step import Step

SAMPLE = "town"


def steps() -> tuple[Step, ...]:
    """List the stops in order; each assumes the ones before it."""
    return (
        Step(
            "places",
            tr("Places"),
            tr("A morning in a town with one bridge. Names will go; is that enough?"),
            lambda window: window.document.open_project(resource_path("samples", f"{SAMPLE}.anon"), as_copy=True),
            "places_map",
        ),
        Step(
            "places_attack",
            tr("Places: the attack"),
            tr("It is not: whoever met somebody at two places mostly finds a single track that was there."),
            lambda window: window.go_to("attack"),
            "points_map",
        ),
        Step(
            "places_result",
            tr("Places: tracks that k share"),
            tr("Each track is now that of at least five people, moved onto each other; who was too far is listed."),
            _run,
            "result_map",
        ),
    )


def _run(window: MainWindow) -> None:
    window.document.run()
    window.go_to("result")
