"""What a chart shows, as values: each knows how to draw itself and how to be read as numbers.

Drawing happens on a thread of its own and uses matplotlib's figures without any window behind them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from anonymizer_gui.ui.i18n import format_percent, format_significant, tr, translated_label

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
class HoverSpot:
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
class BarPlot:
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
                drawn.append((bar, f"{self.labels[place]}\n{name}: {format_value(values[place], self.shares)}", place))
        ticks = [place for place in places if place % max(1, -(-len(self.labels) // MOST_LABELS)) == 0]
        texts = [short_label(self.labels[place]) for place in ticks]
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
            percent_axis(axes.xaxis if self.sideways else axes.yaxis)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row per label."""
        rows = [
            [label, *(format_value(values[i], self.shares) for values in self.series.values())]
            + [format_value(values[i], self.shares) for values in self.errors.values()]
            for i, label in enumerate(self.labels)
        ]
        return [self.x or "", *self.series, *(f"± {name}" for name in self.errors)], rows


@dataclass(frozen=True, slots=True)
class LinePlot:
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
                drawn.append((dot, f"{name}\n{self.x} {format_plain(x)}: {format_value(y, self.shares)}", place))
        finish(axes, self.x, self.y, colors, legend=len(self.series) > 1)
        if self.shares:
            percent_axis(axes.yaxis)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row per number on the x axis."""
        rows = [
            [format_plain(at), *(format_value(values[i], self.shares) for values in self.series.values())]
            for i, at in enumerate(self.at)
        ]
        return [self.x, *self.series], rows


@dataclass(frozen=True, slots=True)
class HeatmapPlot:
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
                words = f"{self.rows[i]} × {self.columns[j]}\n{format_plain(value)} {self.unit}".rstrip()
                drawn.append((field_, words, i * len(row) + j))
                if len(self.rows) * len(row) <= 150:
                    ink = _legible(shade, colors)
                    axes.text(j, i, format_plain(value), ha="center", va="center", color=ink, fontsize=8)
        axes.set_xlim(-0.5, len(self.columns) - 0.5)
        axes.set_ylim(len(self.rows) - 0.5, -0.5)
        axes.set_xticks(range(len(self.columns)), [short_label(c) for c in self.columns], rotation=40, ha="right")
        axes.set_yticks(range(len(self.rows)), [short_label(r) for r in self.rows])
        finish(axes, self.x, self.y, colors, grid=False)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the matrix with its row names."""
        return ["", *self.columns], [
            [r, *map(format_plain, row)] for r, row in zip(self.rows, self.values, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class RectanglePlot:
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
                list(self.x_labels), [short_label(t) for t in self.x_labels.values()], rotation=40, ha="right"
            )
        if self.y_labels:
            axes.set_yticks(list(self.y_labels), [short_label(t) for t in self.y_labels.values()])
        finish(axes, self.x, self.y, colors, grid=False)
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row per rectangle."""
        return ["", ""], [
            [w.replace("\n", ", "), format_plain(n)] for w, n in zip(self.words, self.weights, strict=True)
        ]


def format_plain(value: float) -> str:
    """Write a number for people: whole ones whole, others with four significant digits."""
    return format_significant(value, 4)


def format_value(value: float, is_share: bool) -> str:
    """Write a number for people, a share in percent."""
    return format_percent(value) if is_share else format_plain(value)


def percent_axis(axis: Any) -> None:
    """Write the numbers along an axis in percent."""
    axis.set_major_formatter(lambda value, _place: tr("{number}%", number=format_plain(100 * value)))


def short_label(text: str) -> str:
    """Cut a long label with an ellipsis; what stands for missing cells is said in the language of the window."""
    text = translated_label(text)
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
            axis.set_major_formatter(lambda value, _place: format_plain(value))
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


_WIDTH_OF_ONE = 2.4
"""Inches a small chart should have at least."""

_SMALLER = 0.85


def grid_shape(panels: int, room: int) -> tuple[int, int]:
    """Give columns and rows of a grid: as few rows as the room allows, and these as even as can be.

    >>> grid_shape(8, 7), grid_shape(3, 7), grid_shape(0, 7)
    ((4, 2), (3, 1), (1, 1))
    """
    down = max(1, math.ceil(panels / max(1, room)))
    return max(1, math.ceil(panels / down)), down


@dataclass(frozen=True, slots=True)
class SmallPlot:
    """One small chart: its name, what is said behind it, and two series of shares over the same labels."""

    name: str
    remark: str
    labels: Sequence[str]
    before: Sequence[float]
    after: Sequence[float]


@dataclass(frozen=True, slots=True)
class SmallMultiplesPlot:
    """A grid of panels with a common legend; each answers to the pointer as a whole."""

    title: str
    panels: Sequence[SmallPlot]
    names: tuple[str, str]
    """What the two series are called."""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw the panels in as many columns as the width allows."""
        figure = axes.figure
        across, down = grid_shape(len(self.panels), int(figure.get_figwidth() / _WIDTH_OF_ONE))
        grid = axes.get_subplotspec().subgridspec(down, across)
        axes.set_axis_off()
        drawn = []
        for number, panel in enumerate(self.panels):
            place = figure.add_subplot(grid[number // across, number % across])
            self._draw_one(place, panel, colors, is_first=number == 0)
            drawn.append((place, self._words(panel), number))
        if drawn:
            handles, labels = drawn[0][0].get_legend_handles_labels()
            figure.legend(handles, labels, loc="outside upper right", ncols=2, frameon=False, labelcolor=colors["text"])
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row per label of every panel."""
        rows = [
            [panel.name, label, format_percent(before), format_percent(after)]
            for panel in self.panels
            for label, before, after in zip(panel.labels, panel.before, panel.after, strict=True)
        ]
        return ["", "", *self.names], rows

    def _draw_one(self, axes: Any, panel: SmallPlot, colors: Colors, *, is_first: bool) -> None:
        places = range(len(panel.labels))
        before, after = self.names if is_first else ("", "")
        axes.bar(
            places, panel.before, 0.9, color=colors["grid"], edgecolor=colors["muted"], lw=0.6, label=before or None
        )
        axes.bar(places, panel.after, 0.4, color=colors["series_1"], label=after or None)
        size = axes.xaxis.get_label().get_fontsize() * _SMALLER
        axes.set_title(f"{short_label(panel.name)} · {panel.remark}", fontsize=size, color=colors["text"], loc="left")
        ends = sorted({0, len(panel.labels) - 1}) if panel.labels else []
        axes.set_xticks(ends, [short_label(panel.labels[end]) for end in ends], fontsize=size * _SMALLER)
        for text, side in zip(axes.get_xticklabels(), ("left", "right"), strict=False):
            text.set_ha(side)
        axes.set_yticks([])
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)

    def _words(self, panel: SmallPlot) -> str:
        lines = [f"{panel.name} · {panel.remark}"]
        before, after = self.names
        shown = sorted(range(len(panel.labels)), key=lambda i: -abs(panel.after[i] - panel.before[i]))[:3]
        for i in shown:
            lines.append(
                f"{panel.labels[i]}: {before} {format_percent(panel.before[i])}, {after} "
                f"{format_percent(panel.after[i])}"
            )
        return "\n".join(lines)


_LETTER, _LINE = 0.56, 1.25
"""The width of a letter and the height of a line, in sizes of the letters."""

_NEAR = 7.0
"""Dots nearer than so many points would lie on top of each other."""

_ROOM = 0.14
"""The share of each axis left free beyond the last dot."""

_ABOVE = 0.6
"""How many lines a name stands above its dot, out of the way of the line through it."""

_LONGEST = 26

_WIDTH_OF_AXES, _HEIGHT_OF_AXES = 0.9, 0.8


@dataclass(frozen=True, slots=True)
class ScatterPlot:
    """Points with names; some may be joined by a line, one may be chosen, some may be dimmed."""

    title: str
    names: Sequence[str]
    xs: Sequence[float]
    ys: Sequence[float]
    x: str = ""
    y: str = ""
    front: Sequence[int] = ()
    chosen: int = -1
    dimmed: Sequence[int] = ()
    front_name: str = ""
    x_is_share: bool = False
    y_is_share: bool = False

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw the points; those of the front are joined and filled, the chosen one is ringed."""
        ordered = sorted(self.front, key=lambda i: (self.xs[i], self.ys[i]))
        if len(ordered) > 1:
            line = [self.xs[i] for i in ordered], [self.ys[i] for i in ordered]
            axes.plot(*line, color=colors["series_3"], linewidth=1.5, label=self.front_name or None, zorder=1)
        axes.set_xlim(0, _end(self.xs))
        axes.set_ylim(0, _end(self.ys))
        finish(axes, self.x, self.y, colors, legend=bool(self.front_name) and len(ordered) > 1)
        for axis, is_share in ((axes.xaxis, self.x_is_share), (axes.yaxis, self.y_is_share)):
            if is_share:
                percent_axis(axis)
        places = self._places(axes)
        aside = spread_overlaps(places)
        self._write_names(axes, colors, places, aside)
        return [(self._dot(axes, colors, i, aside[i]), self._words(i), i) for i in range(len(self.names))]

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row per point."""
        rows = [
            [name, format_value(x, self.x_is_share), format_value(y, self.y_is_share)]
            for name, x, y in zip(self.names, self.xs, self.ys, strict=True)
        ]
        return ["", self.x, self.y], rows

    def _words(self, i: int) -> str:
        x, y = format_value(self.xs[i], self.x_is_share), format_value(self.ys[i], self.y_is_share)
        return f"{self.names[i]}\n{self.x}: {x}\n{self.y}: {y}"

    def _dot(self, axes: Any, colors: Colors, i: int, aside: float) -> Any:
        from matplotlib.transforms import offset_copy

        on_front = i in self.front
        shade = colors["series_3" if on_front else "series_1"]
        where = offset_copy(axes.transData, fig=axes.figure, x=aside, units="points")
        if i == self.chosen:
            ring = {"markersize": 17, "mfc": "none", "mec": colors["accent"], "mew": 2, "clip_on": False}
            axes.plot([self.xs[i]], [self.ys[i]], "o", transform=where, **ring)
        return axes.plot(
            [self.xs[i]], [self.ys[i]], marker="D" if on_front else "o", markersize=9, color=shade, transform=where,
            markerfacecolor=shade if on_front else "none", alpha=0.4 if i in self.dimmed else 1.0, zorder=2,
            clip_on=False,
        )[0]  # fmt: skip

    def _places(self, axes: Any) -> list[tuple[float, float]]:
        """Give the place of every point in the axes, in points; the last layout is not known while drawing."""
        width, height = axes.figure.get_figwidth() * 72, axes.figure.get_figheight() * 72
        (_, right), (_, top) = axes.get_xlim(), axes.get_ylim()
        scale_x, scale_y = width * _WIDTH_OF_AXES / right, height * _HEIGHT_OF_AXES / top
        return [(x * scale_x, y * scale_y) for x, y in zip(self.xs, self.ys, strict=True)]

    def _write_names(
        self, axes: Any, colors: Colors, places: Sequence[tuple[float, float]], aside: Sequence[float]
    ) -> None:
        """Write each name beside its dot, a little higher or lower where another one stands already."""
        from matplotlib.patheffects import withStroke

        size = axes.xaxis.get_ticklabels()[0].get_fontsize()
        halo = [withStroke(linewidth=3, foreground=colors["base"])]  # the line of the front may pass below a name
        width = axes.figure.get_figwidth() * 72 * _WIDTH_OF_AXES
        taken: list[tuple[float, float, float]] = []
        for i in sorted(range(len(self.names)), key=lambda i: -places[i][1]):
            text = short_name(self.names[i])
            long, x, y = len(text) * size * _LETTER, places[i][0] + aside[i], places[i][1]
            is_left = x + 10 + long > width
            begin = x - 10 - long if is_left else x + 10
            lift = _free_line(begin, y, long, size * _LINE, taken)
            taken.append((begin, y + lift, long))
            axes.annotate(
                text, (self.xs[i], self.ys[i]), xytext=(aside[i] + (-10 if is_left else 10), lift),
                textcoords="offset points", ha="right" if is_left else "left", va="center", annotation_clip=False,
                color=colors["muted" if i in self.dimmed else "text"], fontsize=size,
                fontweight="bold" if i == self.chosen else "normal", path_effects=halo,
            )  # fmt: skip


def short_name(name: str) -> str:
    """Cut a long name in its middle: names often begin alike and differ at their ends.

    >>> short_name("Bottom-up (full-domain), k = 20")
    'Bottom-up (f…main), k = 20'
    """
    half = _LONGEST // 2
    return name if len(name) <= _LONGEST else f"{name[: half - 1]}…{name[-half:]}"


def spread_overlaps(places: Sequence[tuple[float, float]]) -> list[float]:
    """Say how far each dot is put aside so that equal ones stand side by side.

    >>> spread_overlaps([(0, 0), (50, 0), (0, 1)])
    [-5.5, 0.0, 5.5]
    """
    aside = [0.0] * len(places)
    left = list(range(len(places)))
    while left:
        x, y = places[left[0]]
        group = [i for i in left if abs(places[i][0] - x) < _NEAR and abs(places[i][1] - y) < _NEAR]
        for number, i in enumerate(group):
            aside[i] = (number - (len(group) - 1) / 2) * 11
        left = [i for i in left if i not in group]
    return aside


def _free_line(begin: float, y: float, long: float, line: float, taken: Sequence[tuple[float, float, float]]) -> float:
    """Find the nearest line above or below at which a name meets no other."""
    for step in range(12):
        for lift in (_ABOVE * line + step * line, _ABOVE * line - step * line):
            if not any(abs(y + lift - v) < line and begin < u + w and u < begin + long for u, v, w in taken):
                return lift
    return 0.0


def _end(values: Sequence[float]) -> float:
    largest = max(values, default=0.0)
    return largest * (1 + _ROOM) if largest > 0 else 1.0
