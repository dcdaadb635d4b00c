"""Degrees to metres and back: a local equirectangular projection, or none where the file is in metres already."""

from dataclasses import dataclass

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
