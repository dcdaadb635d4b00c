"""The help of the room: a page made of what its methods say of themselves."""

from typing import Any

from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS
from anonymizer_gui.ui.help_pages import GeneratedPages, generated_page
from anonymizer_gui.ui.i18n import tr

ORDER = ("places/data", "places/attack", "places/protect", "places/algorithms", "places/result", "release")


def algorithms_page() -> str:
    """Describe every method."""
    intro = tr("How places are changed until at least k people fit whatever leaves.")
    kinds: list[Any] = list(ALGORITHMS)
    return generated_page(tr("Methods for places"), intro, kinds)


COMPOSED: GeneratedPages = {"places/algorithms": (lambda: tr("Methods for places"), algorithms_page)}
