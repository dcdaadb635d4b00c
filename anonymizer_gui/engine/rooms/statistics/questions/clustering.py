"""K-means with noise.

Nothing here sees private numbers but `nearest`; the rest works on noisy ones and costs nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Float, Int, Json, ListOf, Text, param
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.mechanisms.contract import USUAL_SHARE, Mechanism
from anonymizer_gui.engine.rooms.statistics.public_domains import exact_bound, grid_of, parse_column_numbers
from anonymizer_gui.engine.rooms.statistics.question import (
    NOISES,
    QUESTIONS,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Question,
    Step,
    cost_of,
    format_number,
    parse_number,
    quote_word,
    unquote,
)
from anonymizer_gui.engine.rooms.statistics.synthesis import project_to_simplex

Floats = npt.NDArray[np.float64]

_TRIED = 2048

_AT_ONCE = 1 << 16

_ROUNDS = 60

_STARTS = 8

_EDGE = 0.8


def initial_centres(clusters: int, columns: int, number: int = 0) -> Floats:
    """Give centres far from each other and from the edges, the same ones every time; nothing of them is private."""
    tried = _spread(_TRIED, columns, number) * _EDGE
    chosen = [number % _TRIED]
    distances = np.linalg.norm(tried - tried[chosen[0]], axis=1)
    while len(chosen) < clusters:
        farthest = int(np.argmax(distances))
        chosen.append(farthest)
        distances = np.minimum(distances, np.linalg.norm(tried - tried[farthest], axis=1))
    return tried[chosen]


def _spread(count: int, columns: int, number: int) -> Floats:
    """Spread points evenly between -1 and 1: multiples of the roots of the golden ratio's equation."""
    ratio = 2.0
    for _ in range(40):
        ratio = (1 + ratio) ** (1 / (columns + 1))
    steps = ratio ** -np.arange(1, columns + 1)
    return np.asarray(2 * ((0.5 + np.outer(np.arange(1, count + 1) + number, steps)) % 1) - 1)


def assign_clusters(points: Floats, centres: Floats) -> Ints:
    """Give the place of the nearest centre of every point."""
    found = np.empty(len(points), dtype=np.int64)
    squares = (centres * centres).sum(axis=1)
    for start in range(0, len(points), _AT_ONCE):
        part = points[start : start + _AT_ONCE]
        found[start : start + _AT_ONCE] = np.argmin(squares - 2 * part @ centres.T, axis=1)
    return found


def update_centres(centres: Floats, sizes: Floats, sums: Floats, least: float) -> Floats:
    """Move centres to the means of their clusters; one whose size is lost in the noise stays where it is."""
    is_known = sizes > least
    means = sums / np.where(is_known, sizes, 1.0)[:, np.newaxis]
    return np.where(is_known[:, np.newaxis], np.clip(means, -1, 1), centres)


def shrink_centres(centres: Floats, sizes: Floats, sums: Floats, spreads: tuple[float, float]) -> Floats:
    """Move centres towards the means of their clusters, less far the more of the way may be noise (shrinkage).

    A mean is expected as far away as any point of a cell, of as many equal cells as there are centres: a step is taken
    by the share that such ways have in what is seen of them. `spreads` are those of the noise of sizes and of sums.
    """
    many = np.maximum(sizes, 1.0)[:, np.newaxis]
    steps = (sums - sizes[:, np.newaxis] * centres) / many
    noise = ((spreads[0] * centres) ** 2 + spreads[1] ** 2) / many**2
    expected = len(centres) ** (-2 / centres.shape[1]) / 3
    taken = np.where(sizes[:, np.newaxis] > 1.0, expected / (expected + noise), 0.0)
    return np.asarray(np.clip(centres + taken * steps, -1, 1))


def cluster_cells(places: Floats, weights: Floats, clusters: int) -> tuple[Floats, Floats]:
    """Cluster weighted cells by ordinary k-means from several beginnings; give the best centres and their weights."""
    best: tuple[float, Floats] | None = None
    starts = [_heavy_and_far(places, weights, clusters)]
    starts += [initial_centres(clusters, places.shape[1], 97 * number) for number in range(_STARTS)]
    for start in starts:
        centres = _settled(places, weights, start)
        loss = float(weights @ _square_distances(places, centres))
        best = (loss, centres) if best is None or loss < best[0] else best
    found = best[1] if best is not None else initial_centres(clusters, places.shape[1])
    return found, cluster_weights(assign_clusters(places, found), weights, clusters)


