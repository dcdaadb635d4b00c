"""Charts of the room: possible releases, error against epsilon, answers with their intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from anonymizer_gui.ui.charts.plots import MOST_LABELS, Colors, finish, format_plain, short_label
from anonymizer_gui.ui.i18n import tr

_MOST_BARS = 60


@dataclass(frozen=True, slots=True)
class PossibleReleasesPlot:
    """The simulated numbers as bars, and a dot for what each possible release would say."""

    title: str
    labels: Sequence[str]
    truth: Sequence[float]
    draws: Sequence[Sequence[float]]
    x: str = ""
    y: str = ""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw bars and dots; below zero stays below zero."""
        places = range(len(self.labels))
        bars = axes.bar(places, self.truth, 0.8, color=colors["grid"], edgecolor=colors["muted"])
        if len(self.labels) == 1:
            self._look_closer(axes)
        for number, release in enumerate(self.draws):
            shift = 0.6 * ((number + 0.5) / len(self.draws) - 0.5)
            spread = [place + shift for place in places]
            axes.plot(spread, release, "o", markersize=4, color=colors["series_1"], alpha=0.55, mew=0)
        if axes.get_ylim()[0] <= 0:
            axes.axhline(0, color=colors["muted"], linewidth=1)
        _label_places(axes, self.labels)
        finish(axes, self.x, self.y, colors)
        return [(bar, self._words(place), place) for place, bar in enumerate(bars)]

    def _look_closer(self, axes: Any) -> None:
        """Show of a single number the part where its releases differ; from 0 on they would look the same."""
        low, high = self._range(0)
        low, high = min(low, self.truth[0]), max(high, self.truth[0])
        margin = (high - low) / 5 or 1.0
        if low - margin > (high - low):
            axes.set_ylim(low - margin, high + margin)

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the simulated number, the smallest and the largest release of each label."""
        rows = [
            [label, format_plain(self.truth[i]), *map(format_plain, self._range(i))]
            for i, label in enumerate(self.labels)
        ]
        return [self.x, tr("Simulated"), tr("Smallest"), tr("Largest")], rows

    def _range(self, place: int) -> tuple[float, float]:
        drawn = [release[place] for release in self.draws]
        return min(drawn, default=0.0), max(drawn, default=0.0)

    def _words(self, place: int) -> str:
        low, high = map(format_plain, self._range(place))
        told = tr(
            "simulated {truth}, released {low} to {high}", truth=format_plain(self.truth[place]), low=low, high=high
        )
        return f"{self.labels[place]}\n{told}".strip()


@dataclass(frozen=True, slots=True)
class ErrorCurvePlot:
    """The error to expect for each epsilon, with a handle at the epsilon chosen and one at the error wanted."""

    title: str
    epsilons: Sequence[float]
    errors: Sequence[float]
    epsilon: float
    error: float | None
    x: str = ""
    y: str = ""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw the curve over logarithms, with the handles as lines."""
        axes.set_xscale("log")
        points = [point for point in zip(self.epsilons, self.errors, strict=True) if point[1] > 0]
        if self.error is not None and points:
            axes.set_yscale("log")
        axes.plot(*zip(*points, strict=True), color=colors["series_1"], linewidth=2)
        axes.axvline(self.epsilon, color=colors["series_2"], linewidth=2)
        if self.error:
            axes.axhline(self.error, color=colors["series_3"], linewidth=2)
            axes.plot([self.epsilon], [self.error], "o", markersize=9, color=colors["series_2"])
        drawn = []
        for place, (epsilon, error) in enumerate(points):
            dot = axes.plot([epsilon], [error], "o", markersize=7, color=colors["series_1"], alpha=0.35)[0]
            drawn.append((dot, f"{self.x} {format_plain(epsilon)}\n{self.y} {format_plain(error)}", place))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _place: format_plain(value))
            axis.set_minor_formatter(lambda _value, _place: "")
        finish(axes, self.x, self.y, colors)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the error for each epsilon."""
        rows = [[format_plain(at), format_plain(error)] for at, error in zip(self.epsilons, self.errors, strict=True)]
        return [self.x, self.y], rows


@dataclass(frozen=True, slots=True)
class AnswersPlot:
    """Released numbers with their intervals; what is negative is drawn as it is."""

    title: str
    labels: Sequence[str]
    values: Sequence[float]
    error: float | None = None
    x: str = ""
    y: str = ""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw a bar and its interval for each number."""
        places = range(len(self.values))
        errors = None if self.error is None else [self.error] * len(self.values)
        bars = axes.bar(
            places, self.values, 0.7, color=colors["series_1"], yerr=errors, ecolor=colors["text"],
            capsize=0 if len(self.values) > _MOST_BARS else 3,
        )  # fmt: skip
        axes.axhline(0, color=colors["muted"], linewidth=1)
        _label_places(axes, self.labels)
        finish(axes, self.x, self.y, colors)
        words = [f"{label}: {format_plain(value)}" for label, value in zip(self.labels, self.values, strict=True)]
        return [(bar, words[place], place) for place, bar in enumerate(bars)]

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the numbers with the ends of their intervals."""
        off = self.error or 0.0
        rows = [
            [label, format_plain(value), format_plain(value - off), format_plain(value + off)]
            for label, value in zip(self.labels, self.values, strict=True)
        ]
        return [self.x, tr("Answer"), tr("From"), tr("To")], rows


@dataclass(frozen=True, slots=True)
class NoisyMapPlot:
    """Released counts of the cells of a map, from south to north; cells that are mostly noise are hatched."""

    title: str
    values: Sequence[float]
    across: int
    edges: tuple[float, float, float, float]
    """West, east, south and north."""
    labels: Sequence[str]
    error: float | None = None

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw a field per cell, the fuller the more there are."""
        from matplotlib.colors import LinearSegmentedColormap
        from matplotlib.patches import Patch, Rectangle

        west, east, south, north = self.edges
        wide, high = (east - west) / self.across, (north - south) / max(len(self.values) // self.across, 1)
        shades = LinearSegmentedColormap.from_list("shades", [colors["base"], colors["series_1"]])
        largest = max((abs(value) for value in self.values), default=1.0) or 1.0
        drawn = []
        for place, value in enumerate(self.values):
            at = west + place % self.across * wide, south + place // self.across * high
            look = (
                {"facecolor": colors["base"], "edgecolor": colors["line"], "hatch": "////", "linewidth": 0}
                if self._is_noise(value)
                else {"facecolor": shades(0.1 + 0.9 * max(value, 0.0) / largest), "edgecolor": "none"}
            )
            drawn.append((axes.add_patch(Rectangle(at, wide, high, **look)), self._words(place), place))
        axes.set_xlim(west, east)
        axes.set_ylim(south, north)
        finish(axes, "", "", colors, grid=False)
        if any(map(self._is_noise, self.values)):
            patch = Patch(facecolor=colors["base"], edgecolor=colors["muted"], hatch="////", label=tr("mostly noise"))
            axes.legend(handles=[patch], frameon=False, labelcolor=colors["text"], loc="lower right",
                        bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)  # fmt: skip
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row per cell, and whether it says anything."""
        rows = [
            [label, format_plain(value), tr("mostly noise") if self._is_noise(value) else ""]
            for label, value in zip(self.labels, self.values, strict=True)
        ]
        return ["", tr("Answer"), ""], rows

    def _is_noise(self, value: float) -> bool:
        return self.error is not None and value < self.error

    def _words(self, place: int) -> str:
        more = f"\n{tr('mostly noise')}" if self._is_noise(self.values[place]) else ""
        return f"{self.labels[place]}\n{format_plain(self.values[place])}{more}"


@dataclass(frozen=True, slots=True)
class CentroidPlot:
    """Centres of clusters over two columns, the larger the more rows they have; a negative size is a small one."""

    title: str
    points: Sequence[tuple[float, float, float]]
    """Where each centre is on both columns, and how many rows it has."""
    x: str
    y: str
    counted: str
    """What sizes are counted in."""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw a disc and a number for each centre."""
        largest = max((size for _, _, size in self.points), default=1.0) or 1.0
        drawn = []
        for place, (x, y, size) in enumerate(self.points):
            width = 6 + 24 * max(size / largest, 0.0) ** 0.5
            disc = axes.plot([x], [y], "o", markersize=width, color=colors["series_1"], alpha=0.6, mew=0)[0]
            axes.annotate(str(place + 1), (x, y), ha="center", va="center", color=colors["text"])
            drawn.append(
                (
                    disc,
                    f"{place + 1}: {format_plain(x)} × {format_plain(y)}, {format_plain(size)} {self.counted}",
                    place,
                )
            )
        axes.margins(0.2)
        finish(axes, self.x, self.y, colors)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give both coordinates and the size of each centre."""
        rows = [[str(place + 1), *map(format_plain, point)] for place, point in enumerate(self.points)]
        return [tr("Cell"), self.x, self.y, self.counted], rows


@dataclass(frozen=True, slots=True)
class AttackerBeliefPlot:
    """What an attacker would believe in each of several releases, and the truth as a line."""

    title: str
    guesses: Sequence[float]
    truth: float
    words: Mapping[str, str] = field(default_factory=dict)
    """How the truth and the guesses are called."""
    y: str = ""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw a dot for each guess."""
        drawn = []
        for place, guess in enumerate(self.guesses):
            dot = axes.plot([place + 1], [guess], "o", markersize=7, color=colors["series_1"])[0]
            drawn.append((dot, format_plain(guess), place))
        axes.plot([], [], "o", color=colors["series_1"], label=self.words["guess"])
        axes.axhline(self.truth, color=colors["series_2"], linewidth=2, label=self.words["truth"])
        finish(axes, self.words["release"], self.y, colors, legend=True)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the guesses."""
        rows = [[str(place + 1), format_plain(guess)] for place, guess in enumerate(self.guesses)]
        return [self.words["release"], self.words["guess"]], rows


def _label_places(axes: Any, labels: Sequence[str]) -> None:
    step = max(1, -(-len(labels) // MOST_LABELS))
    ticks = list(range(0, len(labels), step))
    is_crowded = sum(min(len(labels[tick]), 18) + 2 for tick in ticks) > 70
    axes.set_xticks(
        ticks, [short_label(labels[tick]) for tick in ticks],
        rotation=40 if is_crowded else 0, ha="right" if is_crowded else "center",
    )  # fmt: skip


_MARKS = ("o", "s", "^")


@dataclass(frozen=True, slots=True)
class TaskComparisonPlot:
    """A line for each way over settings that protect less and less: k above, epsilon below."""

    title: str
    ks: Sequence[int]
    epsilons: Sequence[float]
    ways: Mapping[str, Sequence[float]]
    """The first way is of k, the others are of epsilon."""
    best: float | None
    best_words: str
    y: str

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw the lines, and the second axis above."""
        drawn = []
        places = range(len(self.epsilons))
        for at, (way, values) in enumerate(self.ways.items()):
            axes.plot(places, values, "-" + _MARKS[at], color=colors[f"series_{at + 1}"], linewidth=2, label=way)
            for place, value in enumerate(values):
                dot = axes.plot([place], [value], _MARKS[at], color=colors[f"series_{at + 1}"], markersize=7)[0]
                drawn.append((dot, f"{way}, {self._setting(at, place)}: {format_plain(value)}", place))
        if self.best is not None:
            axes.axhline(self.best, color=colors["muted"], linestyle="--", linewidth=1.5, label=self.best_words)
        axes.set_xticks(list(places), [f"ε {format_plain(epsilon)}" for epsilon in self.epsilons])
        above = axes.secondary_xaxis("top")
        above.set_xticks(list(places), [f"k {k}" for k in self.ks])
        above.tick_params(colors=colors["text"])
        above.spines["top"].set_visible(False)
        axes.set_ylim(bottom=0 if self.best == 0 else None)
        finish(axes, tr("← more privacy (ε below, k above: two promises)"), self.y, colors)
        axes.legend(frameon=False, labelcolor=colors["text"], loc="best")
        return drawn

    def _setting(self, at: int, place: int) -> str:
        return f"k {self.ks[place]}" if at == 0 else f"ε {format_plain(self.epsilons[place])}"

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row for each setting."""
        rows = [
            [str(k), format_plain(epsilon), *(format_plain(values[place]) for values in self.ways.values())]
            for place, (k, epsilon) in enumerate(zip(self.ks, self.epsilons, strict=True))
        ]
        return ["k", "ε", *self.ways], rows


@dataclass(frozen=True, slots=True)
class ClusterPlot:
    """Made-up points over two columns, the centres without noise, and those of a possible release."""

    title: str
    points: Sequence[tuple[float, float]]
    before: Sequence[tuple[float, float]]
    after: Sequence[tuple[float, float]]
    x: str
    y: str

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw points small, centres large."""
        axes.plot(*zip(*self.points, strict=True), ".", color=colors["muted"], markersize=4, alpha=0.5,
                  label=tr("simulated points"))  # fmt: skip
        drawn = []
        kinds = ((self.before, "o", "series_1", tr("centre without noise")),
                 (self.after, "X", "series_2", tr("centre of a possible release")))  # fmt: skip
        for centres, mark, color, words in kinds:
            for place, (x, y) in enumerate(centres):
                dot = axes.plot([x], [y], mark, markersize=13, color=colors[color], mec=colors["text"],
                                label=words if place == 0 else None)[0]  # fmt: skip
                drawn.append((dot, f"{words} {place + 1}: {format_plain(x)} × {format_plain(y)}", place))
        finish(axes, self.x, self.y, colors)
        axes.legend(frameon=False, labelcolor=colors["text"], loc="best", fontsize="small")
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the centres."""
        rows = [[tr("centre without noise"), *map(format_plain, centre)] for centre in self.before]
        rows += [[tr("centre of a possible release"), *map(format_plain, centre)] for centre in self.after]
        return ["", self.x, self.y], rows


@dataclass(frozen=True, slots=True)
class LearningCurvePlot:
    """Accuracy on held-out rows after more and more epochs."""

    title: str
    epochs: Sequence[float]
    accuracies: Sequence[float]
    x: str
    y: str

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw a line with a dot for each look."""
        axes.plot(self.epochs, self.accuracies, color=colors["series_1"], linewidth=2)
        drawn = []
        for place, (epoch, accuracy) in enumerate(zip(self.epochs, self.accuracies, strict=True)):
            dot = axes.plot([epoch], [accuracy], "o", markersize=8, color=colors["series_1"])[0]
            drawn.append((dot, f"{self.x} {format_plain(epoch)}: {format_plain(accuracy)}", place))
        axes.margins(x=0.05, y=0.3)
        finish(axes, self.x, self.y, colors)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the accuracies."""
        both = zip(self.epochs, self.accuracies, strict=True)
        return [self.x, self.y], [[format_plain(epoch), format_plain(accuracy)] for epoch, accuracy in both]


@dataclass(frozen=True, slots=True)
class LossCurvePlot:
    """The loss of clusters for each epsilon, beside that of a single centre and that without noise."""

    title: str
    epsilons: Sequence[float]
    losses: Sequence[float]
    epsilon: float
    lines: Mapping[str, float]
    x: str
    y: str

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw the curve over logarithms, the other losses as lines across."""
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.plot(self.epsilons, self.losses, color=colors["series_1"], linewidth=2, label=tr("clusters with noise"))
        drawn = []
        for place, (epsilon, loss) in enumerate(zip(self.epsilons, self.losses, strict=True)):
            dot = axes.plot([epsilon], [loss], "o", markersize=7, color=colors["series_1"])[0]
            drawn.append((dot, f"{self.x} {format_plain(epsilon)}\n{self.y} {format_plain(loss)}", place))
        for at, (words, loss) in enumerate(self.lines.items()):
            axes.axhline(loss, color=colors[f"series_{at + 2}"], linestyle="--", linewidth=2, label=words)
        axes.axvline(self.epsilon, color=colors["muted"], linewidth=1.5)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _place: format_plain(value))
            axis.set_minor_formatter(lambda _value, _place: "")
        finish(axes, self.x, self.y, colors, legend=True)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the losses."""
        rows = [
            [format_plain(epsilon), format_plain(loss)]
            for epsilon, loss in zip(self.epsilons, self.losses, strict=True)
        ]
        return [self.x, self.y], rows
