"""Tracks at common instants: linear between points, ends trimmed, and sorted into spans of the same times."""

import itertools
from dataclasses import dataclass

import numpy as np

from anonymizer_gui.engine.rooms.places.tracks.grouped import RARE, SHORT
from anonymizer_gui.engine.shapes.places.places import Places
from anonymizer_gui.engine.shapes.places.projection import Floats

SPAN_STEPS = 16
"""Spans begin and end at multiples of so many steps, so that many tracks share one."""
_MOST_STEPS = 2000
"""Steps of the longest span: a longer track is cut into no more, by a wider step."""


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
    spans: dict[Span, list[int]] = {}
    lost: dict[int, str] = {}
    kept: dict[int, slice] = {}
    off: dict[int, float] = {}
    for track, (begin, end) in enumerate(_ends(places)):
        left = trimmed_ends(places.x[begin:end], places.y[begin:end], trim)
        part = slice(begin + left.start, begin + left.stop)
        if trim:
            off[track] = _length(places, slice(begin, end)) - _length(places, part)
        span = _span(places.t[part], step, is_relative) if part.stop > part.start else None
        if span is None:
            lost[track] = SHORT
        else:
            kept[track] = part
            spans.setdefault(span, []).append(track)
    cut = _shortened(spans, k, places) if is_relative else 0
    for span in [span for span, tracks in spans.items() if _people(places, tracks) < k]:
        lost |= dict.fromkeys(spans.pop(span), RARE)
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


def _span(t: Floats, step: float, is_relative: bool) -> Span | None:
    width = step * SPAN_STEPS
    if is_relative:
        return Span(0, int((t[-1] - t[0]) / width + 1e-9) * SPAN_STEPS)
    first, last = int(np.ceil(t[0] / width - 1e-9)), int(np.floor(t[-1] / width + 1e-9))
    return Span(first * SPAN_STEPS, (last - first) * SPAN_STEPS) if last >= first else None


def _shortened(spans: dict[Span, list[int]], k: int, places: Places) -> int:
    """Cut lengths that too few tracks have to the next shorter one, from the longest on; counts the instants cut."""
    cut = 0
    for span in sorted(spans, key=lambda span: -span.steps):
        shorter = max((other.steps for other in spans if other.steps < span.steps), default=-1)
        if _people(places, spans[span]) < k and shorter >= 0:
            cut += (span.steps - shorter) * len(spans[span])
            spans[Span(0, shorter)] += spans.pop(span)
    return cut


def _at_instants(places: Places, part: slice, span: Span, step: float, is_relative: bool) -> Floats:
    t = places.t[part]
    instants = (np.arange(span.steps + 1) + span.first) * step + (t[0] if is_relative else 0.0)
    return np.column_stack([np.interp(instants, t, places.x[part]), np.interp(instants, t, places.y[part])])
