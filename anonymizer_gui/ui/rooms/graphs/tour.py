"""The chapter of the tour on a village: found by the ties alone, then not any more."""

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.shell.main_window import MainWindow

SAMPLE = "village"


def steps() -> tuple[TourStep, ...]:
    """List the stops in order; each assumes the ones before it."""
    return (
        TourStep(
            "graphs",
            tr("Graphs"),
            tr("Who helps whom in a village. Names will become numbers; is that enough?"),
            lambda window: window.document.open_project(resource_path("samples", f"{SAMPLE}.anon"), as_copy=True),
            "graph_drawing",
        ),
        TourStep(
            "graphs_attack",
            tr("Graphs: the attack"),
            tr("It is not: whoever knows how many ties somebody has, and their neighbours, finds them by that alone."),
            lambda window: window.go_to("attack"),
            "candidate_drawing",
        ),
        TourStep(
            "graphs_result",
            tr("Graphs: groups"),
            tr("Only groups leave now: whatever is known of somebody's ties, the whole group fits."),
            _run,
            "changed_drawing",
        ),
    )


def _run(window: MainWindow) -> None:
    window.document.run(name=tr(window.document.project.algorithm.title))
    window.go_to("result")
