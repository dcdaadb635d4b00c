"""Releases about baskets, graphs and trees: every question verifies for every unit, by the file that was published."""

from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.run import run
from tests.engine.rooms.statistics import test_baskets_shape as baskets
from tests.engine.rooms.statistics import test_graphs_shape as graphs
from tests.engine.rooms.statistics import test_trees_shape as trees

HELD = (("p", ["a", "b"]), ("q", ["a", "c"]), ("r", ["d"]))
RECORDS = ({"a": [{"b": "x"}, {"b": "y"}]}, {"a": [{"b": "x"}]}, {"a": []})
ASKED = {
    "baskets": baskets.ASKS,
    "basket-items": ("items a,b",),
    "graph": ("edges with degree=3", "count degree>=2 with degree=3", "degrees 3", "degrees 3 with noise=gaussian"),
    "graph-edges": ("edges", "count degree>=2", "degrees 4", "triangles 5"),
    "trees": ("entries a[].b 3", "having a[].b x", "values a[].b 2 x,y"),
    "tree-entries": ("entries a[].b", "having a[].b x", "values a[].b x,y with noise=gaussian"),
}


def project_and_data(shape: str, ask: str, unit: PrivacyUnit) -> tuple[Any, Any]:
    """Give a plan with one question and a few people of that shape."""
    if shape.startswith("basket"):
        return baskets.plan(ask, unit, shape), baskets.made(HELD)
    if shape.startswith("graph"):
        return graphs.plan(ask, unit, shape), graphs.made("abcd", [(0, 1), (1, 2), (2, 3)])
    return trees.plan(ask, unit, shape), trees.made(RECORDS)


@pytest.mark.parametrize("unit", ["row", "change"])
@pytest.mark.parametrize(("shape", "ask"), [(shape, ask) for shape, asks in ASKED.items() for ask in asks])
def test_a_release_of_any_shape_is_measured_again(shape: str, ask: str, unit: str, tmp_path: Path) -> None:
    project, data = project_and_data(shape, ask, PrivacyUnit.parse(unit))
    files = {"table": data}
    ready = room_of("statistics").leaving(run(project, files), files, Safeguards(), SILENT)
    result = verify_release(export(ready, tmp_path / "out.csv").path)
    assert result.differences == ()
    assert {"promises", "numbers", "accounting", "answers.0.scale", "answers.0.error95"} <= set(result.measured)
