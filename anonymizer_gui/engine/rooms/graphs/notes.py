"""Notes on a release that follow from its numbers."""

from anonymizer_gui.engine.core.messages import Message, message

_MANY = 10
"""A k above a tenth of the people changes a graph beyond recognition."""


def notes_on(k: int, nodes: int, found: float) -> list[Message]:
    """Give the notes on a k that is large for a graph, and on the share of people found by their neighbours' ties."""
    notes = []
    if k * _MANY > nodes:
        notes.append(message("k is more than a tenth of the people: little of the graph is left as it was."))
    if found:
        notes.append(
            message(
                "Whoever also knows how many ties the neighbours have still finds {share:.1%} of the people.",
                share=found,
            )
        )
    return notes
