"""Named points in a plane: names beside the dots, equal dots side by side, axes that begin at zero."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from anonymizer_gui.ui.plots import Colors, finish, in_percent, in_words

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
class Points:
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
                in_percent(axis)
        places = self._places(axes)
        aside = apart(places)
        self._write_names(axes, colors, places, aside)
        return [(self._dot(axes, colors, i, aside[i]), self._words(i), i) for i in range(len(self.names))]

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give a row per point."""
        rows = [
            [name, in_words(x, self.x_is_share), in_words(y, self.y_is_share)]
            for name, x, y in zip(self.names, self.xs, self.ys, strict=True)
        ]
        return ["", self.x, self.y], rows

    def _words(self, i: int) -> str:
        x, y = in_words(self.xs[i], self.x_is_share), in_words(self.ys[i], self.y_is_share)
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
            text = in_short(self.names[i])
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


def in_short(name: str) -> str:
    """Cut a long name in its middle: names often begin alike and differ at their ends.

    >>> in_short("Bottom-up (full-domain), k = 20")
    'Bottom-up (f…main), k = 20'
    """
    half = _LONGEST // 2
    return name if len(name) <= _LONGEST else f"{name[: half - 1]}…{name[-half:]}"


def apart(places: Sequence[tuple[float, float]]) -> list[float]:
    """Say how far each dot is put aside so that equal ones stand side by side.

    >>> apart([(0, 0), (50, 0), (0, 1)])
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
