"""Charts of the room: estimates with their errors beside the truth, and errors along what can be chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anonymizer_gui.engine.dp.local.estimation import WIDTH95
from anonymizer_gui.engine.rooms.survey.estimates import Estimate, QuestionEstimates
from anonymizer_gui.ui.charts.plots import MOST_LABELS, Colors, finish, format_plain, percent_axis, short_label
from anonymizer_gui.ui.i18n import format_decimal, format_significant, tr

_MOST_CAPS = 60


@dataclass(frozen=True, slots=True)
class EstimatePlot:
    """Estimated numbers as bars with intervals of 95 %, and dots for what is told or true beside them."""

    title: str
    labels: Sequence[str]
    values: Sequence[float]
    errors: Sequence[float]
    beside: Mapping[str, Sequence[float]]
    """Further numbers by their names: the truth, or what reports say before the chances are taken out."""
    y: str = ""
    from_zero: bool = True
    """Whether bars stand on zero; otherwise dots show how far numbers are apart."""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw the bars or dots; what is negative is drawn as it is."""
        places = range(len(self.values))
        bars = self._bars(axes, colors) if self.from_zero else self._dots(axes, colors)
        for number, (name, values) in enumerate(self.beside.items()):
            shade, marker = colors[f"series_{number + 2}"], "Ds"[number % 2]
            axes.plot(places, values, marker, markersize=9, color=shade, label=name, mec=colors["base"], mew=1.5)
        if self.from_zero:
            axes.axhline(0, color=colors["muted"], linewidth=1)
        self._label(axes)
        finish(axes, "", self.y, colors, legend=bool(self.beside))
        return [(bar, self._words(place), place) for place, bar in enumerate(bars)]

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give the numbers with the ends of their intervals."""
        heads = [tr("Answer"), tr("Estimated"), tr("From"), tr("To"), *self.beside]
        rows = []
        for place, label in enumerate(self.labels):
            value, error = self.values[place], self.errors[place]
            more = [format_plain(values[place]) for values in self.beside.values()]
            rows.append([label, format_plain(value), format_plain(value - error), format_plain(value + error), *more])
        return heads, rows

    def _words(self, place: int) -> str:
        told = [f"{tr('Estimated')}: {format_plain(self.values[place])} ± {format_plain(self.errors[place])}"]
        told += [f"{name}: {format_plain(values[place])}" for name, values in self.beside.items()]
        return "\n".join([self.labels[place], *told])

    def _bars(self, axes: Any, colors: Colors) -> list[Any]:
        drawn = axes.bar(
            range(len(self.values)), self.values, 0.7, color=colors["series_1"], yerr=self.errors,
            ecolor=colors["text"], capsize=0 if len(self.values) > _MOST_CAPS else 3, label=tr("Estimated"),
        )  # fmt: skip
        return list(drawn)

    def _dots(self, axes: Any, colors: Colors) -> list[Any]:
        look = {"color": colors["series_1"], "ecolor": colors["text"], "capsize": 3, "markersize": 9}
        return [
            axes.errorbar(
                [place], [value], yerr=[error], fmt="o", label=None if place else tr("Estimated"), **look
            ).lines[0]
            for place, (value, error) in enumerate(zip(self.values, self.errors, strict=True))
        ]

    def _label(self, axes: Any) -> None:
        step = max(1, -(-len(self.labels) // MOST_LABELS))
        ticks = list(range(0, len(self.labels), step))
        is_crowded = sum(min(len(self.labels[tick]), 18) + 2 for tick in ticks) > 70
        axes.set_xticks(
            ticks, [short_label(self.labels[tick]) for tick in ticks],
            rotation=40 if is_crowded else 0, ha="right" if is_crowded else "center",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ErrorCurvesPlot:
    """Errors of several protocols along one quantity, as shares over logarithms, with a line at what is chosen now."""

    title: str
    curves: Mapping[str, Sequence[tuple[float, float]]]
    now: float
    x: str = ""
    y: str = ""

    def draw(self, axes: Any, colors: Colors) -> list[tuple[Any, str, int]]:
        """Draw a line for each name."""
        axes.set_xscale("log")
        axes.set_yscale("log")
        drawn = []
        for number, (name, points) in enumerate(self.curves.items()):
            shade = colors[f"series_{number % 6 + 1}"]
            if points:
                axes.plot(*zip(*points, strict=True), color=shade, linewidth=2, marker="osD^vP"[number % 6], label=name)
            for place, (x, y) in enumerate(points):
                dot = axes.plot([x], [y], "o", markersize=8, color=shade, alpha=0.0)[0]
                drawn.append((dot, f"{name}\n{self.x} {format_plain(x)}: {format_share(y)}", place))
        axes.axvline(self.now, color=colors["muted"], linewidth=1.5, linestyle="--")
        axes.xaxis.set_major_formatter(lambda value, _place: format_plain(value))
        percent_axis(axes.yaxis)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_minor_formatter(lambda _value, _place: "")
        finish(axes, self.x, self.y, colors)
        # Two to a line: the names of protocols are long.
        axes.legend(
            frameon=False, labelcolor=colors["text"], loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2,
            borderaxespad=0.2,
        )  # fmt: skip
        return drawn

    def numbers(self) -> tuple[list[str], list[list[str]]]:
        """Give every point."""
        rows = [[name, format_plain(x), format_share(y)] for name, points in self.curves.items() for x, y in points]
        return [tr("Protocol"), self.x, self.y], rows


def format_share(value: float) -> str:
    """Write a share in percent with all the digits it needs."""
    return tr("{number}%", number=format_plain(100 * value))


def estimate_plot(result: QuestionEstimates, true: list[float] | None = None) -> EstimatePlot:
    """Draw the estimates of a question, with the truth beside them where it is known."""
    is_count = bool(result.question.domain)
    return EstimatePlot(
        tr("{question} – {n:report|reports}", question=result.question.text or result.question.name, n=result.n),
        [answer_label(cell, result) for cell in result.cells],
        [cell.estimate for cell in result.cells],
        [WIDTH95 * cell.sd for cell in result.cells],
        {} if true is None else {tr("True"): true},
        y=tr("people") if is_count else "",
    )


def answer_label(cell: Estimate, result: QuestionEstimates) -> str:
    """Give the answer, or say that the number is a mean."""
    return cell.value if result.question.domain else tr("mean")


def interval_texts(cell: Estimate, result: QuestionEstimates) -> list[str]:
    """Write the estimate and the ends of its interval, so that they stand below each other."""
    return [format_estimate(number, result) for number in (cell.estimate, cell.low, cell.high)]


def format_estimate(number: float, result: QuestionEstimates) -> str:
    """Write a number of people with one decimal, the mean of a number with six digits."""
    return format_decimal(number, 1) if result.question.domain else format_significant(number, 6)
