"""The chapter about microdata: a neighbour is found, protected and attacked again, and what leaves is proven."""

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.rooms.microdata.show.attack import attack_steps
from anonymizer_gui.ui.rooms.microdata.show.choosing import choosing_steps
from anonymizer_gui.ui.rooms.microdata.show.drag import drag_step
from anonymizer_gui.ui.rooms.microdata.show.hybrid import hybrid_steps
from anonymizer_gui.ui.rooms.microdata.show.neighbour import neighbour_step
from anonymizer_gui.ui.rooms.microdata.show.proof import proof_steps
from anonymizer_gui.ui.shell.main_window import MainWindow

SAMPLE = "hospital"


def steps() -> tuple[TourStep, ...]:
    """List the stops in order; each assumes the ones before it."""
    return (*_looking(), *attack_steps(), *choosing_steps(), *_judging(), *proof_steps(), *hybrid_steps())


def _looking() -> tuple[TourStep, ...]:
    return (
        TourStep(
            "data",
            tr("Data"),
            tr("Every column has a role: identifiers go, quasi-identifiers are made coarser, sensitive ones stay."),
            _open_sample,
            "data_table",
        ),
        neighbour_step(),
        TourStep(
            "hierarchies",
            tr("Hierarchies"),
            tr("Each quasi-identifier has a tree that says how its values become coarser, step by step."),
            lambda window: window.go_to("hierarchies"),
            "hierarchy_tree",
        ),
        drag_step(),
    )


def _judging() -> tuple[TourStep, ...]:
    return (
        TourStep(
            "risk",
            tr("Risk"),
            tr("How easily somebody could be picked out, before and after, and what known attacks would find."),
            lambda window: window.go_to("risk"),
            "result_figures",
        ),
        TourStep(
            "utility",
            tr("Utility"),
            tr("What the release is still good for: distributions, count queries, and learning from it."),
            lambda window: window.go_to("utility"),
        ),
    )


def _open_sample(window: MainWindow) -> None:
    window.files.open_sample(resource_path("samples", f"{SAMPLE}.anon"))
    window.go_to("data")
