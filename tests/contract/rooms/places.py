"""Walks of a club whose members and odd places no file may show."""

from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.places.algorithms.trajectories import NeverWalkAlone
from anonymizer_gui.engine.rooms.places.project import PLACES, ROADS, Project
from anonymizer_gui.engine.storage.sources import Source
from tests.contract.room_samples import RoomSample

NAMES = tuple(f"Wanderer{number:02}" for number in range(9))


def sample(folder: Path) -> RoomSample:
    """Give a project that uses every entry: tracks of nine members, roads below them, and parameters of the method."""
    rows = [
        f"{name},2024-05-01T08:{minute:02}:00+02:00,{11.0 + 0.00017 * minute + 0.00131 * (at % 3):.5f},"
        f"{48.0 + 0.00023 * minute + 0.00117 * (at // 3):.5f}"
        for at, name in enumerate(NAMES)
        for minute in range(at, 20 + at)
    ]
    (folder / "walks.csv").write_text("\n".join(["person,time,lon,lat", *rows]) + "\n", encoding="utf-8")
    (folder / "roads.csv").write_text("x1,y1,x2,y2\n11.0,48.0,11.01,48.01\n", encoding="utf-8")
    room = room_of("places")
    project = Project(
        name="club",
        source=room.read(PLACES, Source(str(folder / "walks.csv")), SILENT).source,
        roads=room.read(ROADS, Source(str(folder / "roads.csv")), SILENT).source,
        k=3,
        algorithm=NeverWalkAlone(trim=20.0, step=45.0),
        seed=7,
    )
    return RoomSample(project, "out.csv", hidden=(*NAMES, "11.00131", "48.00117"))


NOT_MEASURED: dict[str, str] = {
    "source": "a name",
    "recipe.parameters.step": "a longer track is cut by a wider step",
    "recipe.parameters.trim": "trimmed ends are not in the file",
    "recipe.parameters.most_lost": "lost tracks are not in the file",
    "written.latitude": "tracks that are the same are the same in any projection; it is bounded by the file",
    "loss.lost": "lost tracks are not in the file",
    "loss.displacement_m": "true places are not published",
    "checks.lost": "lost tracks are not in the file",
    "checks.ledger": "the ledger is not published",
}
"""Entries of the certificate that no file can confirm, with the reason."""
FORGED: dict[str, dict[str, Any]] = {"track-k": {"k": 1000}}
"""A stronger value of a parameter of every promise, which a forger would like to be believed."""
