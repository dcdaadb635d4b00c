"""What a chart shows, as values: each knows how to draw itself and how to be read as numbers.

Drawing happens on a thread of its own and uses matplotlib's figures without any window behind them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from anonymizer_gui.ui.i18n import percent, rounded, shown_label, tr

Colors = Mapping[str, str]
MOST_LABELS = 30
_LONGEST_LABEL = 18
_FEW = 4
_MARKED = 30  # numbers of a line that get a mark each
"""Fewer bars than these leave room at both sides."""
_SHARE_OF_AXES = 0.88
_WIDTH_OF_LETTER = 0.62
_LETTERS_OF_A_HANDLE = 6


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the picture that answers to the pointer: its box in shares of the picture, words, and number."""

    left: float
    top: float
    right: float
    bottom: float
    text: str
    number: int


class Plot(Protocol):
    """Something that can be drawn."""

    @property
    def title(self) -> str:
        """What it shows, in words."""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw into matplotlib axes; give the artists that answer to the pointer, with words and number."""

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give what is drawn as a table: heads and rows."""


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars side by side for one or more series over the same labels; shares are written in percent."""

    title: str
    labels: Sequence[str]
    series: Mapping[str, Sequence[float]]
    x: str = ""
    y: str = ""
    sideways: bool = False
    highlight: Sequence[int] = ()
    shares: bool = False
    errors: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """How far each value may be off to either side, by series; drawn as error bars."""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw the bars; many labels are thinned out."""
        width = 0.8 / max(len(self.series), 1)
        places = range(len(self.labels))
        drawn = []
        for number, (name, values) in enumerate(self.series.items()):
            offsets = [place + (number - (len(self.series) - 1) / 2) * width for place in places]
            draw = axes.barh if self.sideways else axes.bar
            bars = draw(offsets, values, width, color=colors[f"series_{number % 6 + 1}"], label=name)
            if name in self.errors and not self.sideways:
                axes.errorbar(offsets, values, self.errors[name], fmt="none", ecolor=colors["text"], capsize=6)
            for place, bar in enumerate(bars):
                if place in self.highlight:
                    bar.set_color(colors["bad"])
                drawn.append((bar, f"{self.labels[place]}\n{name}: {in_words(values[place], self.shares)}", place))
        ticks = [place for place in places if place % max(1, -(-len(self.labels) // MOST_LABELS)) == 0]
        texts = [shortened(self.labels[place]) for place in ticks]
        if self.sideways:
            axes.set_yticks(ticks, texts)
            axes.invert_yaxis()
        else:
            crowded = _crowded(axes, texts)
            axes.set_xticks(ticks, texts, rotation=40 if crowded else 0, ha="right" if crowded else "center")
            missing = _FEW - len(self.labels)
            if missing > 0:  # one value alone would fill the whole width
                axes.set_xlim(-0.5 - missing / 2, len(self.labels) - 0.5 + missing / 2)
        finish(axes, self.x, self.y, colors, legend=len(self.series) > 1)
        if self.shares:
            in_percent(axes.xaxis if self.sideways else axes.yaxis)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row per label."""
        rows = [
            [label, *(in_words(values[i], self.shares) for values in self.series.values())]
            + [in_words(values[i], self.shares) for values in self.errors.values()]
            for i, label in enumerate(self.labels)
        ]
        return [self.x or "", *self.series, *(f"± {name}" for name in self.errors)], rows


@dataclass(frozen=True, slots=True)
class Lines:
    """One or more lines over the same numbers; shares are written in percent."""

    title: str
    at: Sequence[float]
    series: Mapping[str, Sequence[float]]
    x: str = ""
    y: str = ""
    shares: bool = False

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw the lines, with a mark at every number where these are few."""
        drawn = []
        for number, (name, values) in enumerate(self.series.items()):
            shade = colors[f"series_{number % 6 + 1}"]
            mark = "osD^vP"[number % 6] if len(self.at) <= _MARKED else ""
            axes.plot(self.at, values, color=shade, marker=mark, label=name, linewidth=2)
            for place, (x, y) in enumerate(zip(self.at, values, strict=True)):
                dot = axes.plot([x], [y], color=shade, marker="o", markersize=8, alpha=0.0)[0]
                drawn.append((dot, f"{name}\n{self.x} {plain(x)}: {in_words(y, self.shares)}", place))
        finish(axes, self.x, self.y, colors, legend=len(self.series) > 1)
        if self.shares:
            in_percent(axes.yaxis)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row per number on the x axis."""
        rows = [
            [plain(at), *(in_words(values[i], self.shares) for values in self.series.values())]
            for i, at in enumerate(self.at)
        ]
        return [self.x, *self.series], rows


@dataclass(frozen=True, slots=True)
class Heat:
    """A matrix as shades, with its numbers written in where they fit."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float]]
    x: str = ""
    y: str = ""
    unit: str = ""
    full: float = 0.0
    """The value from which on the colour is full at least; what is far below it stays pale."""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw a field per value: zero is the background, the largest a full colour; what is below zero has its own."""
        from matplotlib.colors import LinearSegmentedColormap
        from matplotlib.patches import Rectangle

        largest = max((self.full, *(abs(v) for row in self.values for v in row))) or 1
        ends = colors["series_2"], colors["base"], colors["series_1"]
        shades = LinearSegmentedColormap.from_list("shades", ends)
        drawn = []
        for i, row in enumerate(self.values):
            for j, value in enumerate(row):
                shade = shades(0.5 + value / largest / 2)
                field_ = axes.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, color=shade, linewidth=0))
                words = f"{self.rows[i]} × {self.columns[j]}\n{plain(value)} {self.unit}".rstrip()
                drawn.append((field_, words, i * len(row) + j))
                if len(self.rows) * len(row) <= 150:
                    ink = _legible(shade, colors)
                    axes.text(j, i, plain(value), ha="center", va="center", color=ink, fontsize=8)
        axes.set_xlim(-0.5, len(self.columns) - 0.5)
        axes.set_ylim(len(self.rows) - 0.5, -0.5)
        axes.set_xticks(range(len(self.columns)), [shortened(c) for c in self.columns], rotation=40, ha="right")
        axes.set_yticks(range(len(self.rows)), [shortened(r) for r in self.rows])
        finish(axes, self.x, self.y, colors, grid=False)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the matrix with its row names."""
        return ["", *self.columns], [[r, *map(plain, row)] for r, row in zip(self.rows, self.values, strict=True)]


@dataclass(frozen=True, slots=True)
class Boxes:
    """Rectangles in a plane, such as the cells a table was partitioned into; `shades` says how strong each is."""

    title: str
    boxes: Sequence[tuple[float, float, float, float]]
    words: Sequence[str]
    weights: Sequence[float]
    x: str = ""
    y: str = ""
    x_labels: Mapping[float, str] = field(default_factory=dict)
    y_labels: Mapping[float, str] = field(default_factory=dict)
    shades: Sequence[float] = ()

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw each rectangle (left, bottom, right, top), its colour stronger by its shade or else by its weight."""
        from matplotlib.colors import LinearSegmentedColormap
        from matplotlib.patches import Rectangle

        shades = LinearSegmentedColormap.from_list("shades", [colors["base"], colors["series_1"]])
        told = self.shades or self.weights
        largest = max(told, default=0) or 1
        drawn = []
        for i, (left, bottom, right, top) in enumerate(self.boxes):
            shade = shades(0.15 + 0.75 * told[i] / largest)
            area = Rectangle((left, bottom), right - left, top - bottom, fc=shade, ec=colors["muted"], lw=0.5)
            drawn.append((axes.add_patch(area), self.words[i], i))
        axes.autoscale_view()
        axes.margins(0)
        if self.x_labels:
            axes.set_xticks(
                list(self.x_labels), [shortened(t) for t in self.x_labels.values()], rotation=40, ha="right"
            )
        if self.y_labels:
            axes.set_yticks(list(self.y_labels), [shortened(t) for t in self.y_labels.values()])
        finish(axes, self.x, self.y, colors, grid=False)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row per rectangle."""
        return ["", ""], [[w.replace("\n", ", "), plain(n)] for w, n in zip(self.words, self.weights, strict=True)]


def plain(value: float) -> str:
    """Write a number for people: whole ones whole, others with four significant digits."""
    return rounded(value, 4)


def in_words(value: float, is_share: bool) -> str:
    """Write a number for people, a share in percent."""
    return percent(value) if is_share else plain(value)


def in_percent(axis: Any) -> None:
    """Write the numbers along an axis in percent."""
    axis.set_major_formatter(lambda value, _place: tr("{number}%", number=plain(100 * value)))


def shortened(text: str) -> str:
    """Cut a long label with an ellipsis; what stands for missing cells is said in the language of the window."""
    text = shown_label(text)
    return text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 1] + "…"


def _crowded(axes: Any, texts: Sequence[str]) -> bool:
    """Tell whether labels side by side under the axes would run into each other."""
    room = axes.figure.get_figwidth() * 72 * _SHARE_OF_AXES / max(len(texts), 1)
    letter = axes.xaxis.get_ticklabels()[0].get_fontsize() * _WIDTH_OF_LETTER
    return bool(max(map(len, texts), default=0) * letter > room)


def _side_by_side(axes: Any) -> int:
    """Say how many entries of a legend have room beside each other."""
    texts = axes.get_legend_handles_labels()[1]
    letter = axes.xaxis.get_ticklabels()[0].get_fontsize() * _WIDTH_OF_LETTER
    widest = (max(map(len, texts), default=0) + _LETTERS_OF_A_HANDLE) * letter
    return max(int(axes.figure.get_figwidth() * 72 * _SHARE_OF_AXES // widest), 1)


def _legible(ground: Sequence[float], colors: Colors) -> str:
    """Choose the ink that stands out more from a ground."""
    from matplotlib.colors import to_rgb

    def light(color: Sequence[float]) -> float:
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3]]
        return 0.05 + 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(ink: str) -> float:
        both = sorted((light(to_rgb(colors[ink])), light(ground)))
        return both[1] / both[0]

    return colors[max(("text", "accent_text"), key=contrast)]


def finish(axes: Any, x: str, y: str, colors: Colors, *, legend: bool = False, grid: bool = True) -> None:
    """Name the axes and give them the look all charts have."""
    from matplotlib.ticker import ScalarFormatter

    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_formatter(), ScalarFormatter):
            axis.set_major_formatter(lambda value, _place: plain(value))
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if grid:
        axes.grid(color=colors["grid"], linewidth=0.8)
        axes.set_axisbelow(True)
    if legend:
        # Above the axes, where no bar or line runs through it.
        axes.legend(
            frameon=False, labelcolor=colors["text"], loc="lower right", bbox_to_anchor=(1.0, 1.0),
            ncols=_side_by_side(axes), borderaxespad=0.2,
        )  # fmt: skip
