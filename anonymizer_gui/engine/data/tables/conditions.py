"""Conditions on rows: columns compared with values, joined by “and”; read from text and never evaluated as code."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.data.tables.values import parse_day_ordinals, parse_numbers

Flags = npt.NDArray[np.bool_]
_CLAUSE = re.compile(r'\s*(?P<column>"[^"]+"|[^<>=!"]+?)\s*(?P<sign><=|>=|!=|=|<|>)\s*(?P<value>"[^"]*"|[^"]*?)\s*')
_AND = re.compile(r'\s+and\s+(?=(?:[^"]*"[^"]*")*[^"]*$)')
_ORDERS: dict[str, Callable[..., Flags]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Clause:
    """One comparison: equal and unequal compare texts, the others numbers or days."""

    column: str
    sign: str
    value: str

    def of_labels(self, column: Column, decimal: str) -> Flags:
        """Tell which labels of the column meet it; what is no number or day is neither below nor above one."""
        if self.sign in ("=", "!="):
            is_same = np.array([label == self.value for label in column.labels], dtype=np.bool_)
            return is_same if self.sign == "=" else ~is_same
        numbers, fits = parse_numbers([self.value], decimal)
        if fits[0]:
            limit, found = numbers, parse_numbers(column.labels, decimal)[0]
        else:
            limit, found = parse_day_ordinals([self.value]), parse_day_ordinals(column.labels)
        return np.asarray(_ORDERS[self.sign](found, limit[0]))

    def text(self) -> str:
        """Write it as it is read."""
        return f"{_quoted(self.column)}{self.sign}{_quoted(self.value)}"


def parse_condition(text: str, decimal: str = ".") -> tuple[Clause, ...]:
    """Read `age>=65 and sex=Female`; nothing for an empty text. Raises BadParameter.

    >>> [clause.text() for clause in parse_condition('age >= 65 and "marital status"=Married')]
    ['age>=65', '"marital status"=Married']
    """
    return tuple(_clause(part, decimal) for part in _AND.split(text.strip())) if text.strip() else ()


def _clause(text: str, decimal: str) -> Clause:
    found = _CLAUSE.fullmatch(text)
    if found is None:
        raise BadParameter(
            message("“{text}” is no condition.", text=text[:80]), "Write a column, a sign and a value, such as age>=65."
        )
    clause = Clause(found["column"].strip('"'), found["sign"], found["value"].strip('"'))
    is_number, is_day = (
        parse_numbers([clause.value], decimal)[1][0],
        not np.isnan(parse_day_ordinals([clause.value])[0]),
    )
    if clause.sign in _ORDERS and not (is_number or is_day):
        raise BadParameter(
            message("“{value}” is neither a number nor a day that could be compared.", value=clause.value[:80]),
            "Write a number, or a day such as 2024-12-31; conditions are joined by “and” only.",
        )
    return clause


def matching_rows(table: Table, condition: tuple[Clause, ...], decimal: str = ".") -> Flags:
    """Tell which rows meet all of a condition."""
    meets = np.ones(table.n_told, dtype=np.bool_)
    for clause in condition:
        column = table.column(clause.column)
        if len(column):
            meets &= clause.of_labels(column, decimal)[column.codes]
    return meets


def _quoted(text: str) -> str:
    return text if re.fullmatch(r'[^\s<>=!"]+', text) and text not in ("and", "for", "with") else f'"{text}"'
