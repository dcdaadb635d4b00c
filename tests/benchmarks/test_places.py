"""Places: CPU seconds of a run beside what reading the file costs, and the longest gap while a map is dragged."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QElapsedTimer, QTimer
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.places.layout import sniff_options
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.data.places.reading import read_places
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, PlaceDemands
from anonymizer_gui.engine.rooms.places.algorithms.mix_zones import MixZones
from anonymizer_gui.engine.rooms.places.algorithms.trajectories import ABSOLUTE, NeverWalkAlone
from anonymizer_gui.ui.rooms.places.map_view import LINES, MapLayer, MapScene, MapView
from anonymizer_gui.workspace.document import Document

pytestmark = pytest.mark.bench
LONGEST_GAP_MS = 100


def cpu(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def report(name: str, took: float, read: float, most: float) -> None:
    """Tell what a run took; it may take so many CPU seconds."""
    sys.stdout.write(f"{name}: {took:.2f} s CPU, {took / max(read, 1e-3):.2f} times reading the file" + "\n")
    assert took < most


def read_file(path: Path) -> tuple[Places, float]:
    started = time.process_time()
    places, _found = read_places(path, sniff_options(path))
    return places, time.process_time() - started


@pytest.mark.parametrize("name", ["hilbert", "quadtree", "casper"])
def test_everybody_in_new_york_is_cloaked(name: str, shared_data: Path) -> None:
    places, read = read_file(shared_data / "gowalla-sample" / "gowalla_events_nyc.csv.gz")
    report(f"{name}, k = 10", cpu(lambda: ALGORITHMS.get(name)().run(places, PlaceDemands(10), SILENT)), read, 1)


def test_trips_of_porto_are_grouped(shared_data: Path) -> None:
    places, read = read_file(shared_data / "porto-taxi-1k" / "train.1k.csv")
    report("Porto, k = 5", cpu(lambda: NeverWalkAlone().run(places, PlaceDemands(5), SILENT)), read, 3)


def test_oldenburg_is_mixed_attacked_and_grouped(shared_data: Path) -> None:
    places, read = read_file(shared_data / "oldenburg" / "oldenburg_sim_1000.csv")
    mixing = MixZones(zones=20, radius=300.0)
    report("Oldenburg, 20 zones with attack", cpu(lambda: mixing.run(places, PlaceDemands(5), SILENT)), read, 10)
    report(
        "Oldenburg, k = 5", cpu(lambda: NeverWalkAlone(time=ABSOLUTE).run(places, PlaceDemands(5), SILENT)), read, 10
    )


def test_ten_thousand_tracks_are_dragged_without_a_gap(qtbot: QtBot) -> None:
    many, points = 10_000, 50
    random = np.random.default_rng(1)
    at = random.uniform(0, 20_000, (many, 1, 2)) + np.cumsum(random.normal(0, 60, (many, points, 2)), axis=1)
    document = Document()
    view = MapView(document.drawing, "map")
    qtbot.addWidget(view)
    view.resize(1400, 900)
    view.show()
    view.show_scene(
        MapScene("tracks", (MapLayer(LINES, at.reshape(-1, 2), starts=list(range(0, many * points, points))),))
    )
    gaps: list[int] = []
    clock, steps = QElapsedTimer(), [0]
    clock.start()

    def tick() -> None:
        gaps.append(clock.restart())
        steps[0] += 1
        view.move_by(6 if steps[0] % 100 < 50 else -6, 2)
        view.repaint()

    timer = QTimer(interval=10)
    timer.timeout.connect(tick)
    timer.start()
    qtbot.waitUntil(lambda: steps[0] > 300, timeout=60_000)
    timer.stop()
    document.close()
    worst = sorted(gaps[1:])[-3:]
    sys.stdout.write(f"10,000 tracks dragged: longest gaps {worst} ms of {LONGEST_GAP_MS} allowed" + "\n")
