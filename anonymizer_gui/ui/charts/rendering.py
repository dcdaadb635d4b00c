"""Draws a plot into a picture, on whatever thread it is called; needs no window."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.ui.charts.plots import HoverSpot, Plot

_BASE_DPI = 96


@dataclass(frozen=True, slots=True)
class RenderedPlot:
    """Pixels as RGBA bytes, and the spots that answer to the pointer."""

    width: int
    height: int
    pixels: bytes
    spots: tuple[HoverSpot, ...]


@dataclass(frozen=True, slots=True)
class CanvasSize:
    """The size in pixels, how many of them are one of the screen's, the size of letters and the colours."""

    width: int
    height: int
    ratio: float
    points: float
    colors: Mapping[str, str]


def render_image(plot: Plot, canvas: CanvasSize, progress: Progress) -> RenderedPlot:
    """Draw a plot for the screen."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    progress(0.0)
    figure, drawn = _figure(plot, canvas, _BASE_DPI * canvas.ratio)
    surface: Any = FigureCanvasAgg(figure)  # matplotlib has no types for it
    progress(0.5)
    surface.draw()
    width, height = surface.get_width_height()
    spots = tuple(_spot(artist, text, number, width, height) for artist, text, number in drawn)
    return RenderedPlot(width, height, bytes(surface.buffer_rgba()), spots)


def save_figure(plot: Plot, canvas: CanvasSize, suffix: str) -> bytes:
    """Draw a plot as the content of a PNG or SVG file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure, _ = _figure(plot, canvas, _BASE_DPI * 2)
    figure.suptitle(plot.title, color=canvas.colors["text"])
    FigureCanvasAgg(figure)
    content = BytesIO()
    metadata = {"Date": None} if suffix == "svg" else {"Software": None}
    figure.savefig(content, format=suffix, metadata=metadata)
    return content.getvalue()


def _figure(plot: Plot, canvas: CanvasSize, dpi: float) -> tuple[Any, list[tuple[Any, str, int]]]:
    import matplotlib
    from matplotlib.figure import Figure

    colors = canvas.colors
    style: dict[Any, Any] = {
        "font.size": canvas.points,
        "text.color": colors["text"],
        "axes.labelcolor": colors["text"],
        "xtick.color": colors["muted"],
        "ytick.color": colors["muted"],
        "axes.edgecolor": colors["line"],
        "axes.facecolor": colors["base"],
        "figure.facecolor": colors["base"],
        "savefig.facecolor": colors["base"],
        "svg.fonttype": "none",
        "svg.hashsalt": "anonymizer",
    }
    with matplotlib.rc_context(style):
        size = max(canvas.width, 80) / canvas.ratio / _BASE_DPI, max(canvas.height, 60) / canvas.ratio / _BASE_DPI
        figure = Figure(figsize=size, dpi=dpi, layout="constrained")
        axes = figure.add_subplot()
        return figure, plot.draw(axes, colors)


def _spot(artist: Any, text: str, number: int, width: int, height: int) -> HoverSpot:
    box = artist.get_window_extent()
    return HoverSpot(box.x0 / width, 1 - box.y1 / height, box.x1 / width, 1 - box.y0 / height, text, number)
