"""Estimates with errors; the truth beside them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.estimation import CountEstimate, MeanEstimate, estimate_counts, estimate_mean
from anonymizer_gui.engine.dp.local.protocol import Ints, MeanProtocol
from anonymizer_gui.engine.rooms.survey.collection import Collection, Question
from anonymizer_gui.engine.rooms.survey.reports import SiftedReports

MEAN = "mean"
"""What the one number of a question for a number is called."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One estimated number: unbiased, with its error, and the consistent version beside it, which is biased."""

    value: str
    support: int
    """The reports that support the value; for a mean the sum of all reports."""
    estimate: float
    sd: float
    low: float
    high: float
    consistent: float


@dataclass(frozen=True, slots=True)
class QuestionEstimates:
    """The estimates of one question."""

    question: Question
    n: int
    sd: float
    """Of a value that nobody has; of the mean, for a number."""
    cells: tuple[Estimate, ...]

    def to_json(self) -> dict[str, Json]:
        """Give it as the command line prints it."""
        return {
            "question": self.question.name,
            "protocol": self.question.protocol,
            "n": self.n,
            "sd": self.sd,
            "estimates": {cell.value: cell.estimate for cell in self.cells},
            "sds": {cell.value: cell.sd for cell in self.cells},
            "intervals": {cell.value: [cell.low, cell.high] for cell in self.cells},
            "consistent": {cell.value: cell.consistent for cell in self.cells},
        }


def estimate_questions(collection: Collection, sifted: SiftedReports) -> tuple[QuestionEstimates, ...]:
    """Estimate every question; raises Infeasible when nobody answered one."""
    empty = [name for name, answers in sifted.answers.items() if not len(answers)]
    if empty:
        raise Infeasible(
            message("No report that counts answers “{name}”.", name=empty[0]),
            "Look at the list of reports that do not count, and whether they belong to this survey.",
        )
    return tuple(_result(collection, question, sifted.answers) for question in collection.questions)


def _result(collection: Collection, question: Question, answers: Mapping[str, Json]) -> QuestionEstimates:
    protocol, reports = collection.protocols[question.name], answers[question.name]
    if isinstance(protocol, MeanProtocol):
        return _mean(question, estimate_mean(protocol, reports, question.low, question.high))
    return _counts(question, estimate_counts(protocol, reports))


def _mean(question: Question, found: MeanEstimate) -> QuestionEstimates:
    cell = Estimate(MEAN, found.total, found.mean, found.sd, *found.interval(), found.consistent())
    return QuestionEstimates(question, found.n, found.sd, (cell,))


def _counts(question: Question, found: CountEstimate) -> QuestionEstimates:
    columns = (found.support, found.estimates, found.sds, *found.intervals().T, found.consistent())
    rows = zip(question.domain, *(column.tolist() for column in columns), strict=True)
    return QuestionEstimates(question, found.n, found.sd, tuple(Estimate(*row) for row in rows))


def true_answer(question: Question, table: object, n: int, decimal: str = ".") -> list[float] | None:
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
