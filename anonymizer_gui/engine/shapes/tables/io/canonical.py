"""One text for every value: what is equal as a value is equal as a text, whatever type a file stored it in."""

import datetime
import decimal
import json
import math

import numpy as np

_EXACT = 10**15


def canonical(value: object) -> str:
    """Give the text of a value; nothing stands for None, NaN and NaT.

    >>> [canonical(v) for v in (1.0, -0.0, True, 2.5, datetime.datetime(2024, 1, 31), None)]
    ['1', '0', 'TRUE', '2.5', '2024-01-31', '']
    """
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return _number(float(value), str(value))
    return _other(value)


def _number(value: float, shortest: str) -> str:
    """Write whole numbers without a decimal point, others with the fewest digits that tell them apart."""
    return str(int(value)) if math.isfinite(value) and value.is_integer() and abs(value) < _EXACT else shortest


def _other(value: object) -> str:
    if isinstance(value, decimal.Decimal):
        return format(abs(value) if value == 0 else value, "f")
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time() and value.tzinfo is None
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return _bytes(bytes(value))
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, default=canonical, ensure_ascii=False)
    return str(value)


def _bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return "0x" + value.hex()
