"""The chapter of the tour about nested records, on the sample of the students."""

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.shell.main_window import MainWindow

SAMPLE = "students"


def steps() -> tuple[TourStep, ...]:
    """List the stops in order; each assumes the ones before it."""
    return (
        TourStep(
            "trees",
            tr("Nested records"),
            tr("Students with courses, grades and books: JSON as it comes from a register. Every path has a role."),
            _open_sample,
            "paths",
        ),
        TourStep(
            "trees_attack",
            tr("Nested records: the attack"),
            tr("A department and one course are enough to find a student, and with them every grade."),
            lambda window: window.go_to("attack"),
            "rare_patterns",
        ),
        TourStep(
            "trees_protect",
            tr("Nested records: a promise"),
            tr("Five students become alike, course by course and book by book; what finds no partner is left out."),
            _protect,
            "method",
        ),
        TourStep(
            "trees_compare",
            tr("Nested records: before and after"),
            tr("One record beside what became of it: what is coarser is tinted, what was left out is struck through."),
            lambda window: window.go_to("compare"),
            "before_after",
        ),
    )


def _open_sample(window: MainWindow) -> None:
    """Open the sample in place of the one before it; the window shows its first page once it is read."""
    window.document.open_project(resource_path("samples", f"{SAMPLE}.anon"), as_copy=True)


def _protect(window: MainWindow) -> None:
    window.go_to("protect")
    window.document.run()
