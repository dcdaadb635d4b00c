"""Contract of questions (QUESTIONS): what is public, steps, words, what noise makes of them.

A question is asked in steps. Each sends a list of whole numbers through a mechanism, with a sensitivity and a share
of the budget that follow from what is public alone; only `counted` ever sees the data.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np

from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Json
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.dp.accountant import rho_of_epsilon
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS, USUAL_SHARE, Mechanism
from anonymizer_gui.engine.dp.safe_rounding import root_above
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit, Sensitivity
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


@dataclass(frozen=True, slots=True)
class PublicKnowledge:
    """The unit of protection, the hierarchies and the decimal mark of the columns, and how many rows there may be.

    `rows` is the number of rows where the unit makes it public, that is when rows are only ever changed; `assumed` is
    a number somebody believes, good for expected errors and sizes of grids. `epsilon` and `delta` are
    what the question is given.
    """

    unit: PrivacyUnit = field(default_factory=PrivacyUnit)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    decimal: str = "."
    rows: int | None = None
    assumed: int = 0
    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)


_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+')

_PLAIN = re.compile(r'[^\s",]+')

KEYWORDS = ("for", "with")


def split_words(text: str) -> list[str]:
    """Part a text at its blanks, but not between quotation marks, which stay.

    >>> split_words('mean "net income" 0 100')
    ['mean', '"net income"', '0', '100']
    """
    if text.count('"') % 2:
        raise BadParameter(message("A quotation mark is missing in “{text}”.", text=text[:80]), "Close what is quoted.")
    return _WORD.findall(text)


def unquote(word: str) -> str:
    """Take a word without its quotation marks."""
    return word.replace('"', "")


def quote_word(word: str) -> str:
    """Put a word into quotation marks where it would not be read as one otherwise."""
    return word if re.fullmatch(r'[^\s"]+', word) and word not in KEYWORDS else f'"{word}"'


def join_list(items: Iterable[str]) -> str:
    """Write a list as one word."""
    return ",".join(item if _PLAIN.fullmatch(item) else f'"{item}"' for item in items)


def split_list(word: str) -> tuple[str, ...]:
    """Read a list; commas between quotation marks belong to an item.

    >>> split_list('a,"b, c",d')
    ('a', 'b, c', 'd')
    """
    items = re.findall(r'(?:"[^"]*"|[^",])+', word)
    return tuple(unquote(item).strip() for item in items if unquote(item).strip())


def parse_number(word: str) -> float | None:
    """Read a number; nothing when it is none."""
    try:
        number = float(word)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def parse_bounds(words: Sequence[str]) -> tuple[str, float, float] | None:
    """Read a column and two bounds; nothing when the words are something else."""
    if len(words) != 3:
        return None
    low, high = parse_number(words[1]), parse_number(words[2])
    return None if low is None or high is None else (unquote(words[0]), low, high)


def format_number(number: float) -> str:
    """Write a number as one would type it."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


Number = int | float

DEFAULT_DATA_KIND = "table"

NOISES = Choice({"laplace": "Laplace noise, pure", "gaussian": "Gaussian noise, with a delta"})
"""What a question with noisy numbers may be answered with."""


