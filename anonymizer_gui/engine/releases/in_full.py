"""A check told outside the window, where nobody sees what was found below its sentence."""

from anonymizer_gui.engine.core.messages import join_messages
from anonymizer_gui.engine.room import Check

_MOST_FINDINGS = 5


def in_full(check: Check) -> str:
    """Give the sentence and the first findings that are about no rows, such as rules that are not met."""
    more = [found.sentence for found in check.findings if not found.rows]
    told = [sentence for sentence in more if not check.sentence.startswith(sentence)]
    return join_messages(check.sentence, *told[:_MOST_FINDINGS])
