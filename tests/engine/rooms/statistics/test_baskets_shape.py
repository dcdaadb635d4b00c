"""Baskets in the room of statistics: an item, a basket or a customer is hidden, each with the bounds it needs."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.projects.opening import new_project, open_project
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.cost_preview import preview_questions
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.engine.rooms.statistics.questions import baskets
from anonymizer_gui.engine.rooms.statistics.run import run
from anonymizer_gui.engine.storage.sources import Source
from tests.engine.dp.recording import faults

ROW, CHANGE, PERSON = (PrivacyUnit.parse(text) for text in ("row", "change", "person=who:2"))
ASKS = (
    "items 2 a,b,c,d",
    "items 2 a,b,c,d with noise=gaussian keeps=first",
    "top 2 2 a,b,c,d",
    "top 1 3 a,b,c with way=top-k-once",
)
SOME = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
def in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let lots fall in the order of the items: they are drawn anew in every run."""
    monkeypatch.setattr(baskets, "draw_lots", lambda count: np.arange(count, dtype=np.uint64))


def made(held: Sequence[tuple[str, Sequence[str]]]) -> Baskets:
    return Baskets.from_sets([items for _, items in held], Table.from_rows(["who"], [[who] for who, _ in held]))


def plan(ask: str, unit: PrivacyUnit, shape: str = "baskets") -> Project:
    limits = {"epsilon": Fraction(1), "total": Fraction(100), "delta": Fraction(1, 10**9)}
    return Project(shape=shape, questions=(parse_question(ask, shape),), unit=unit, surplus="first", **limits)  # type: ignore[arg-type]


BASKET = st.tuples(st.sampled_from(["p", "q", "r"]), st.lists(st.sampled_from("abcdef"), max_size=5))


@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
@pytest.mark.parametrize("ask", ASKS)
@SOME
@given(st.lists(BASKET, max_size=6), BASKET, BASKET, st.integers(1, 4))
def test_nothing_moves_further_than_declared(
    in_order: None, ask: str, unit: PrivacyUnit, held: list[tuple[str, list[str]]], one: tuple[str, list[str]],
    other: tuple[str, list[str]], several: int,
) -> None:  # fmt: skip
    if unit is CHANGE:
        pair = made([*held, one]), made([*held, other])
    elif unit is ROW:
        pair = made(held), made([*held, one])
    else:
        pair = made(held), made([*held, *[("new", one[1])] * several])
    with pytest.MonkeyPatch.context() as patch:
        told_apart = faults(lambda data: run(plan(ask, unit), {"table": data}), *pair, patch)
    assert told_apart == []


@SOME
@given(st.lists(BASKET, min_size=1, max_size=6), st.data())
def test_a_single_item_moves_one_count(held: list[tuple[str, list[str]]], data: st.DataObject) -> None:
    baskets = made(held)
    for neighbour in data_kind("basket-items").neighbours(baskets, ROW):
        project = plan("items a,b,c", ROW, "basket-items")
        with pytest.MonkeyPatch.context() as patch:
            assert faults(lambda each: run(project, {"table": each}), baskets, neighbour, patch) == []  # noqa: B023


def test_the_three_neighbours_need_three_sensitivities() -> None:
    counted = {
        "item": plan("items aspirin,plasters", ROW, "basket-items"),
        "transaction": plan("items 3 aspirin,plasters", ROW),
        "customer": plan("items 3 aspirin,plasters", PrivacyUnit.parse("person=customer:4")),
    }
    assert {name: preview_questions(each)[0].sensitivity for name, each in counted.items()} == {
        "item": 1,
        "transaction": 3,
        "customer": 12,
    }


def test_the_aspirin_sample_tells_its_three_sensitivities() -> None:
    project = open_project(resource_path("samples", "aspirin.anon")).project
    asked = project.questions[0]
    told = str(asked.question.moved(project.unit).why)
    assert "3 baskets of at most 2 items, which are 6 counts" in told
    assert "hiding one basket would take 2, hiding a single item 1" in told


def test_large_baskets_are_cut_before_they_are_counted(in_order: None) -> None:
    baskets = made([("p", ["a", "b", "c", "d"]), ("q", ["d"])])
    project = plan("items 2 a,b,c,d with keeps=first", ROW)
    asked = project.questions[0]
    assert asked.question.counted(baskets, project.public(asked))[0].tolist() == [1, 1, 0, 1]


def test_the_aspirin_sample_goes_the_whole_way(tmp_path: Path) -> None:
    opened = open_project(resource_path("samples", "aspirin.anon"))
    assert opened.obstacle is None
    assert len(opened.files["table"]) == 12
    room = room_of("statistics")
    files = {**opened.files, "ledger": BudgetLedger(tmp_path / "x.budget")}
    release = room.run(opened.project, files, SILENT)
    assert [answer.sensitivity for answer in release.answers] == [6, 3]
    export(room.leaving(release, files, Safeguards(), SILENT), tmp_path / "out.csv")
    assert verify_release(tmp_path / "out.csv").holds


def test_a_file_of_baskets_is_known_by_its_ragged_lines(tmp_path: Path) -> None:
    path = tmp_path / "shop.basket"
    path.write_text("milk,bread\nmilk\nbeer\n" * 5, encoding="utf-8")
    opened = new_project(room_of("statistics"), Source(str(path)))
    assert opened.project.shape == "baskets"
    assert opened.project.source is not None
    assert opened.project.source.options["shape"] == "baskets"
    asked = parse_question("top 1 2 milk,bread", "baskets")
    assert question_text(asked) == "top 1 2 milk,bread"
    release = room_of("statistics").run(
        replace(opened.project, questions=(asked,), epsilon=Fraction(500), total=Fraction(900)),
        {"table": opened.files["table"]},
        SILENT,
    )
    assert release.answers[0].value == ("milk",)


def test_single_items_have_no_person() -> None:
    with pytest.raises(BadParameter, match="has no column"):
        run(plan("items a", PERSON, "basket-items"), {"table": made([("p", ["a"])])})


def test_the_same_baskets_have_the_same_fingerprint_in_any_order() -> None:
    shape = data_kind("baskets")
    one, two = made([("p", ["a", "b"]), ("q", ["c"])]), made([("q", ["c"]), ("p", ["b", "a"])])
    assert shape.fingerprint(one, b"key") == shape.fingerprint(two, b"key")
    assert shape.fingerprint(one, b"key") != shape.fingerprint(made([("p", ["a"]), ("q", ["c"])]), b"key")
    assert shape.fingerprint(one, b"key") != shape.fingerprint(one, b"other")


def test_the_items_of_baskets_are_no_person_either() -> None:
    """The column of items is known, but nothing bounds how many baskets hold one: the claim would be wrong."""
    unit = PrivacyUnit.parse("person=items:2")
    with pytest.raises(BadParameter, match="cannot be protected in this kind of data"):
        run(plan("items a", unit, "basket-items"), {"table": made([("p", ["a"])])})


def test_the_same_baskets_have_one_budget_whatever_is_protected(tmp_path: Path) -> None:
    files = {"table": made([("p", ["a", "b"]), ("q", ["c"])]), "ledger": BudgetLedger(tmp_path / "x.budget")}
    run(plan("items 2 a,b", ROW), files)
    with pytest.raises(BadParameter, match="another kind of data: Baskets"):
        run(plan("items a,b", ROW, "basket-items"), files)
