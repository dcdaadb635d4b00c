"""The order of the values of a column: by number, by date, as in a list, or as texts; missing comes last."""

import math
from collections.abc import Callable, Iterable
from datetime import datetime

from anonymizer_gui.engine.rooms.microdata.recount.asked import Order

Reader = Callable[[str], float | None]
_ISO = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S")
_SECONDS_OF_A_DAY = 86_400


def in_order(texts: Iterable[str], order: Order, is_missing: Callable[[str], bool]) -> list[str]:
    """Sort texts; equal numbers and what has no place in the order follow as texts."""
    different = set(texts)
    present = [text for text in different if not is_missing(text)]
    place = _place(order, present)
    return sorted(different, key=lambda text: (is_missing(text), _or_last(place(text)), text))


def is_counted(order: Order, present: Iterable[str]) -> bool:
    """Say whether the order is that of numbers or dates."""
    return _decided(order, list(present)).kind not in ("list", "text")


def value_reader(order: Order, present: Iterable[str]) -> Reader:
    """Give what reads a text as a number or a day; as either, where the order does not say which."""
    decided = _decided(order, list(present))
    if decided.kind == "number":
        return lambda text: number_of(text, decided.format or ".")
    if decided.kind == "date":
        return lambda text: day_of(text, decided.format)
    return _either


def number_of(text: str, mark: str = ".") -> float | None:
    """Read a number with this decimal mark, or nothing.

    >>> number_of("1,5", ","), number_of("1.5", ","), number_of("1_0"), number_of("nan")
    (1.5, None, None, None)
    """
    if not set(text) <= {*"0123456789+-eE", mark}:
        return None
    try:
        value = float(text.replace(mark, "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def day_of(text: str, date_format: str = "") -> float | None:
    """Read a date of this format, else of ISO; give its day ordinal with the time as a part of a day, or nothing.

    >>> day_of("1970-01-01 12:00"), day_of("2024-02-30")
    (719163.5, None)
    """
    for form in (date_format,) if date_format else _ISO:
        try:
            moment = datetime.strptime(text, form)
        except ValueError:
            continue
        seconds = moment.hour * 3600 + moment.minute * 60 + moment.second
        return moment.toordinal() + seconds / _SECONDS_OF_A_DAY
    return None


def _either(text: str) -> float | None:
    number = number_of(text)
    return day_of(text) if number is None else number


def _decided(order: Order, present: list[str]) -> Order:
    """Decide what an order without a kind is."""
    if order.kind != "auto":
        return order
    if not present or any(_either(text) is None for text in present):
        return Order("text")
    return Order("value")


def _place(order: Order, present: list[str]) -> Reader:
    decided = _decided(order, present)
    if decided.kind == "list":
        at = {text: float(place) for place, text in enumerate(decided.values)}
        return at.get
    return (lambda text: None) if decided.kind == "text" else value_reader(decided, present)


def _or_last(place: float | None) -> float:
    return math.inf if place is None else place
