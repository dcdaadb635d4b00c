"""The guided tour, a chapter for each room: the same steps on screen, in screenshots and in the tests."""

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import all_views
from anonymizer_gui.ui.tour.step import Step


def steps() -> tuple[Step, ...]:
    """List the stops in order; each assumes the ones before it in its chapter."""
    return (_welcome(), *(step for view in all_views() for step in view.tour()))


def _welcome() -> Step:
    return Step(
        "welcome",
        tr("Welcome"),
        tr("Open a table of your own, or one of the samples. We take the hospital with 2,000 made-up patients."),
        lambda window: window.go_to("welcome"),
    )
