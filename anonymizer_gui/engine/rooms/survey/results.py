"""What a collection tells: for every question estimates with their errors, as numbers that can be written down."""

from collections.abc import Mapping
from dataclasses import dataclass

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.local.estimation import CountEstimate, MeanEstimate, estimate_counts, estimate_mean
from anonymizer_gui.engine.dp.local.protocol import MeanProtocol
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.rooms.survey.question import Question
from anonymizer_gui.engine.rooms.survey.sifting import Sifted

MEAN = "mean"
"""What the one number of a question for a number is called."""


@dataclass(frozen=True, slots=True)
class Cell:
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
class Result:
    """The estimates of one question."""

    question: Question
    n: int
    sd: float
    """Of a value that nobody has; of the mean, for a number."""
    cells: tuple[Cell, ...]

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


def results_of(collection: Collection, sifted: Sifted) -> tuple[Result, ...]:
    """Estimate every question; raises Infeasible when nobody answered one."""
    empty = [name for name, answers in sifted.answers.items() if not len(answers)]
    if empty:
        raise Infeasible(
            message("No report that counts answers “{name}”.", name=empty[0]),
            "Look at the list of reports that do not count, and whether they belong to this survey.",
        )
    return tuple(_result(collection, question, sifted.answers) for question in collection.questions)


def _result(collection: Collection, question: Question, answers: Mapping[str, Json]) -> Result:
    protocol, reports = collection.protocols[question.name], answers[question.name]
    if isinstance(protocol, MeanProtocol):
        return _mean(question, estimate_mean(protocol, reports, question.low, question.high))
    return _counts(question, estimate_counts(protocol, reports))


def _mean(question: Question, found: MeanEstimate) -> Result:
    cell = Cell(MEAN, found.total, found.mean, found.sd, *found.interval(), found.consistent())
    return Result(question, found.n, found.sd, (cell,))


def _counts(question: Question, found: CountEstimate) -> Result:
    columns = (found.support, found.estimates, found.sds, *found.intervals().T, found.consistent())
    rows = zip(question.domain, *(column.tolist() for column in columns), strict=True)
    return Result(question, found.n, found.sd, tuple(Cell(*row) for row in rows))
