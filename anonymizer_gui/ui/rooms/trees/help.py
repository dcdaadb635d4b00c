"""The help of the room: a page made of what its algorithms say of themselves."""

from typing import Any

from anonymizer_gui.engine.rooms.trees.algorithms.contract import ALGORITHMS
from anonymizer_gui.ui.help_pages import GeneratedPages, generated_page
from anonymizer_gui.ui.i18n import tr

ORDER = (
    "trees/records", "trees/attack", "hierarchies", "trees/protect", "trees/methods", "trees/compare", "release",
)  # fmt: skip


def methods_page() -> str:
    """Describe every algorithm."""
    facts = ((tr("Attacks on the method"), "attacks"),)
    methods: list[Any] = list(ALGORITHMS)
    return generated_page(
        tr("Methods for nested records"), tr("How nested records are made anonymous."), methods, facts
    )


COMPOSED: GeneratedPages = {"trees/methods": (lambda: tr("Methods for nested records"), methods_page)}
