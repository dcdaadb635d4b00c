"""Times as seconds since 1970, UTC: ISO 8601, seconds, milliseconds, or a pattern; a zone for those that name none."""

from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.shapes.places.options import TIMES
from anonymizer_gui.engine.shapes.places.projection import Floats

_MILLISECONDS_FROM = 1e11
"""Seconds beyond the year 5000 are milliseconds."""
_OUTSIDE = 1e15
_DAY_FIRST = ("%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%Y")
"""Dots stand behind the day wherever they are used; dates with strokes may begin with either, and must be stated."""


def seconds_of(labels: tuple[str, ...], time_format: str, zone: str) -> tuple[Floats, bool]:
    """Read times; one that cannot be read is NaN. Tells whether any named no zone. Raises BadParameter."""
    import pandas as pd  # takes longer to load than most files to read

    if time_format in ("seconds", "milliseconds", ""):
        numbers = pd.to_numeric(pd.Series(labels, dtype=object), errors="coerce").to_numpy(dtype=float)
        numbers[np.abs(numbers) > _OUTSIDE] = np.nan
        if time_format or np.isfinite(numbers).any():
            is_milli = time_format == "milliseconds" or (not time_format and np.nanmedian(numbers) > _MILLISECONDS_FROM)
            return numbers / 1000.0 if is_milli else numbers, False
    found = _dates(labels, "ISO8601" if time_format in ("", "iso") else time_format, known_zone(zone))
    if time_format or np.isfinite(found[0]).any():
        return found
    others = [_dates(labels, pattern, known_zone(zone)) for pattern in _DAY_FIRST]
    return max(others, key=lambda read: int(np.isfinite(read[0]).sum()))


def known_zone(zone: str) -> ZoneInfo:
    """Give a zone by its name; raises BadParameter."""
    try:
        return ZoneInfo(zone or "UTC")
    except (ValueError, OSError, LookupError):
        raise BadParameter(
            message("There is no time zone “{zone}”.", zone=zone[:60]), "Use a name such as Europe/Berlin or UTC."
        ) from None


def _dates(labels: tuple[str, ...], pattern: str, zone: ZoneInfo) -> tuple[Floats, bool]:
    import pandas as pd

    texts = pd.Series(labels, dtype=object)
    try:
        read = pd.to_datetime(texts, format=pattern, errors="coerce", utc=True)
    except (ValueError, TypeError):
        raise BadParameter(
            message("“{pattern}” is no pattern of a time.", pattern=pattern[:60]),
            message("Use one of {known}, or a pattern such as %d.%m.%Y %H:%M.", known=list(TIMES)),
        ) from None
    says_zone = texts.astype(str).str.contains(r"(?:Z|[+-]\d{2}:?\d{2})$", regex=True).to_numpy()
    bare = read.dt.tz_localize(None)
    local = bare.dt.tz_localize(zone, ambiguous=np.ones(len(bare), dtype=bool), nonexistent="shift_forward")
    zoned, unzoned = _seconds(read), _seconds(local.dt.tz_convert("UTC"))
    return np.where(says_zone, zoned, unzoned), bool((~says_zone & np.isfinite(unzoned)).any())


def _seconds(times: Any) -> Floats:
    import pandas as pd

    since: Any = (times - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(seconds=1)
    found: Floats = since.to_numpy(dtype=float)
    return found
