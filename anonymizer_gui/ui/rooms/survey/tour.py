"""The chapter of the tour about surveys, on the two coins of the lectures."""

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.shell.main_window import MainWindow

SAMPLE = "coins"


def steps() -> tuple[TourStep, ...]:
    """List the stops in order; each assumes the ones before it."""
    return (
        TourStep(
            "survey",
            tr("Survey"),
            tr("Where not even we may know, people answer with a lie now and then. Two coins decide when."),
            _open_sample,
            "protocol_table",
        ),
        TourStep(
            "survey_collect",
            tr("Survey: the form"),
            tr("One file for any browser: it changes the answer by chance before anything can be sent."),
            lambda window: window.go_to("collect"),
            "save_form",
        ),
        TourStep(
            "survey_simulate",
            tr("Survey: 80 and 20"),
            tr("80 and 20 are told as about 65 and 35; taking the chances out brings 80 and 20 back."),
            lambda window: window.go_to("simulate"),
            "simulated_estimates",
        ),
    )


def _open_sample(window: MainWindow) -> None:
    """Open the sample in place of the one before it; the window shows its first page once it is read."""
    window.document.open_project(resource_path("samples", f"{SAMPLE}.anon"), as_copy=True)
