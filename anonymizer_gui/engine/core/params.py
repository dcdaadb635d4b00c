"""Parameters declared once: checked, read from text, saved as JSON and described from the same line.

A thing with parameters is a frozen dataclass whose fields are made by `param`:

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, slots=True)
... class KAnonymity:
...     k: int = param(Int(low=1), default=5, label="k", help="Smallest class size.")
>>> from_texts(KAnonymity, {"k": "10"})
KAnonymity(k=10)
>>> to_json(KAnonymity(k=3))
{'k': 3}
"""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, as_message, message

T = TypeVar("T")
Json = Any  # a JSON value; the recursion is not worth a type of its own


@runtime_checkable
class Kind(Protocol):
    """The sort of value a parameter takes."""

    def check(self, value: Json) -> Json:
        """Return the value in its one form, or raise ValueError with the rule in words."""

    def parse(self, text: str) -> Json:
        """Read the value from what a person typed; raises ValueError with the rule in words."""

    def rule(self) -> Message:
        """Say in words what is allowed."""


@runtime_checkable
class Titled(Protocol):
    """What people know by another name than its class has."""

    title: str


@dataclass(frozen=True, slots=True)
class Int:
    """A whole number between two bounds, both allowed."""

    low: int | None = None
    high: int | None = None

    def check(self, value: Json) -> int:
        """Return the whole number."""
        if isinstance(value, bool) or not isinstance(value, int) or not _inside(value, self.low, self.high):
            raise ValueError(self.rule())
        return value

    def parse(self, text: str) -> int:
        """Read a whole number."""
        try:
            return self.check(int(text.strip()))
        except ValueError:
            raise ValueError(self.rule()) from None

    def rule(self) -> Message:
        """Say in words what is allowed."""
        if self.low is not None and self.high is not None:
            return message("a whole number from {low:,} to {high:,}", low=self.low, high=self.high)
        if self.low is not None:
            return message("a whole number of at least {low:,}", low=self.low)
        return (
            message("a whole number of at most {high:,}", high=self.high)
            if self.high is not None
            else message("a whole number")
        )


@dataclass(frozen=True, slots=True)
class Float:
    """A number between two bounds; `above` excludes the lower bound itself."""

    low: float | None = None
    high: float | None = None
    above: bool = False

    def check(self, value: Json) -> float:
        """Return the number as a float."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(self.rule())
        number = float(value)
        excluded = self.above and number == self.low
        if not math.isfinite(number) or not _inside(number, self.low, self.high) or excluded:
            raise ValueError(self.rule())
        return number

    def parse(self, text: str) -> float:
        """Read a number; a decimal comma is understood."""
        try:
            return self.check(float(text.strip().replace(",", ".")))
        except ValueError:
            raise ValueError(self.rule()) from None

    def rule(self) -> Message:
        """Say in words what is allowed."""
        if self.low is not None and self.high is not None:
            return message(
                "a number above {low:g} and at most {high:g}" if self.above else "a number from {low:g} to {high:g}",
                low=self.low,
                high=self.high,
            )
        if self.low is not None:
            return message("a number above {low:g}" if self.above else "a number of at least {low:g}", low=self.low)
        return message("a number of at most {high:g}", high=self.high) if self.high is not None else message("a number")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several named options; the dictionary gives the words for each."""

    options: Mapping[str, str]

    def check(self, value: Json) -> str:
        """Return the option's name."""
        if not isinstance(value, str) or value not in self.options:
            raise ValueError(self.rule())
        return value

    def parse(self, text: str) -> str:
        """Read an option's name."""
        return self.check(text.strip())

    def rule(self) -> Message:
        """Say in words what is allowed."""
        return message("one of {options}", options=list(self.options))


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    def check(self, value: Json) -> bool:
        """Return yes or no."""
        if not isinstance(value, bool):
            raise ValueError(self.rule())
        return value

    def parse(self, text: str) -> bool:
        """Read yes/no, true/false, on/off or 1/0."""
        word = text.strip().lower()
        if word in ("yes", "true", "on", "1"):
            return True
        if word in ("no", "false", "off", "0"):
            return False
        raise ValueError(self.rule())

    def rule(self) -> Message:
        """Say in words what is allowed."""
        return message("yes or no")