def cluster_weights(belongs: Ints, weights: npt.NDArray[Any], clusters: int) -> Floats:
    """Add up the weights of each cluster."""
    return np.asarray(np.bincount(belongs, weights, minlength=clusters), dtype=np.float64)


def _heavy_and_far(places: Floats, weights: Floats, clusters: int) -> Floats:
    """Begin at the heaviest cell, then at cells that are heavy and far from those chosen."""
    chosen = [int(np.argmax(weights))]
    away = ((places - places[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < clusters:
        chosen.append(int(np.argmax(weights * away)))
        away = np.minimum(away, ((places - places[chosen[-1]]) ** 2).sum(axis=1))
    return places[chosen]


def _settled(places: Floats, weights: Floats, centres: Floats) -> Floats:
    for _ in range(_ROUNDS):
        belongs = assign_clusters(places, centres)
        sizes = cluster_weights(belongs, weights, len(centres))
        sums = np.stack([cluster_weights(belongs, weights * axis, len(centres)) for axis in places.T], axis=1)
        moved = update_centres(centres, sizes, sums, 0.0)
        if np.allclose(moved, centres):
            break
        centres = moved
    return centres


def _square_distances(places: Floats, centres: Floats) -> Floats:
    away = places - centres[assign_clusters(places, centres)]
    return np.asarray((away * away).sum(axis=1))


HALF = 1000
"""A coordinate is counted from the middle of its bounds in so many steps to either side."""

WAYS = {
    "auto": "The better one: a grid for one or two columns, rounds for more",
    "rounds": "Rounds, with the better split of the budget",
    "halves": "Rounds, sizes and sums with half of the budget each",
    "grid": "A noisy grid, then ordinary k-means on it",
}

_USUAL_ROUNDS, _FEWEST, _MOST = 5, 2, 7

_RHO = 0.225

_SCOUTS = 10
"""The first round looks at so many places for each cluster."""

_MOST_SCOUTS = 200

_TOO_LITTLE = 0.25

_FEWEST_KNOWN = 50

_MOST_CELLS = 250_000

_CELLS_ACROSS = 3
"""A grid has so many cells along each column for a cluster: with fewer, two clusters fall into one cell."""


@QUESTIONS.register
@dataclass(frozen=True, slots=True)
class KMeans(Question):
    """Centres and noisy sizes of clusters, never who belongs to which nor how far anybody is from a centre.

    Su, Cao, Li, Bertino and Jin, Differentially private k-means clustering, CODASPY 2016: rounds whose sizes and sums
    are noisy, and a grid of noisy counts for few columns. Centres begin at public places; how far they move towards a
    noisy mean depends on how much of it is noise, which is public too.
    """

    name: ClassVar[str] = "k-means"
    title: ClassVar[str] = "Clusters (k-means)"
    summary: ClassVar[str] = "Centres and sizes of clusters of rows that are near each other in some columns."
    verbs: ClassVar[tuple[str, ...]] = ("k-means",)
    usage: ClassVar[str] = "k-means NUMBER COLUMN LOW HIGH [COLUMN2 LOW HIGH ...]"
    example: ClassVar[str] = "k-means 3 age 0 100 income 0 200000"
    has_interval: ClassVar[bool] = False
    is_adaptive: ClassVar[bool] = True
    charted: ClassVar[str] = " rows"

    clusters: int = param(Int(low=1, high=100), default=3, label="Clusters", help="How many centres are wanted.")
    features: tuple[str, ...] = param(
        ListOf(Text(column=True)), default=(), label="Columns", help="The columns whose numbers are clustered."
    )
    lows: tuple[float, ...] = param(
        ListOf(Float()), default=(), label="Lower bounds", help="The smallest value of each column."
    )
    highs: tuple[float, ...] = param(
        ListOf(Float()), default=(), label="Upper bounds", help="The largest value of each column."
    )
    way: str = param(Choice(WAYS), default="auto", label="Way", help="How the centres are found.")
    rounds: int = param(Int(low=0, high=50), default=0, label="Rounds", help="How many rounds; 0 for a good number.")
    noise: str = param(NOISES, default="laplace", label="Noise", help="What hides a single row.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        """Take a number, and columns with their bounds."""
        clusters = parse_number(words[0]) if words else None
        if clusters is None or clusters != int(clusters) or clusters < 1 or len(words) < 4 or len(words) % 3 != 1:
            return None
        lows, highs = ([parse_number(word) for word in words[at::3]] for at in (2, 3))
        if any(number is None for number in (*lows, *highs)):
            return None
        names = tuple(unquote(word) for word in words[1::3])
        return cls(int(clusters), names, tuple(map(float, lows)), tuple(map(float, highs)))  # type: ignore[arg-type]

    def words(self) -> tuple[str, ...]:
        """Give number, columns and bounds."""
        both = zip(self.features, self.lows, self.highs, strict=True)
        sides = [
            word for name, low, high in both for word in (quote_word(name), format_number(low), format_number(high))
        ]
        return "k-means", str(self.clusters), *sides

    def columns(self) -> tuple[str, ...]:
        """Name the columns."""
        return self.features

    def labels(self, public: PublicKnowledge) -> tuple[str, ...]:
        """Name the coordinates and the size of each centre."""
        of_each = [*self.features, self.charted.strip()]
        return tuple(f"{place + 1} {name}" for place in range(self.clusters) for name in of_each)

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        """Send a grid once, or sizes and sums of all clusters in every round; each round has the same share."""
        self._refuse_bounds()
        if self._is_grid():
            return (Step(self.noise, sensitivity.histogram(public.unit), self._side(public) ** len(self.features)),)
        rounds = self._rounds(public)
        moved = sensitivity.clustered(public.unit, len(self.features), HALF, self._factor())
        each = [
            Step(self.noise, moved, places * (1 + len(self.features)), Fraction(1, rounds)) for places in self._places()
        ]
        return (each[0], *(each[1],) * (rounds - 1))

    def counted(self, data: Table, public: PublicKnowledge) -> tuple[Ints, ...]:
        """Give the numbers of the first step."""
        return (self.counted_after(self.prepared(data, public), public, ()),)

    def counted_after(self, data: Ints, public: PublicKnowledge, noisy: Sequence[Ints]) -> Ints:
        """Count the cells of the grid, or sizes and sums of the clusters around the centres so far."""
        if self._is_grid():
            return self._in_cells(data, self._side(public))
        centres = self._centres(noisy, public)[0]
        return self._sizes_and_sums(data, assign_clusters(data / HALF, centres), len(centres))

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        """Tell centres in the units of their columns, and noisy sizes."""
        if self._is_grid():
            centres, sizes = self._from_grid(noisy[0], self._side(public))
        else:
            centres, sizes = self._centres(noisy.numbers, public)
            sizes = np.rint(sizes)
        middles, halves = self._scales()
        told = np.column_stack([centres * halves + middles, sizes]).round(6)
        values = [int(v) if at == len(self.features) else float(v) for row in told for at, v in enumerate(row)]
        return AnswerValue(
            values=tuple(zip(self.labels(public), values, strict=True)), notes=self._warning(noisy, sizes)
        )

    def facts(self, public: PublicKnowledge) -> dict[str, Json]:
        """Tell the number of rounds, 0 for a grid."""
        return {"rounds": 0 if self._is_grid() else self._rounds(public)}

    def why(self, public: PublicKnowledge) -> str:
        """Say it for a grid, or for a round."""
        if self._is_grid():
            return self.steps(public)[0].sensitivity.why
        return message(
            "In each of {rounds} rounds a row is in one cluster: it moves one size, and the sum of each column by at "
            "most half of its bounds. The rounds share the budget.",
            rounds=self._rounds(public),
        )

    def size(self, public: PublicKnowledge) -> Fraction:
        """Give what one whole number is in rows: a row counts as much in a size as its coordinates may in the sums."""
        return Fraction(1) if self._is_grid() else Fraction(1, self._factor())

    def typical(self, public: PublicKnowledge) -> float | None:
        """Compare with clusters of the same size."""
        return public.assumed / self.clusters or None

    def simulated(self, public: PublicKnowledge, rows: int) -> tuple[Ints, ...]:
        """Give the numbers of the first step for clusters that are made up."""
        return (self.simulated_after(public, rows, ()),)

    def simulated_after(self, public: PublicKnowledge, rows: int, noisy: Sequence[Ints]) -> Ints:
        """Count made-up rows."""
        points = self.made_up_points(rows)
        each = max(rows // len(points), 1)
        whole = np.rint(points * HALF).astype(np.int64)
        if self._is_grid():
            return self._in_cells(whole, self._side(public)) * each
        centres = self._centres(noisy, public)[0]
        return self._sizes_and_sums(whole, assign_clusters(points, centres), len(centres)) * each

    def made_up_points(self, rows: int) -> Floats:
        """Let rows lie around as many middles as clusters are wanted, between -1 and 1."""
        middles = initial_centres(self.clusters, len(self.features), 5) * 0.8
        spread = initial_centres(min(rows, 200), len(self.features), 3) * 0.1
        return np.asarray((middles[:, np.newaxis, :] + spread).reshape(-1, len(self.features)))

    def centres_of(self, values: Sequence[tuple[str, float]]) -> Floats:
        """Give the centres an answer tells, between -1 and 1."""
        middles, halves = self._scales()
        found = np.array([number for _, number in values], dtype=np.float64).reshape(self.clusters, -1)
        return np.asarray((found[:, :-1] - middles) / halves)

    def in_units(self, places: Floats) -> Floats:
        """Give places between -1 and 1 in the units of the columns."""
        middles, halves = self._scales()
        return np.asarray(places * halves + middles)

    def in_unit(self) -> Message:
        """Say that sizes are counted in rows."""
        return message("rows")

    def error(
        self,
        mechanisms: Sequence[Mechanism],
        public: PublicKnowledge,
        cells: int = 1,
        noisy: NoisySteps | None = None,
        share: float = USUAL_SHARE,
    ) -> float | None:
        """Say how far off the size of a cluster is; of a grid, the count of a cell."""
        return float(mechanisms[-1].error(1, share) * self.size(public))

    def _is_grid(self) -> bool:
        return self.way == "grid" or (self.way == "auto" and len(self.features) <= 2)

    def _factor(self) -> int:
        """Give what a row counts in a size, as a sum counts it: the larger, the less noise sizes have."""
        columns = len(self.features)
        return columns * HALF if self.way == "halves" else round(HALF * (4 * columns * _RHO**2) ** (1 / 3))

    def _rounds(self, public: PublicKnowledge) -> int:
        """Give as many rounds as the budget carries, by the rule of Su et al."""
        if self.rounds or not public.assumed or not public.epsilon:
            return self.rounds or _USUAL_ROUNDS
        return min(max(int(float(public.epsilon) / self._least(public.assumed)), _FEWEST), _MOST)

    def _least(self, rows: float) -> float:
        """Give the epsilon below which a round does more harm than good."""
        columns = len(self.features)
        whole = columns + (4 * columns * _RHO**2) ** (1 / 3)
        return math.sqrt(500 * self.clusters**3 * whole**3) / max(rows, 1.0)

    def _side(self, public: PublicKnowledge) -> int:
        """Give the cells of the grid along each column: more of them the more rows and budget there are."""
        columns, epsilon = len(self.features), float(public.epsilon or 1)
        cells = ((public.assumed or 1000) * epsilon / 10) ** (2 * columns / (2 + columns))
        most = _MOST_CELLS ** (1 / columns)
        return int(
            min(max(round(cells ** (1 / columns)), _CELLS_ACROSS * math.ceil(self.clusters ** (1 / columns))), most)
        )

    def _places(self) -> tuple[int, int]:
        """Give how many places the first round looks at, and the others; the lectures begin where the clusters are."""
        if self.way == "halves":
            return self.clusters, self.clusters
        return max(min(_SCOUTS * self.clusters, _MOST_SCOUTS), self.clusters), self.clusters

    def _centres(self, noisy: Sequence[Ints], public: PublicKnowledge) -> tuple[Floats, Floats]:
        """Follow the rounds so far: each moves the centres towards noisy sums over noisy sizes.

        The first round looks at more places than there are clusters; what it finds is clustered, which costs nothing.
        """
        places = self._places()[0]
        centres, sizes = initial_centres(places, len(self.features)), np.zeros(places)
        for numbers in noisy:
            centres, sizes = self._moved(centres, numbers, self._spread(public))
            if len(centres) > self.clusters:
                centres, sizes = cluster_cells(centres, np.maximum(sizes, 0.0), self.clusters)
        return centres, sizes

    def _moved(self, centres: Floats, numbers: Ints, spread: float) -> tuple[Floats, Floats]:
        sizes = numbers[: len(centres)] / self._factor()
        sums = numbers[len(centres) :].reshape(len(centres), len(self.features)) / HALF
        if self.way == "halves":
            return update_centres(centres, sizes, sums, 1.0), sizes
        return shrink_centres(centres, sizes, sums, (spread / self._factor(), spread / HALF)), sizes

    def _spread(self, public: PublicKnowledge) -> float:
        """Give the standard deviation of the noise of a round; that of Gaussian noise is a little less."""
        if not public.epsilon:
            return 0.0
        spend = cost_of(self, public, public.epsilon, public.delta)
        return math.sqrt(2) * float(self.steps(public)[0].calibrated(spend).scale())

    def _in_cells(self, points: Ints, side: int) -> Ints:
        places = np.minimum((points + HALF) * side // (2 * HALF), side - 1)
        flat = places @ side ** np.arange(places.shape[1]) if len(places) else np.zeros(0, dtype=np.int64)
        return np.bincount(flat, minlength=side ** len(self.features)).astype(np.int64)

    def _from_grid(self, counts: Ints, side: int) -> tuple[Floats, Floats]:
        """Cluster the middles of the cells by the nearest weights that are not negative and add up to as many rows."""
        at = np.arange(len(counts))[:, np.newaxis] // side ** np.arange(len(self.features)) % side
        weights = project_to_simplex(counts.astype(np.float64), max(float(counts.sum()), 1.0))
        centres, _ = cluster_cells((2 * at + 1) / side - 1, weights, self.clusters)
        belongs = assign_clusters((2 * at + 1) / side - 1, centres)
        return centres, cluster_weights(belongs, counts, self.clusters)

    def _sizes_and_sums(self, points: Ints, belongs: Ints, places: int) -> Ints:
        """Add up whole numbers; with fewer than 2^53 in all, floats hold them exactly."""
        sizes = np.bincount(belongs, minlength=places)
        sums = np.stack([cluster_weights(belongs, axis, places) for axis in points.T], axis=1)
        return np.asarray(np.concatenate([self._factor() * sizes, sums.ravel()]), dtype=np.int64)

    def prepared(self, data: Table, public: PublicKnowledge) -> Ints:
        """Give every row with a number in all columns in steps from the middle of the bounds."""
        columns = [data.column(name) for name in self.features]
        middles, halves = self._scales()
        numbers = [parse_column_numbers(column, public) for column in columns]
        rows = np.column_stack([found[column.codes] for found, column in zip(numbers, columns, strict=True)])
        known = rows[~np.isnan(rows).any(axis=1)] if len(rows) else rows.reshape(0, len(columns))
        return np.asarray(np.clip(np.rint((known - middles) / halves * HALF), -HALF, HALF), dtype=np.int64)

    def _scales(self) -> tuple[Floats, Floats]:
        both = [(exact_bound(low), exact_bound(high)) for low, high in zip(self.lows, self.highs, strict=True)]
        middles, halves = ([float((low + sign * high) / 2) for low, high in both] for sign in (1, -1))
        return np.array(middles), -np.array(halves)

    def _warning(self, noisy: NoisySteps, sizes: Floats) -> tuple[str, ...]:
        """Warn when noise is likely to have more say than the rows: judged by noisy sizes, so it costs nothing."""
        spent = sum(float(mechanism.limit) for mechanism in noisy.mechanisms)
        least = _FEWEST_KNOWN / max(float(sizes.sum()), 1.0)
        is_lost = spent < (least if self._is_grid() else _TOO_LITTLE * self._least(float(sizes.sum())))
        if self.clusters > 1 and is_lost:
            return (message("So little budget hardly carries clusters: a single centre may fit better."),)
        return ()

    def _refuse_bounds(self) -> None:
        """Raise BadParameter unless there are different columns, each with bounds."""
        if not self.features or not len(self.features) == len(self.lows) == len(self.highs):
            raise BadParameter("Each column needs two bounds.", "Name the columns, each with its bounds.")
        if len(set(self.features)) < len(self.features):
            raise BadParameter("A column is named twice.", "Name each column once.")
        for name, low, high in zip(self.features, self.lows, self.highs, strict=True):
            grid_of(name, low, high)
