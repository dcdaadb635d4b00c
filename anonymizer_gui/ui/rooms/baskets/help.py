"""The help of the room: pages made of what promises and algorithms say of themselves."""

from typing import Any

from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import MODELS
from anonymizer_gui.ui.help_pages import GeneratedPages, generated_page
from anonymizer_gui.ui.i18n import tr

ORDER = (
    "baskets/baskets", "baskets/attack", "hierarchies", "baskets/protect", "baskets/promises", "baskets/methods",
    "baskets/compare", "release",
)  # fmt: skip


def promises_page() -> str:
    """Describe every promise."""
    facts = ((tr("Stops"), "stops"), (tr("Leaves open"), "leaves_open"))
    promises: list[Any] = list(MODELS)
    return generated_page(
        tr("Promises about baskets"),
        tr("What can be promised of sets of items."),
        promises,
        facts,
        formula=True,
        source="source",
    )


def methods_page() -> str:
    """Describe every algorithm."""
    facts = ((tr("Attacks on the method"), "attacks"),)
    methods: list[Any] = list(ALGORITHMS)
    return generated_page(
        tr("Methods for baskets"), tr("How baskets are made anonymous."), methods, facts, source="reference"
    )


COMPOSED: GeneratedPages = {
    "baskets/promises": (lambda: tr("Promises about baskets"), promises_page),
    "baskets/methods": (lambda: tr("Methods for baskets"), methods_page),
}