@dataclass(frozen=True, slots=True)
class Text:
    """Any text, such as a column name (with `column` a form offers the columns; `empty` says what "" stands for)."""

    column: bool = False
    empty: str = ""

    def check(self, value: Json) -> str:
        """Return the text."""
        if not isinstance(value, str):
            raise ValueError(self.rule())
        return value

    def parse(self, text: str) -> str:
        """Take the text without surrounding white space."""
        return text.strip()

    def rule(self) -> Message:
        """Say in words what is allowed."""
        return message("the name of a column" if self.column else "a text")


@dataclass(frozen=True, slots=True)
class ListOf:
    """Several values of one kind, in order (as text: separated by commas), at most so many."""

    of: Kind
    most: int | None = None

    def check(self, value: Json) -> tuple[Json, ...]:
        """Return the values as a tuple."""
        if not isinstance(value, list | tuple) or (self.most is not None and len(value) > self.most):
            raise ValueError(self.rule())
        return tuple(self.of.check(item) for item in value)

    def parse(self, text: str) -> tuple[Json, ...]:
        """Read values separated by commas."""
        return self.check(tuple(self.of.parse(part) for part in text.split(",") if part.strip()))

    def rule(self) -> Message:
        """Say in words what is allowed."""
        if self.most is None:
            return message("a list, each {rule}", rule=self.of.rule())
        return message("a list of at most {most}, each {rule}", most=self.most, rule=self.of.rule())


