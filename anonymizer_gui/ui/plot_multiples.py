"""Many small charts of one kind side by side: every column before and after, at one glance."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from anonymizer_gui.ui.i18n import percent
from anonymizer_gui.ui.plots import Colors, shortened

_WIDTH_OF_ONE = 2.4
"""Inches a small chart should have at least."""
_SMALLER = 0.85


def shape_of(panels: int, room: int) -> tuple[int, int]:
    """Give columns and rows of a grid: as few rows as the room allows, and these as even as can be.

    >>> shape_of(8, 7), shape_of(3, 7), shape_of(0, 7)
    ((4, 2), (3, 1), (1, 1))
    """
    down = max(1, math.ceil(panels / max(1, room)))
    return max(1, math.ceil(panels / down)), down


@dataclass(frozen=True, slots=True)
class Panel:
    """One small chart: its name, what is said behind it, and two series of shares over the same labels."""

    name: str
    remark: str
    labels: Sequence[str]
    before: Sequence[float]
    after: Sequence[float]


@dataclass(frozen=True, slots=True)
class Multiples:
    """A grid of panels with a common legend; each answers to the pointer as a whole."""

    title: str
    panels: Sequence[Panel]
    names: tuple[str, str]
    """What the two series are called."""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw the panels in as many columns as the width allows."""
        figure = axes.figure
        across, down = shape_of(len(self.panels), int(figure.get_figwidth() / _WIDTH_OF_ONE))
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
            [panel.name, label, percent(before), percent(after)]
            for panel in self.panels
            for label, before, after in zip(panel.labels, panel.before, panel.after, strict=True)
        ]
        return ["", "", *self.names], rows

    def _draw_one(self, axes: Any, panel: Panel, colors: Colors, *, is_first: bool) -> None:
        places = range(len(panel.labels))
        before, after = self.names if is_first else ("", "")
        axes.bar(
            places, panel.before, 0.9, color=colors["grid"], edgecolor=colors["muted"], lw=0.6, label=before or None
        )
        axes.bar(places, panel.after, 0.4, color=colors["series_1"], label=after or None)
        size = axes.xaxis.get_label().get_fontsize() * _SMALLER
        axes.set_title(f"{shortened(panel.name)} · {panel.remark}", fontsize=size, color=colors["text"], loc="left")
        ends = sorted({0, len(panel.labels) - 1}) if panel.labels else []
        axes.set_xticks(ends, [shortened(panel.labels[end]) for end in ends], fontsize=size * _SMALLER)
        for text, side in zip(axes.get_xticklabels(), ("left", "right"), strict=False):
            text.set_ha(side)
        axes.set_yticks([])
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)

    def _words(self, panel: Panel) -> str:
        lines = [f"{panel.name} · {panel.remark}"]
        before, after = self.names
        shown = sorted(range(len(panel.labels)), key=lambda i: -abs(panel.after[i] - panel.before[i]))[:3]
        for i in shown:
            lines.append(f"{panel.labels[i]}: {before} {percent(panel.before[i])}, {after} {percent(panel.after[i])}")
        return "\n".join(lines)
