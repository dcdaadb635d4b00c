"""What an expression consists of: answers about a table of numbers x, noise, choices, and arithmetic."""

from dataclasses import dataclass
from fractions import Fraction

# The public values among which choices are made.
CANDIDATES = (Fraction(1), Fraction(2), Fraction(3))


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Data:
    """An exact answer about the table, written as `text`; numbers are its bounds, edges, place or limit."""

    function: str
    text: str
    numbers: tuple[Fraction, ...] = ()
    relation: str = ""


@dataclass(frozen=True, slots=True)
class Noise:
    """A fresh random number around 0: `laplace` or `gaussian`."""

    kind: str
    scale: Fraction


@dataclass(frozen=True, slots=True)
class Choice:
    """A random choice: `exponential` and `noisy_max` among three public values, `randomised_response` for each row."""

    kind: str
    amount: Fraction


@dataclass(frozen=True, slots=True)
class Combined:
    """Two terms combined by `+`, `*` or `/`."""

    sign: str
    left: "Term"
    right: "Term"


@dataclass(frozen=True, slots=True)
class Post:
    """What is done with one answer: `clip` between two numbers, `round`, `abs`."""

    function: str
    text: str
    inner: "Term"
    numbers: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Several:
    """Several answers published together."""

    items: tuple["Term", ...]


Term = Number | Data | Noise | Choice | Combined | Post | Several


def parts(term: Term) -> tuple[Term, ...]:
    """Give the terms a term is made of."""
    match term:
        case Combined(_, left, right):
            return left, right
        case Post(inner=inner):
            return (inner,)
        case Several(items):
            return items
    return ()


def has(term: Term, *kinds: type) -> bool:
    """Say whether there is a term of these kinds in it."""
    return isinstance(term, kinds) or any(has(part, *kinds) for part in parts(term))


def cells(term: Term) -> int:
    """How many numbers the term is: a histogram has one for each bin, none that are known when they come from data."""
    if isinstance(term, Data) and term.function == "histogram":
        return max(len(term.numbers) - 1, 0)
    return next((width for width in map(cells, parts(term)) if width != 1), 1)


def has_bins_from_data(term: Term) -> bool:
    """Say whether a histogram in it takes its bins from the table."""
    own = isinstance(term, Data) and term.function == "histogram" and not term.numbers
    return own or any(map(has_bins_from_data, parts(term)))