@dataclass(frozen=True, slots=True)
class PerColumn:
    """A value of one kind for some columns, as (column, value) pairs (as text: `age=3,zip=2`)."""

    of: Kind

    def check(self, value: Json) -> tuple[tuple[str, Json], ...]:
        """Return the pairs, sorted by column; a mapping is taken too."""
        pairs = value.items() if isinstance(value, Mapping) else value
        try:
            checked = {str(column): self.of.check(item) for column, item in pairs}
        except (TypeError, ValueError):
            raise ValueError(self.rule()) from None
        return tuple(sorted(checked.items()))

    def parse(self, text: str) -> tuple[tuple[str, Json], ...]:
        """Read `column=value` pairs separated by commas."""
        pairs = [part.rpartition("=") for part in text.split(",") if part.strip()]
        if any(not equals for _, equals, _ in pairs):
            raise ValueError(self.rule())
        try:
            return self.check({column.strip(): self.of.parse(item) for column, _, item in pairs})
        except ValueError:
            raise ValueError(self.rule()) from None

    def rule(self) -> Message:
        """Say in words what is allowed."""
        return message("column=value pairs, each value {rule}", rule=self.of.rule())


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares or counts of some values, as (value, number) pairs (as text: `flu=0.7,asthma=0.3`, a comma twice)."""

    def check(self, value: Json) -> tuple[tuple[str, float], ...]:
        """Return the pairs, sorted by value; a mapping is taken too, and no number may be negative or all be 0."""
        pairs = value.items() if isinstance(value, Mapping) else value
        try:
            checked = {str(name): _SHARE.check(number) for name, number in pairs}
        except (TypeError, ValueError):
            raise ValueError(self.rule()) from None
        if checked and not any(checked.values()):
            raise ValueError(self.rule())
        return tuple(sorted(checked.items()))

    def parse(self, text: str) -> tuple[tuple[str, float], ...]:
        """Read `value=number` pairs separated by commas; a comma inside a value is written twice."""
        parts = text.replace(",,", "\0").split(",")
        pairs = [part.replace("\0", ",").rpartition("=") for part in parts if part.strip()]
        if any(not equals for _, equals, _ in pairs):
            raise ValueError(self.rule())
        try:
            return self.check({value.strip(): _SHARE.parse(number) for value, _, number in pairs})
        except ValueError:
            raise ValueError(self.rule()) from None

    def rule(self) -> Message:
        """Say in words what is allowed."""
        return message("value=share pairs, no share below 0 and one above")


_SHARE = Float(low=0)


@dataclass(frozen=True, slots=True)
class Param:
    """One declared parameter as forms, command line and help see it."""

    name: str
    kind: Kind
    default: Json
    label: str
    help: str
    series: tuple[Json, ...] = ()
    """Values worth trying one after the other."""
    among_columns: bool = False
    """Whether it matters only where there are several columns to look at."""
    when: tuple[str, Json] | None = None
    """Another parameter and the value it must have for this one to say something."""
    presets: tuple[tuple[Json, str], ...] = ()
    """Values that somebody recommends or prescribes, each with who does and where."""


def param(
    kind: Kind,
    *,
    default: Json,
    label: str,
    help: str,
    series: tuple[Json, ...] = (),
    among_columns: bool = False,
    when: tuple[str, Json] | None = None,
    presets: tuple[tuple[Json, str], ...] = (),
) -> Any:
    """Declare a dataclass field as a parameter."""
    told = {
        "kind": kind,
        "label": label,
        "help": help,
        "series": series,
        "among_columns": among_columns,
        "when": when,
        "presets": presets,
    }
    return field(default=default, metadata=told)


def params_of(declared: type) -> tuple[Param, ...]:
    """List the parameters a class declares, in order; one that is no dataclass declares none."""
    if not dataclasses.is_dataclass(declared):
        return ()
    return tuple(
        Param(name=f.name, default=f.default, **f.metadata)
        for f in dataclasses.fields(declared)
        if "kind" in f.metadata
    )


def check_params(value: T) -> T:
    """Return the same value with every parameter checked; raises BadParameter with the rule."""
    return from_json(type(value), to_json(value))


def replace_params(value: T, **items: Json) -> T:
    """Give the same with other values of some parameters, unchecked."""
    made: T = dataclasses.replace(value, **items)  # type: ignore[type-var]  # what has parameters is a dataclass
    return made


def to_json(value: object) -> dict[str, Json]:
    """Give the parameters as JSON."""
    return {p.name: _plain(getattr(value, p.name)) for p in params_of(type(value))}


def from_json(declared: type[T], entries: Mapping[str, Json]) -> T:
    """Make the value from JSON; unknown or wrong entries raise BadParameter."""
    return _make(declared, entries, lambda kind, item: kind.check(item))


def from_texts(declared: type[T], entries: Mapping[str, str]) -> T:
    """Make the value from what a person typed; unknown or wrong entries raise BadParameter."""
    return _make(declared, entries, lambda kind, item: kind.parse(item))


def _make(declared: type[T], entries: Mapping[str, Json], read: Any) -> T:
    known = {p.name: p for p in params_of(declared)}
    title = message(declared.title if isinstance(declared, Titled) else declared.__name__)
    unknown = [name for name in entries if name not in known]
    if unknown:
        raise BadParameter(
            message("{title} has no parameter “{name}”.", title=title, name=unknown[0]),
            message("It has: {known}.", known=list(known) or message("none")),
        )
    values = {}
    for name, item in entries.items():
        try:
            values[name] = read(known[name].kind, item)
        except ValueError as error:
            raise BadParameter(
                message(
                    "The parameter “{label}” of {title} must be {rule}.",
                    label=message(known[name].label),
                    title=title,
                    rule=as_message(error.args[0]),
                ),
                message("It was {text!r}.", text=item),
            ) from None
    return declared(**values)


def _plain(value: Json) -> Json:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _inside(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)
