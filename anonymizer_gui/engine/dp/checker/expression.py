"""What an expression consists of: answers about a table of numbers x, noise, choices, and arithmetic."""

import ast
from dataclasses import dataclass
from fractions import Fraction

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message

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
class Tuple:
    """Several answers published together."""

    items: tuple["Term", ...]


Term = Number | Data | Noise | Choice | Combined | Post | Tuple


def subterms(term: Term) -> tuple[Term, ...]:
    """Give the terms a term is made of."""
    match term:
        case Combined(_, left, right):
            return left, right
        case Post(inner=inner):
            return (inner,)
        case Tuple(items):
            return items
    return ()


def contains(term: Term, *kinds: type) -> bool:
    """Say whether there is a term of these kinds in it."""
    return isinstance(term, kinds) or any(contains(part, *kinds) for part in subterms(term))


def cells(term: Term) -> int:
    """How many numbers the term is: a histogram has one for each bin, none that are known when they come from data."""
    if isinstance(term, Data) and term.function == "histogram":
        return max(len(term.numbers) - 1, 0)
    return next((width for width in map(cells, subterms(term)) if width != 1), 1)


def has_bins_from_data(term: Term) -> bool:
    """Say whether a histogram in it takes its bins from the table."""
    own = isinstance(term, Data) and term.function == "histogram" and not term.numbers
    return own or any(map(has_bins_from_data, subterms(term)))


FUNCTIONS = (
    "count(), count(x > 5), sum(x, 0, 100), mean(x, 0, 100), median(x, 0, 100), min(x, 0, 100), max(x, 0, 100), "
    "row(1), histogram(0, 10, 20), laplace(1), gaussian(1), exponential(1), noisy_max(1), randomised_response(3/4), "
    "clip(…, 0, 9), round(…), abs(…)"
)

_LONGEST = 500

_DEEPEST = 40

_OF_X = ("sum", "mean", "median", "min", "max")

_SHORT = {"count": "count()", **{name: f"{name}(x)" for name in _OF_X}}

_RELATIONS = {ast.Gt: ">", ast.GtE: "≥", ast.Lt: "<", ast.LtE: "≤", ast.Eq: "=", ast.NotEq: "≠"}

_SIGNS = {ast.Add: "+", ast.Mult: "*", ast.Div: "/"}


def parse_expression(text: str) -> Term:
    """Read an expression; raises BadParameter for anything but what is known. `count` is short for `count()`.

    >>> parse_expression("laplace(1/2)")
    Noise(kind='laplace', scale=Fraction(1, 2))
    """
    if len(text) > _LONGEST:
        raise BadParameter(
            message("The expression is longer than {most} signs.", most=_LONGEST), "Write a smaller one."
        )
    try:
        term = _term(ast.parse(text.strip(), mode="eval").body)
        _check_shape(term)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _unknown(text.strip()) from None
    return term


def _term(node: ast.expr) -> Term:
    match node:
        case ast.Constant():
            return Number(_number(node))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Combined("*", Number(Fraction(-1)), _term(operand))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _term(operand)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return Combined("+", _term(left), Combined("*", Number(Fraction(-1)), _term(right)))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            return Combined(_SIGNS[type(op)], _term(left), _term(right))
        case ast.Name(id=name) if name in _SHORT:
            return Data(name, _SHORT[name])
        case ast.Tuple(elts=[_, *_] as items):
            return Tuple(tuple(map(_term, items)))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            text = ast.unparse(node)
            if term := _question(name, args, text) or _random(name, args) or _after(name, args, text):
                return term
    raise _unknown(ast.unparse(node))


def _question(name: str, args: list[ast.expr], text: str) -> Data | None:
    """Read an exact question about the table."""
    match name, args:
        case (("count" | "histogram"), []):
            return Data(name, text)
        case "count", [ast.Compare(left=ast.Name(id="x"), ops=[op], comparators=[limit])] if type(op) in _RELATIONS:
            return Data("count", text, (_number(limit),), _RELATIONS[type(op)])
        case name, [ast.Name(id="x")] if name in _OF_X:
            return Data(name, text)
        case name, [ast.Name(id="x"), low, high] if name in _OF_X:
            return Data(name, text, _ordered(low, high))
        case name, [ast.Call(func=ast.Name(id="clip"), args=[ast.Name(id="x"), low, high], keywords=[])] if (
            name in _OF_X
        ):
            return Data(name, text, _ordered(low, high))
        case "row", [place]:
            return Data("row", text, (_at_least(place, 1),))
        case "histogram", [_, _, *_]:
            return Data("histogram", text, _ordered(*args))
    return None


def _random(name: str, args: list[ast.expr]) -> Noise | Choice | None:
    """Read noise or a choice."""
    match name, args:
        case (("laplace" | "gaussian"), [scale]):
            return Noise(name, _at_least(scale, 0))
        case (("exponential" | "noisy_max"), [amount]):
            return Choice(name, _at_least(amount, 0))
        case "randomised_response", [share]:
            return Choice(name, _ordered(ast.Constant(0), share, ast.Constant(1))[1])
    return None


def _after(name: str, args: list[ast.expr], text: str) -> Post | None:
    """Read what is done with an answer."""
    match name, args:
        case "clip", [inner, low, high]:
            return Post("clip", text, _term(inner), _ordered(low, high))
        case (("round" | "abs"), [inner]):
            return Post(name, text, _term(inner))
    return None


def _number(node: ast.expr) -> Fraction:
    """Read a number, also 3/4 and -1."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool) and abs(value) < 1e18:
            return Fraction(repr(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand)
        case ast.BinOp(left=left, op=ast.Div(), right=right) if _number(right):
            return _number(left) / _number(right)
    raise _unknown(ast.unparse(node))


def _ordered(*nodes: ast.expr) -> tuple[Fraction, ...]:
    numbers = tuple(map(_number, nodes))
    if list(numbers) != sorted(numbers):
        raise BadParameter("Bounds and edges go from the smallest to the largest.", "Put them in order.")
    return numbers


def _at_least(node: ast.expr, low: int) -> Fraction:
    number = _number(node)
    if number < low:
        words = message("“{text}” is less than {low}.", text=ast.unparse(node), low=low)
        raise BadParameter(words, "Write a larger number.")
    return number


def _check_shape(term: Term, depth: int = 0) -> None:
    """Refuse what has no meaning: answers inside answers, and lists of numbers combined with other questions."""
    if depth > _DEEPEST:
        raise BadParameter("The expression is nested too deeply.", "Write a smaller one.")
    if isinstance(term, Tuple) and depth:
        raise BadParameter("Several answers stand side by side, not inside one.", "Write (one, other).")
    wide = [part for part in subterms(term) if cells(part) != 1 or _is_list(part)]
    others = [part for part in subterms(term) if part not in wide and contains(part, Data, Choice)]
    is_mixed = isinstance(term, Combined) and (len(wide) > 1 or (wide and others))
    if is_mixed or (not isinstance(term, Tuple) and any(map(_is_list, wide))):
        raise BadParameter("A histogram is combined with numbers and noise only.", "Write (one, other).")
    for part in subterms(term):
        _check_shape(part, depth + 1)


def _is_list(term: Term) -> bool:
    """Say whether the term is a list of answers rather than a number: randomised response answers for each row."""
    return isinstance(term, Choice) and term.kind == "randomised_response"


def _unknown(text: str) -> BadParameter:
    known = message("Known are numbers, + - * /, and {known}.", known=FUNCTIONS)
    return BadParameter(message("“{text}” cannot be read.", text=text[:60]), known)
