"""Values that a distribution of one's own names and the column does not have: few of them, or one that is misspelt."""

from collections.abc import Callable, Sequence

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter, NoPlace
from anonymizer_gui.engine.core.messages import message, quote
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.rooms.microdata.privacy.comparing import further_values, widened
from anonymizer_gui.engine.rooms.microdata.privacy.contract import COMBINED, PrivacyModel, Sensitive, Whole

_MOST_NAMED = 5


def described_with(
    describe: Callable[[Column], Sensitive], column: Column, more: tuple[str, ...], goals: Sequence[PrivacyModel]
) -> Sensitive:
    """Describe a column with further values; raises BadParameter where goals name one that has no place."""
    try:
        return describe(widened(column, more))
    except NoPlace:
        unknown = [value for value in further_values(goals, column) if not _has_place(describe, column.name, value)]
        if not unknown:
            raise
        raise BadParameter(
            message(
                "The distribution of your own names {values}, which neither “{column}” nor its hierarchy has.",
                values=quote(unknown[:_MOST_NAMED]),
                column=column.name,
            ),
            "Write values as the table does; one that nobody has there needs a place in the hierarchy.",
        ) from None


def named_in_vain(model: PrivacyModel, whole: Whole) -> str:
    """Say which values a goal names and no row has, for they may be misspelt; nothing where there are none."""
    for name, sensitive in whole.sensitive.items():
        column = Column(name, np.arange(len(sensitive.labels)), sensitive.labels)
        unknown = further_values([model], column) if name != COMBINED else ()
        if unknown:
            return message(
                "The distribution of your own names {values}, which nobody has in “{column}”: is it misspelt?",
                values=quote(unknown[:_MOST_NAMED]),
                column=name,
            )
    return ""


def _has_place(describe: Callable[[Column], Sensitive], name: str, value: str) -> bool:
    try:
        describe(Column.from_texts(name, [value]))
    except NoPlace:
        return False
    return True
