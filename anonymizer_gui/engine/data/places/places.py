"""Degrees to metres and back: a local equirectangular projection, or none where the file is in metres already."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

EARTH = 6_371_008.8
"""Mean radius of the earth in metres."""

_HALF, FULL_TURN = 180.0, 360.0

_LEAST_COSINE = 1e-6


@dataclass(frozen=True, slots=True)
class Projection:
    """Metres east and north of a place in the middle of the data; a metric file keeps its own numbers.

    >>> there = Projection(True, 41.15, -8.61)
    >>> x, y = there.metres(np.array([-8.60]), np.array([41.16]))
    >>> round(float(x[0])), round(float(y[0]))
    (837, 1112)
    """

    is_degrees: bool = False
    latitude: float = 0.0
    longitude: float = 0.0

    @classmethod
    def around(cls, longitudes: Floats, latitudes: Floats) -> "Projection":
        """Find the middle: the mean direction of the longitudes, for the antimeridian is no border.

        It is published, so it is rounded: exactly, it would tell where the northernmost person is.
        """
        if not len(longitudes):
            return cls(True)
        turned = np.radians(longitudes)
        middle = float(np.degrees(np.arctan2(np.sin(turned).mean(), np.cos(turned).mean())))
        return cls(True, round(float(latitudes.min() + latitudes.max()) / 2, 2), round(middle, 2))

    def metres(self, longitudes: Floats, latitudes: Floats) -> tuple[Floats, Floats]:
        """Project degrees; what is metric already stays."""
        if not self.is_degrees:
            return longitudes, latitudes
        east = (longitudes - self.longitude + _HALF) % FULL_TURN - _HALF
        return np.radians(east) * EARTH * self._shrink(), np.radians(latitudes - self.latitude) * EARTH

    def degrees(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Give longitudes and latitudes of metres; what is metric stays."""
        if not self.is_degrees:
            return x, y
        east = np.degrees(x / (EARTH * self._shrink())) + self.longitude
        return (east + _HALF) % FULL_TURN - _HALF, np.degrees(y / EARTH) + self.latitude

    def metres_per_degree(self) -> tuple[float, float]:
        """Give how many metres a degree of longitude and one of latitude are."""
        north = float(np.radians(1.0)) * EARTH
        return north * self._shrink(), north

    def distortion(self, y: Floats) -> float:
        """Tell by which share widths are wrong at the northern or southern edge of the data."""
        if not self.is_degrees or not len(y):
            return 0.0
        edges = np.radians(self.latitude + np.degrees(np.array([y.min(), y.max()]) / EARTH))
        return float(np.abs(np.cos(edges) / self._shrink() - 1.0).max())

    def _shrink(self) -> float:
        return max(float(np.cos(np.radians(self.latitude))), _LEAST_COSINE)


Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Places:
    """Track i has the points `starts[i]:starts[i + 1]` of x, y (metres) and t (seconds since 1970, UTC).

    `person_of` numbers the person of each track; several tracks may be of one person.

    >>> found = Places.of(["b", "a", "b"], [3.0, 0.0, 1.0], [0.0, 0.0, 0.0], [60.0, 0.0, 0.0])
    >>> found.names, found.x.tolist(), found.sizes.tolist()
    (('a', 'b'), [0.0, 1.0, 3.0], [1, 2])
    """

    names: tuple[str, ...]
    starts: Ints
    x: Floats
    y: Floats
    t: Floats
    person_of: Ints
    projection: Projection
    has_time: bool = True
    doubles: tuple[tuple[str, float], ...] = ()
    """Of points at the instant of another of their track, which were left out: the first ones, by track and time."""
    n_doubles: int = 0

    @classmethod
    def of(
        cls,
        tracks: Sequence[str],
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        t: npt.ArrayLike | None = None,
        projection: Projection | None = None,
    ) -> "Places":
        """Make places of points in metres, each with the name of its track; without times, their order counts."""
        names, codes = np.unique(np.asarray(tracks, dtype=object).astype(str), return_inverse=True)
        return cls.from_codes(
            tuple(names.tolist()), codes.astype(np.int64), np.asarray(x, dtype=float), np.asarray(y, dtype=float),
            None if t is None else np.asarray(t, dtype=float), projection or Projection(),
        )  # fmt: skip

    @classmethod
    def from_codes(
        cls, names: tuple[str, ...], codes: Ints, x: Floats, y: Floats, t: Floats | None, projection: Projection
    ) -> "Places":
        """Put points in order; a name without a point is dropped."""
        times = np.arange(len(codes), dtype=float) if t is None else t
        order = np.lexsort((times, codes))
        counts = np.bincount(codes, minlength=len(names)) if len(codes) else np.zeros(len(names), dtype=np.int64)
        kept = np.flatnonzero(counts)
        starts = np.concatenate([[0], np.cumsum(counts[kept])]).astype(np.int64)
        return cls(
            tuple(names[at] for at in kept.tolist()), starts, x[order], y[order], times[order],
            np.arange(len(kept), dtype=np.int64), projection, t is not None,
        )  # fmt: skip

    def __len__(self) -> int:
        """The number of tracks."""
        return len(self.names)

    @property
    def n_points(self) -> int:
        """The number of points."""
        return len(self.x)

    @property
    def n_people(self) -> int:
        """The number of people."""
        return len(np.unique(self.person_of))

    @cached_property
    def sizes(self) -> Ints:
        """The number of points of every track."""
        return np.diff(self.starts)

    @cached_property
    def track_of(self) -> Ints:
        """The track of every point."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.sizes)

    def points(self, track: int) -> slice:
        """Give where the points of a track are."""
        return slice(int(self.starts[track]), int(self.starts[track + 1]))

    def extent(self) -> tuple[float, float, float, float]:
        """Give west, south, east and north of all points; zeros when there is none."""
        if not self.n_points:
            return 0.0, 0.0, 0.0, 0.0
        return float(self.x.min()), float(self.y.min()), float(self.x.max()), float(self.y.max())

    def take(self, tracks: Sequence[int] | Ints) -> "Places":
        """Keep some tracks, in the order given."""
        chosen = np.asarray(tracks, dtype=np.int64)
        sizes = self.sizes[chosen]
        ends = np.cumsum(sizes)
        at = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(self.starts[chosen] - (ends - sizes), sizes)
        starts = np.concatenate([[0], ends]).astype(np.int64)
        names = tuple(self.names[track] for track in chosen.tolist())
        return replace(
            self, names=names, starts=starts, x=self.x[at], y=self.y[at], t=self.t[at], person_of=self.person_of[chosen]
        )

    def where(self, kept: npt.NDArray[np.bool_]) -> "Places":
        """Keep some points; a track without any is dropped."""
        counts = np.bincount(self.track_of[kept], minlength=len(self))
        left = np.flatnonzero(counts)
        starts = np.concatenate([[0], np.cumsum(counts[left])]).astype(np.int64)
        names = tuple(self.names[track] for track in left.tolist())
        return replace(
            self, names=names, starts=starts, x=self.x[kept], y=self.y[kept], t=self.t[kept],
            person_of=self.person_of[left],
        )  # fmt: skip

    def latest(self, until: float = np.inf) -> tuple[Ints, Floats, Floats]:
        """Give where everybody was last, or last until some time: people by number, metres east and north."""
        seen = np.flatnonzero(self.t <= until)
        people = self.person_of[self.track_of[seen]]
        order = np.lexsort((seen, self.t[seen], people))
        last = np.flatnonzero(np.diff(people[order], append=-1))
        at = seen[order[last]]
        return people[order[last]], self.x[at], self.y[at]
