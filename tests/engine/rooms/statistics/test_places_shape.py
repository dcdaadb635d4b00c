"""Places in the room of statistics: a point or a person is hidden; maps are even, adaptive, or clustered."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.projects.opening import new_project
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.independent.sensitivities import sensitivity_bounds
from anonymizer_gui.engine.rooms.statistics.question import PublicKnowledge
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.engine.rooms.statistics.questions.maps import Quadtree, _fitted, _spread
from anonymizer_gui.engine.storage.sources import Source

ASKS = ("grid 0 8 0 8 4 4", "quadtree 0 8 0 8 3", "k-means 2 0 8 0 8")
POINT = st.tuples(st.sampled_from("abc"), st.integers(-1, 9), st.integers(-1, 9))


def points(rows: list[tuple[str, int, int]]) -> Table:
    return Table.from_rows(["person", "track", "x", "y"], [[who, who, str(x), str(y)] for who, x, y in rows])


@pytest.mark.parametrize("ask", ASKS)
def test_a_question_is_asked_as_it_is_told(ask: str) -> None:
    assert question_text(parse_question(ask, "places")) == ask


@pytest.mark.parametrize("unit", ["row", "change", "person=person:2"])
@given(st.lists(POINT, min_size=1, max_size=8))
def test_neighbours_move_the_counts_no_farther_than_the_audit_says(unit: str, rows: list[tuple[str, int, int]]) -> None:
    shape, protected = data_kind("places"), PrivacyUnit.parse(unit)
    data = points(rows)
    public = PublicKnowledge(protected, epsilon=Fraction(1), assumed=100)
    cut = shape.cut(data, protected, "first")
    for ask in ASKS[:2]:
        question = parse_question(ask, "places").question
        told = {"question": question.name, "parameters": {"depth": getattr(question, "depth", 0)}, "part": None}
        allowed = [move.summed for move in sensitivity_bounds(told, unit)]
        before = question.counted(cut, public)
        for other in shape.neighbours(data, protected):
            after = question.counted(shape.cut(other, protected, "first"), public)
            moved = [int(np.abs(a - b).sum()) for a, b in zip(before, after, strict=True)]
            assert all(far <= most for far, most in zip(moved, allowed, strict=True))


def test_levels_share_the_whole_budget_and_finer_ones_have_more() -> None:
    steps = Quadtree(0, 8, 0, 8, 4).steps(PublicKnowledge())
    assert sum(step.share for step in steps) == 1
    assert [step.cells for step in steps] == [256, 64, 16, 4]
    assert [step.share for step in steps] == sorted((step.share for step in steps), reverse=True)


def test_counts_of_a_quadtree_add_up_and_empty_squares_are_not_told_apart() -> None:
    random = np.random.default_rng(1)
    finest = np.zeros((8, 8))
    finest[:2, :2] = 1000
    true = {3: finest, 2: finest.reshape(4, 2, 4, 2).sum(axis=(1, 3)), 1: finest.reshape(2, 4, 2, 4).sum(axis=(1, 3))}
    noise = dict.fromkeys((1, 2, 3), 5.0)
    noisy = {level: cells + random.normal(0, 2, cells.shape) for level, cells in true.items()}
    fitted = _fitted(noisy, noise)
    for level in (1, 2):
        below = fitted[level + 1].reshape(1 << level, 2, 1 << level, 2).sum(axis=(1, 3))
        assert np.allclose(fitted[level], below)
    cells, coarse = _spread(fitted, noise)
    assert coarse == 60
    assert np.abs(cells[:2, :2] - 1000).max() < 20
    assert len(np.unique(cells[4:, 4:].round(6))) == 1


def test_tracks_are_asked_about_and_the_release_verifies(tmp_path: Path) -> None:
    text = "".join(f'{n},{1372636858 + n},"[[{-8.6 - n / 1000},41.15],[{-8.61},41.16]]"\n' for n in range(30))
    (tmp_path / "trips.csv").write_text("TRIP_ID,TIMESTAMP,POLYLINE\n" + text, encoding="utf-8")
    room = room_of("statistics")
    opened = new_project(room, Source(str(tmp_path / "trips.csv")))
    assert opened.project.shape == "places"
    edges = "-8.7 -8.5 41.1 41.2"
    asked = tuple(
        parse_question(ask, "places") for ask in (f"grid {edges} 3 3", f"quadtree {edges} 2", f"k-means 2 {edges}")
    )
    unit, limits = PrivacyUnit.parse("person=track:2"), {"epsilon": Fraction(3), "total": Fraction(9)}
    plan = replace(opened.project, questions=asked, unit=unit, **limits)
    files = {**opened.files, "ledger": BudgetLedger(tmp_path / "x.budget")}
    release = room.run(plan, files, SILENT)
    assert [len(answer.values) for answer in release.answers] == [9, 16, 6]
    assert {str(answer.in_unit) for answer in release.answers} == {"points"}
    assert [label for label, _ in release.answers[2].values][2::3] == ["1 points", "2 points"]
    exported = export(room.leaving(release, files, Safeguards(), SILENT), tmp_path / "out.csv")
    assert verify_release(exported.path).holds


def test_coordinates_stay_as_they_are_in_the_file(tmp_path: Path) -> None:
    """A projection would depend on everybody, and so would somebody's cell."""
    (tmp_path / "a.csv").write_text("user,time,lon,lat\na,0,11.123456,48.5\nb,1,-170.25,-3\n", encoding="utf-8")
    read = data_kind("places").read(Source(str(tmp_path / "a.csv"), options={"shape": "places"}), SILENT)
    assert read.data.column("x").texts().tolist() == ["11.123456", "-170.250000"]
    assert read.source.options["units"] == ""
