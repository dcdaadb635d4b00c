"""What is true, where the steward holds the answers: to look at beside estimates, never to leave."""

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.protocol import Ints
from anonymizer_gui.engine.rooms.survey.question import Question


def true_numbers(question: Question, table: object, n: int, decimal: str = ".") -> list[float] | None:
    """Give the true counts of the values, or the true mean; nothing when the table does not know them.

    Where only `n` of the people in the table answered, counts are those of so many people who are like all of them.
    """
    if not isinstance(table, Table) or question.name not in table.names or not table.n_rows:
        return None
    answers = [str(text) for text in table.column(question.name).texts()]
    try:
        places = question.places(answers, decimal)
    except AnonymizerError:
        return None
    if question.domain:
        return [float(count) * n / len(places) for count in np.bincount(places, minlength=len(question.domain))]
    return [float(np.mean([float(answer.replace(decimal, ".")) for answer in answers]))]


def true_counts(table: Table, column: str) -> tuple[tuple[str, ...], Ints]:
    """Give the values of a column that occur, and how often each does."""
    found = table.column(column)
    counts = found.counts()
    kept = np.flatnonzero(counts)
    return tuple(str(found.labels[place]) for place in kept), counts[kept].astype(np.int64)
