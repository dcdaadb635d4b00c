"""Tracks at common instants: linear between points, ends trimmed, and sorted into spans of the same times."""

import itertools
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.data.places.places import Floats, Ints, Places
from anonymizer_gui.engine.rooms.places.tracks.grouped import RARE, SHORT

_MOST_IN_A_UNIT, _UNITS = 16, 4
"""In relative time spans end at multiples of so many steps, so that many tracks share one; the usual track has at least
so many units, or short ones would be cut down to a point."""
_TRIED = 64
"""In absolute time units up to so many steps are tried."""
_MOST_STEPS = 2000
"""Steps of the longest span: a longer track is cut into no more, by a wider step."""
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Span:
    """The instants some tracks are published at: the first, and how many steps follow."""

    first: int
    steps: int


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """Tracks by span, each with its places at the instants of the span; those that fit in none, with the reason."""

    spans: dict[Span, tuple[list[int], list[Floats]]]
    lost: dict[int, str]
    step: float
    cut: int
    trimmed: dict[int, float]


def usual_step(places: Places) -> float:
    """Give the usual time between two points of a track, in seconds."""
    inner = np.diff(places.track_of) == 0
    steps = np.diff(places.t)[inner]
    return max(float(np.median(steps)), 1.0) if len(steps) else 1.0


def trimmed_ends(x: Floats, y: Floats, metres: float) -> slice:
    """Give what is left of a track without the beginning near its first and the end near its last point."""
    if not metres or not len(x):
        return slice(0, len(x))
    away = np.flatnonzero(np.hypot(x - x[0], y - y[0]) > metres)
    back = np.flatnonzero(np.hypot(x - x[-1], y - y[-1]) > metres)
    if not len(away) or not len(back):
        return slice(0, 0)
    return slice(int(away[0]), int(back[-1]) + 1)


def sampled(places: Places, k: int, step: float, trim: float, *, is_relative: bool) -> Sampled:
    """Bring tracks to common instants, in spans that at least k people share where that is possible.

    In relative time only the length counts, and a length that too few have is cut to the next shorter one.
    """
    step = step or usual_step(places)
    longest = max((float(places.t[end - 1] - places.t[begin]) for begin, end in _ends(places)), default=0.0)
    step = max(step, longest / _MOST_STEPS)
    kept, off = _trimmed(places, trim)
    unit = _unit(places, kept, step) if is_relative else _unit_of_the_day(places, kept, step, k)
    spans: dict[Span, list[int]] = {}
    lost = {track: SHORT for track in range(len(places)) if track not in kept}
    for track, part in kept.items():
        span = _span(places.t[part], step, unit, is_relative)
        if span is None:
            lost[track] = SHORT
        else:
            spans.setdefault(span, []).append(track)
    if is_relative:
        _shorten(spans, k, places)
    for span in [span for span, tracks in spans.items() if _people(places, tracks) < k]:
        lost |= dict.fromkeys(spans.pop(span), RARE)
    cut = sum(_steps(places.t[kept[track]], step) - span.steps for span, tracks in spans.items() for track in tracks)
    found = {
        span: (tracks, [_at_instants(places, kept[track], span, step, is_relative) for track in tracks])
        for span, tracks in sorted(spans.items(), key=lambda item: (item[0].first, item[0].steps))
    }
    return Sampled(found, lost, step, cut, off)


def _ends(places: Places) -> list[tuple[int, int]]:
    starts = places.starts.tolist()
    return list(itertools.pairwise(starts))


def _length(places: Places, part: slice) -> float:
    return float(np.hypot(np.diff(places.x[part]), np.diff(places.y[part])).sum())


def _people(places: Places, tracks: list[int]) -> int:
    return len(set(places.person_of[tracks].tolist()))


def _trimmed(places: Places, trim: float) -> tuple[dict[int, slice], dict[int, float]]:
    """Give the points that are left of each track, and how many metres were trimmed."""
    kept: dict[int, slice] = {}
    off: dict[int, float] = {}
    for track, (begin, end) in enumerate(_ends(places)):
        left = trimmed_ends(places.x[begin:end], places.y[begin:end], trim)
        part = slice(begin + left.start, begin + left.stop)
        if trim:
            off[track] = _length(places, slice(begin, end)) - _length(places, part)
        if part.stop > part.start:
            kept[track] = part
    return kept, off


def _steps(t: Floats, step: float) -> int:
    """Count the whole steps from the first point to the last."""
    return int((t[-1] - t[0]) / step + _TINY)


def _unit(places: Places, kept: dict[int, slice], step: float) -> int:
    """Give how many steps a span grows by: of those that cut off least of a usual track, the longest."""
    usual = int(np.median([_steps(places.t[part], step) for part in kept.values()])) if kept else 0
    most = min(_MOST_IN_A_UNIT, max(usual // _UNITS, 1))
    return max(range(most // 2 + 1, most + 1), key=lambda unit: (-(usual % unit), unit))


def _unit_of_the_day(places: Places, kept: dict[int, slice], step: float, k: int) -> int:
    """Give how many steps lie between the instants at which spans begin and end: pi of Abul et al.

    The coarser, the more people share a span and the shorter it is: the one by which most points are left is taken.
    """
    begin, end = (np.array([places.t[part][at] for part in kept.values()]) for at in (0, -1))
    people = places.person_of[np.array(list(kept), dtype=np.int64)]

    def left(unit: int) -> int:
        first, last = _within(begin, end, step * unit)
        some = np.flatnonzero(last >= first)
        _spans, span = np.unique(np.column_stack([first, last])[some], axis=0, return_inverse=True)
        shared = np.unique(np.column_stack([span.reshape(-1), people[some]]), axis=0)[:, 0]
        is_shared = np.bincount(shared, minlength=1)[span.reshape(-1)] >= k
        return int(((last - first)[some] * unit + 1)[is_shared].sum())

    return max(range(1, _TRIED + 1), key=lambda unit: (left(unit), unit))


def _within(begin: Floats, end: Floats, width: float) -> tuple[Ints, Ints]:
    """Give the first and the last multiple of a width between two instants."""
    first, last = np.ceil(begin / width - _TINY), np.floor(end / width + _TINY)
    return first.astype(np.int64), last.astype(np.int64)


def _span(t: Floats, step: float, unit: int, is_relative: bool) -> Span | None:
    width = step * unit
    if is_relative:
        return Span(0, _steps(t, width) * unit)
    first, last = (int(at[0]) for at in _within(t[:1], t[-1:], width))
    return Span(first * unit, (last - first) * unit) if last >= first else None


def _shorten(spans: dict[Span, list[int]], k: int, places: Places) -> None:
    """Cut lengths that too few tracks have to the next shorter one, from the longest on."""
    for span in sorted(spans, key=lambda span: -span.steps):
        shorter = max((other.steps for other in spans if other.steps < span.steps), default=-1)
        if _people(places, spans[span]) < k and shorter >= 0:
            spans[Span(0, shorter)] += spans.pop(span)


def _at_instants(places: Places, part: slice, span: Span, step: float, is_relative: bool) -> Floats:
    t = places.t[part]
    instants = (np.arange(span.steps + 1) + span.first) * step + (t[0] if is_relative else 0.0)
    return np.column_stack([np.interp(instants, t, places.x[part]), np.interp(instants, t, places.y[part])])