@dataclass(frozen=True, slots=True)
class Step:
    """One list of whole numbers on its way to the gateway: all that can be said of it without the data."""

    mechanism: str
    sensitivity: Sensitivity
    cells: int = 1
    share: Fraction = Fraction(1)
    picks: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether no neighbour can change the numbers: they are public, and need neither noise nor budget."""
        return not self.sensitivity.l1

    def calibrated(self, spend: Budget) -> Mechanism:
        """Give the mechanism for its share of what the question spends."""
        more: dict[str, Any] = {"picks": self.picks} if self.picks else {}
        return MECHANISMS.get(self.mechanism)(self.sensitivity, spend * self.share, **more)

    def distance(self) -> Fraction:
        """Give how far the numbers can move, as the mechanism measures it, when the step has the budget alone."""
        if self.mechanism == "gaussian":
            return root_above(self.sensitivity.l2_squared / self.share)
        if MECHANISMS.get(self.mechanism).chooses:
            return Fraction(self.sensitivity.linf)
        return self.sensitivity.l1 / self.share


@dataclass(frozen=True, slots=True, eq=False)
class NoisySteps:
    """Noisy numbers of each step, and the mechanisms they come from."""

    numbers: tuple[Ints, ...]
    mechanisms: tuple[Mechanism, ...]

    def __getitem__(self, step: int) -> Ints:
        return self.numbers[step]


@dataclass(frozen=True, slots=True)
class AnswerValue:
    """What a question makes of noisy numbers: one value, or a number for each label; both for a ranking."""

    value: str | Number | tuple[str, ...] | None = None
    values: tuple[tuple[str, Number], ...] = ()
    notes: tuple[str, ...] = ()
    model: Mapping[str, Json] | None = None
    """What more is made of them, such as a table that rows are drawn from."""


@runtime_checkable
class WithNoise(Protocol):
    """A question whose numbers get noise of a kind that can be chosen: the name of a mechanism."""

    @property
    def noise(self) -> str:
        """What hides a single row."""


@dataclass(frozen=True, slots=True)
class Question(ABC):
    """A frozen dataclass of declared parameters, registered in `QUESTIONS`.

    `verbs` are the words it is asked with; `why_careful` says what is bad about it, if anything is.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    verbs: ClassVar[tuple[str, ...]]
    usage: ClassVar[str]
    example: ClassVar[str] = ""
    """The question as one would ask it, for its page of the help; “education” has a hierarchy there."""
    shape: ClassVar[str] = DEFAULT_DATA_KIND
    why_careful: ClassVar[str] = ""
    charted: ClassVar[str] = ""
    """The end of the labels a chart shows, where not all numbers are of the same kind."""
    is_adaptive: ClassVar[bool] = False
    """Whether later steps depend on the noisy answers of earlier ones: then `counted_after` gives their numbers."""
    uses_hierarchies: ClassVar[bool] = False
    """Whether the hierarchies of its columns say what is counted together."""
    only_counts: ClassVar[bool] = False
    """Whether it counts rows by their cells and nothing else, so that equal rows may be told once, with a number."""
    has_interval: ClassVar[bool] = True
    """Whether the error is that of the number itself, not of its place in an order."""

    @classmethod
    @abstractmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Make the question of the words behind its verb; nothing when they do not fit. Raises BadParameter."""

    def normal(self) -> Self:
        """Give the same question in its one form."""
        return self

    def remembered(self) -> Self:
        """Give the question without what costs nothing: answers are given again for what is the same."""
        return self.normal()

    @abstractmethod
    def words(self) -> tuple[str, ...]:
        """Give the verb and the words it is read from."""

    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Name the columns it looks at."""

    @abstractmethod
    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Give what is sent through which mechanism; raises BadParameter when bounds or categories are not public."""

    @abstractmethod
    def counted(self, data: Any, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Give the whole numbers of each step: the one function that looks at the data."""

    @abstractmethod
    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Make the answer of noisy numbers; the data is not there any more."""

    def prepared(self, data: Any, public: PublicKnowledge) -> Any:
        """Give what all steps of an adaptive question count, made once."""
        return data

    def counted_after(self, data: Any, public: PublicKnowledge, noisy: Sequence[Ints]) -> Ints:
        """Give the whole numbers of the next step, after these noisy ones, of what was prepared."""
        return self.counted(data, public)[len(noisy)]

    def made_up(self, public: PublicKnowledge, rows: int) -> Any:
        """Make up what all steps of an adaptive question count; nothing where `simulated_after` knows more."""
        return None

    def simulated_after(self, public: PublicKnowledge, rows: int, noisy: Sequence[Ints]) -> Ints:
        """Make up whole numbers of the next step; for questions that are adaptive."""
        return self.simulated(public, rows)[len(noisy)]

    def own_delta(self, delta: Fraction) -> Fraction | None:
        """Give the delta it spends of what the plan allows, where it spends one; Gaussian noise shares what is left."""
        return None

    def own_spend(self, epsilon: Fraction, delta: Fraction) -> Budget | None:
        """Give what it costs where that is not the sum of its steps; nothing where it is."""
        return None

    def calibrated(self, public: PublicKnowledge, spend: Budget) -> tuple[Mechanism, ...]:
        """Give a mechanism for each step; raises BadParameter when no noise is enough."""
        return tuple(step.calibrated(spend) for step in self.steps(public))

    def spent_after(self, mechanisms: Sequence[Mechanism], drawn: int, public: PublicKnowledge) -> Budget:
        """Give what the first steps have cost when an adaptive question ends early."""
        return sum((mechanism.budget for mechanism in mechanisms[:drawn]), Budget())

    def facts(self, public: PublicKnowledge) -> dict[str, Json]:
        """Tell what else its sensitivity depends on, beyond its parameters."""
        return {}

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the cells or candidates; a question with one number has none."""
        return ()

    def size(self, public: PublicKnowledge) -> Fraction:
        """Give how much one whole number is in the unit of the answer."""
        return Fraction(1)

    def in_unit(self) -> Message:
        """Say what sensitivity and error are counted in."""
        return message("rows")

    def told_step(self, public: PublicKnowledge) -> int:
        """Give the place of the step whose mechanism, sensitivity and scale are told of the question."""
        return 0

    def why(self, public: PublicKnowledge) -> str:
        """Say why the sensitivity is what it is."""
        return self.steps(public)[0].sensitivity.why

    def sensitivity(self, public: PublicKnowledge) -> Fraction:
        """Give how far one unit of protection can move the answer, in its own unit."""
        return self.steps(public)[0].distance() * self.size(public)

    def typical(self, public: PublicKnowledge) -> float | None:
        """Give a size of the answer that an error can be compared with; nothing when nobody knows one."""
        return public.assumed / self.steps(public)[0].cells if public.assumed else None

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Make up whole numbers of each step for so many rows: a bell over the cells."""
        return (bell_shaped(rows, self.steps(public)[0].cells),)

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: PublicKnowledge,
        cells: int = 1,
        noisy: NoisySteps | None = None,
        share: float = USUAL_SHARE,
    ) -> float | None:
        """Say how far off the farthest of so many cells is at most; noisy numbers help where they are there.

        Nothing when it cannot be said without the data.
        """
        cells = self.steps(public)[0].cells if mechanisms[0].chooses else cells
        return float(mechanisms[0].error(cells, share) * self.size(public))


def bell_shaped(rows: int, cells: int) -> Ints:
    """Spread rows over cells, most of them in the middle."""
    places = np.linspace(-2.0, 2.0, cells) if cells > 1 else np.zeros(1)
    weights = np.exp(-places * places / 2)
    return np.asarray(np.rint(rows * weights / weights.sum()), dtype=np.int64)


QUESTIONS: Registry[Question] = Registry("question", f"{__package__}.questions")


def questions_about(shape: str) -> list[type[Question]]:
    """Give the questions about one shape of data."""
    return [kind for kind in QUESTIONS if kind.shape == shape]


def cost_of(question: Question, public: PublicKnowledge, epsilon: Fraction, delta: Fraction) -> Budget:
    """Give what asking costs: epsilon, or the rho that is worth as much with this delta; nothing for what is public.

    Raises BadParameter when Gaussian noise is wanted and no delta is allowed.
    """
    steps = question.steps(public)
    if all(step.is_exact for step in steps):
        return Budget()
    if (own := question.own_spend(epsilon, delta)) is not None:
        return own
    if MECHANISMS.get(steps[0].mechanism).spends == "epsilon":
        return Budget(epsilon=epsilon)
    if not delta:
        raise BadParameter("Gaussian noise needs a delta above 0.", "Allow a delta, such as 1e-9.")
    return Budget(rho=rho_of_epsilon(epsilon, delta))
