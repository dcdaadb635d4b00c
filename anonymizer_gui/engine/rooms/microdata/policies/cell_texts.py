"""What a published cell gives away of an age, a date or an area, read from its text alone."""

import math
import re

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MASKED = re.compile(r"\s*(\d+)([*xX]+)\s*")
_UPWARD = re.compile(r"[+>≥∞]|\b(?:inf|older|over|above|more|mehr|älter|uber|über|ab|ve üstü|üstü)\b", re.IGNORECASE)
_DOWNWARD = re.compile(r"[<≤]|\b(?:under|below|younger|unter|jünger|bis|altı)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|2[01])(?:\d{2}|\d\*|\*\*)(?!\d)")
_WHOLE_YEARS = re.compile(r"(?<=\d{4})-(?:01-01|12-31)(?!\d)")
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|oca|şub|nis|haz|tem|ağu|eyl|eki|kas|ara)",
    re.IGNORECASE,
)
_ZIP_RANGE = re.compile(r"\D*(\d{3})00\s*-\s*(\d{3})99\D*")
_DIGITS = re.compile(r"\d+")
LIKE_A_DATE = re.compile(
    r"\d{4}-\d{2}(-\d{2})?([ T].*)?|\d{1,2}[./-]\d{1,2}[./-](\d{2}|\d{4})|\d{8}(?=\Z)|\d{4}-?[QW]\d{1,2}"
)
"""The common ways of writing a day, month or quarter."""


def span_of(text: str) -> tuple[float, float] | None:
    """Give the lowest and highest number a cell allows; None where it names no number.

    >>> span_of("35-39"), span_of("90+"), span_of("< 18"), span_of("9*"), span_of("*")
    ((35.0, 39.0), (90.0, inf), (-inf, 18.0), (90.0, 99.0), None)
    """
    masked = _MASKED.fullmatch(text)
    if masked:
        digits, hidden = masked[1], len(masked[2])
        return float(digits + "0" * hidden), float(digits + "9" * hidden)
    numbers = [float(number) for number in _NUMBER.findall(text)]
    if not numbers:
        return None
    low = -math.inf if _DOWNWARD.search(text) else min(numbers)
    return low, math.inf if _UPWARD.search(text) else max(numbers)


def is_year_at_most(text: str) -> bool:
    """Tell whether a cell of dates gives away nothing finer than a year.

    >>> [is_year_at_most(text) for text in ("1984", "1980-1989", "19**", "*", "[1980-01-01, 1985-01-01[")]
    [True, True, True, True, True]
    >>> [is_year_at_most(text) for text in ("1984-03", "Mar 1984", "1984-Q1", "03/84", "1984-01-01")]
    [False, False, False, False, False]
    """
    is_range = len(_YEAR.findall(text)) > 1
    left = _YEAR.sub("", _WHOLE_YEARS.sub("", text) if is_range else text)
    return not _DIGITS.search(left) and not _MONTH.search(left)


def area_of(text: str) -> str | None:
    """Give the three digits of a postal area that a cell names: empty for none or fewer, None for more than three.

    >>> area_of("021**"), area_of("02100-02199"), area_of("0****"), area_of("02139"), area_of("*")
    ('021', '021', '', None, '')
    """
    spanned = _ZIP_RANGE.fullmatch(text)
    if spanned and spanned[1] == spanned[2]:
        return spanned[1]
    groups = _DIGITS.findall(text)
    if not groups or (len(groups) == 1 and len(groups[0]) < 3):
        return ""
    return groups[0] if len(groups) == 1 and len(groups[0]) == 3 else None
