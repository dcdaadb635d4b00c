"""A table with places and sets: parts that are safe alone give most rows away, and what closes that."""

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import CLASSES, TABLE, KKm
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.shell.main_window import MainWindow

SAMPLE = "pharmacy"
_K, _ITEMS = 5, 2
_SMALL, _LARGE = 25, 100


def hybrid_steps() -> tuple[TourStep, ...]:
    """Open the pharmacy, protect its parts one by one, then together."""
    return (
        TourStep(
            "hybrid",
            tr("Sets and places in a table"),
            tr("Customers of a pharmacy: where each lives is one point, and what each takes is a set of medicines."),
            _open_sample,
            "data_table",
        ),
        TourStep(
            "hybrid_alone",
            tr("Sets: each part alone"),
            tr("Classes of {rows} and, apart from that, medicines that at least {k} take.", rows=_SMALL, k=_K),
            lambda window: _run(window, KKm(_K, _ITEMS, _SMALL, TABLE)),
            "result_figures",
            tell=_tell_exposed,
        ),
        TourStep(
            "hybrid_together",
            tr("Sets: together with their class"),
            tr("Larger classes, and medicines protected inside each of them."),
            lambda window: _run(window, KKm(_K, _ITEMS, _LARGE, CLASSES)),
            "result_figures",
            tell=_tell_exposed,
        ),
    )


def _open_sample(window: MainWindow) -> None:
    window.document.open_project(resource_path("samples", f"{SAMPLE}.anon"), as_copy=True)
    window.go_to("data")


def _run(window: MainWindow, goal: KKm) -> None:
    window.go_to("protect")
    window.document.edit(tr("Set the goals of the tour"), goals=(goal,), algorithm=Mondrian())
    window.document.run()


def _tell_exposed(window: MainWindow) -> str:
    release = window.document.selected
    found = None if release is None else release.measured.exposed
    if found is None:
        return ""
    return tr(
        "Whoever knows the class and two medicines finds {rows} of {all} customers among fewer than five ({share}).",
        rows=format_integer(found.rows),
        all=format_integer(found.of),
        share=format_percent(found.share),
    )
