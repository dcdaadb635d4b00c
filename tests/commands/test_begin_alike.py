"""A project begins on the command line as in the window: what no option decides is decided once."""

from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.projects.opening import new_project
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.storage.sources import Source

NO_OPTIONS: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("room", "sample", "words", "choices"),
    [
        ("microdata", "lecture.csv", ["anonymize", "--qi", "Zip,Age", "--k", "5", "--agree", "Nationality,Disease"],
         {"roles": {"Zip": Role.QI, "Age": Role.QI}}),
        ("baskets", "market.basket", ["baskets"], NO_OPTIONS),
        ("graphs", "village.csv", ["graph"], NO_OPTIONS),
        ("places", "town.csv", ["places", "tracks"], NO_OPTIONS),
    ],
    ids=["microdata", "baskets", "graphs", "places"],
)  # fmt: skip
def test_a_project_begins_with_the_same_settings(
    room: str, sample: str, words: list[str], choices: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_with = []

    def run(_room: object, project: Any, *_files: object, **_options: object) -> None:
        run_with.append(project)
        raise Infeasible("Seen.", "Nothing is to be made.")

    path, way = str(resource_path("samples", sample)), room_of(room)
    monkeypatch.setattr(type(way), "run", run)
    assert main([*words, path, "-o", str(tmp_path / "out.csv")]) == 1
    decided, begun = (way.to_json(each) for each in (run_with[0], new_project(way, Source(path), **choices).project))
    assert {**decided, "acknowledged": []} == {**begun, "acknowledged": []}
