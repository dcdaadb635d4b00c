"""Charts of models: three ways over two kinds of privacy, clusters of made-up points, and how a model learns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anonymizer_gui.ui.charts.plots import Colors, finish, format_plain
from anonymizer_gui.ui.i18n import tr

_MARKS = ("o", "s", "^")


@dataclass(frozen=True, slots=True)
class Versus:
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
class ClusterMap:
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
class LearningCurve:
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
class LossCurve:
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
