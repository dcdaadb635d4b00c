"""Budgets of differential privacy as exact values: epsilon, delta and the rho of zCDP, never sums of floats.

>>> left = Budget(epsilon=exact_amount("1")) - Budget(epsilon=exact_amount("0.1")) * 3
>>> left.to_json()
{'epsilon': '0.7', 'delta': '0', 'rho': '0'}
>>> Budget.from_json({"epsilon": "0.5", "delta": "1e-9"}) <= left
False
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message

Amount = int | float | str | Fraction

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?|\d+/\d*[1-9]\d*", re.IGNORECASE | re.ASCII)
_LONGEST = 4000
_PARTS = ("epsilon", "delta", "rho")
_HINT = message("Write a number of at least 0, such as 0.5 or 1e-9.")


class BudgetExceeded(BadParameter):
    """More would be spent than is left; nothing was spent."""


def exact_amount(amount: Amount) -> Fraction:
    """Read an amount of budget without rounding; raises BadParameter for what is no number of at least 0.

    A float is taken for the decimal it is written as, so that 0.1 is one tenth.

    >>> exact_amount("1e-9")
    Fraction(1, 1000000000)
    >>> exact_amount(0.1) * 3 == exact_amount("0.3")
    True
    """
    number = amount if isinstance(amount, Fraction) else _read(amount)
    if number < 0:
        raise BadParameter(message("A budget cannot be {amount}.", amount=str(amount)[:40]), _HINT)
    return number


def _read(amount: int | float | str) -> Fraction:
    # A float of numpy has a repr of its own.
    text = repr(float(amount)) if isinstance(amount, float) else str(amount).strip()
    if isinstance(amount, bool) or len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        raise BadParameter(message("“{text}” is no amount of budget.", text=text[:40]), _HINT)
    return Fraction(text)


def amount_text(number: Fraction) -> str:
    """Write a number so that it reads back the same: 0.1 and 1e-09 where decimals do, else 1/3.

    >>> [amount_text(Fraction(n, d)) for n, d in ((1, 10), (3, 1), (1, 3), (1, 10**9))]
    ['0.1', '3', '1/3', '1e-9']
    """
    places = _decimal_places(number.denominator)
    if places is None or places > 400:
        return f"{number.numerator}/{number.denominator}"
    digits = number.numerator * 10**places // number.denominator
    if places > 6 and digits < 10**3:
        return f"{digits}e-{places}"
    text = f"{digits:0{places + 1}d}"
    return f"{text[:-places]}.{text[-places:]}" if places else text


def _decimal_places(denominator: int) -> int | None:
    """Say how many decimals a fraction needs, or None when no number of them is enough."""
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be or was spent: epsilon and delta of what is bounded by them, rho of what is bounded by zCDP.

    The three parts stand side by side; `dp.accounting` turns several spends into one epsilon and delta.
    """

    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    rho: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name in _PARTS:
            object.__setattr__(self, name, exact_amount(getattr(self, name)))
        if self.delta > 1:
            words = message("delta cannot be {delta:g}.", delta=float(self.delta))
            raise BadParameter(words, "It is a probability, such as 1e-9.")

    def __add__(self, other: "Budget") -> "Budget":
        """Both are spent. A delta of more than 1 promises no less than 1."""
        delta = min(self.delta + other.delta, Fraction(1))
        return Budget(self.epsilon + other.epsilon, delta, self.rho + other.rho)

    def __sub__(self, other: "Budget") -> "Budget":
        """What is left; raises Overdrawn with what there was when it is not enough."""
        if not other <= self:
            raise BudgetExceeded(
                message("This spends {asked}, but only {left} is left.", asked=other.sentence(), left=self.sentence()),
                "Ask with a smaller epsilon, ask less, or raise the total.",
            )
        return Budget(self.epsilon - other.epsilon, self.delta - other.delta, self.rho - other.rho)

    def __mul__(self, times: int | Fraction) -> "Budget":
        """So many times the same spend, or a share of it."""
        delta = min(self.delta * exact_amount(times), Fraction(1))
        return Budget(self.epsilon * exact_amount(times), delta, self.rho * exact_amount(times))

    __rmul__ = __mul__

    def __le__(self, other: "Budget") -> bool:
        """Say whether no part is larger; of two budgets neither may be."""
        return self.epsilon <= other.epsilon and self.delta <= other.delta and self.rho <= other.rho

    def __ge__(self, other: "Budget") -> bool:
        """Say whether no part is smaller."""
        return other <= self

    def __lt__(self, other: "Budget") -> bool:
        """Say whether no part is larger and some part smaller."""
        return self <= other and self != other

    def __gt__(self, other: "Budget") -> bool:
        """Say whether no part is smaller and some part larger."""
        return other < self

    def __bool__(self) -> bool:
        """Say whether there is anything in it."""
        return self != NO_BUDGET

    def sentence(self) -> Message:
        """Say the amounts: “epsilon 1, delta 1e-09”."""
        amounts = {name: float(getattr(self, name)) for name in _PARTS}
        named = [name for name in _PARTS if amounts[name]] or _PARTS[:1]
        return message(
            "{told}", told=[message("{name} {amount:.9g}", name=name, amount=amounts[name]) for name in named]
        )

    def to_json(self) -> dict[str, str]:
        """Give the parts as exact texts."""
        return {name: amount_text(getattr(self, name)) for name in _PARTS}

    @classmethod
    def from_json(cls, entries: Mapping[str, object]) -> "Budget":
        """Read the parts; what is left out is 0; raises BadParameter for what is no budget."""
        if not isinstance(entries, Mapping) or not set(entries) <= set(_PARTS):
            raise BadParameter("A budget has the entries epsilon, delta and rho.", _HINT)
        return cls(**{name: _told(entry) for name, entry in entries.items()})


NO_BUDGET = Budget()


@dataclass(frozen=True, slots=True)
class ExactAmount:
    """A kind of parameter (see `params`): an amount above 0, kept as exact text such as 0.1."""

    def check(self, value: object) -> str:
        """Return the exact text of the amount."""
        try:
            number = exact_amount(_told(value))
        except BadParameter:
            raise ValueError(self.rule()) from None
        if number == 0:
            raise ValueError(self.rule())
        return amount_text(number)

    def parse(self, text: str) -> str:
        """Read an amount; a decimal comma is understood."""
        return self.check(text.replace(",", "."))

    def rule(self) -> Message:
        """Say in words what is allowed."""
        return message("a number above {low}", low=0)


def _told(entry: object) -> Fraction:
    if not isinstance(entry, int | float | str | Fraction):
        raise BadParameter("A budget is a number.", _HINT)
    return exact_amount(entry)
