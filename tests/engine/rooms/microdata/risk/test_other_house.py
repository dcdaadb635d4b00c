"""The attack with a release of another house, against all worlds there are on small tables."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.risk.composition_with_other_publisher import OtherPublisher
from anonymizer_gui.engine.rooms.microdata.risk.contract import AttackView

ABOVE = {"a1": ("a1", "a", "*"), "a2": ("a2", "a", "*"), "b1": ("b1", "b", "*")}
TREE = Hierarchy.from_nested({"*": {"a": ["a1", "a2"], "b": ["b1"]}})
ILL = st.sampled_from(["flu", "hiv", "gout", MISSING])
OURS = st.lists(st.tuples(st.sampled_from([*ABOVE]), st.integers(0, 2), ILL), min_size=1, max_size=7)
THEIRS = st.lists(st.tuples(st.sampled_from([*ABOVE, "a", "b", "*"]), ILL), min_size=1, max_size=6)


def exposure(ours: list[tuple[str, int, str]], theirs: list[tuple[str, str]]) -> AttackView:
    """Publish our people at levels, and give what the other house has published."""
    published = Table.from_rows(["place", "ill"], [[ABOVE[place][level], ill] for place, level, ill in ours])
    known = Table.from_rows(["place"], [[place] for place, _, _ in ours])
    other = Table.from_rows(["place", "ill"], theirs)
    return AttackView(published, ("place",), ("ill",), {"place": TREE}, other=other, known=known)


def values_in_all_worlds(who: int, ours: list[tuple[str, int, str]], theirs: list[tuple[str, str]]) -> set[str]:
    """Try every row of the class and every row of the other release for one person who is in both."""
    place, level, _ = ours[who]
    cell = ABOVE[place][level]
    return {
        ill
        for other, at, ill in ours
        for cell_there, ill_there in theirs
        if ABOVE[other][at] == cell and cell_there in ABOVE[place] and ill == ill_there
    }


@given(OURS, THEIRS, st.integers(2, 3))
def test_hit_are_exactly_those_whom_the_worlds_leave_too_few_values(
    ours: list[tuple[str, int, str]], theirs: list[tuple[str, str]], least: int
) -> None:
    found = OtherPublisher(least=least).measure(exposure(ours, theirs), SILENT)
    hit, fewest, people = 0, [], 0
    for who, (_, _, ill) in enumerate(ours):
        left = values_in_all_worlds(who, ours, theirs)
        if ill == MISSING or ill not in left:
            continue
        people += 1
        fewest.append(len(left - {MISSING}))
        hit += len(left - {MISSING}) < least
    assert found.hit == hit
    assert found.details["people_in_both"] == people
    if fewest:
        assert found.details["fewest_left"] == min(fewest)


def test_two_harmless_tables_give_one_value_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("a1", "a", "AIDS"), ("a2", "a", "flu"), ("b1", "*", "gout"), ("b1", "*", "flu")]
    (tmp_path / "original.csv").write_text("place,ill\n" + "".join(f"{p},{i}\n" for p, _, i in rows), encoding="utf-8")
    (tmp_path / "ours.csv").write_text("place,ill\n" + "".join(f"{c},{i}\n" for _, c, i in rows), encoding="utf-8")
    (tmp_path / "theirs.csv").write_text("place,ill\n*,aids\n*,gout\n", encoding="utf-8")
    (tmp_path / "place.txt").write_text("a1,a,*\na2,a,*\nb1,b,*\n", encoding="utf-8")
    call = ["measure", str(tmp_path / "ours.csv"), "--qi", "place", "--sa", "ill", "--hierarchies", str(tmp_path)]
    more = ["--original", str(tmp_path / "original.csv"), "--same-order", "--risks", "--json"]
    assert main([*call, *more, "--other-release", str(tmp_path / "theirs.csv")]) == 0
    told = json.loads(capsys.readouterr().out)["risks"]["other-house"]
    assert told["hit"] == 2  # AIDS in “a”, gout in “*”: one value left of each
    assert told["details"]["fewest_left"] == 1
    assert told["details"]["largest_share"] == 1


def test_it_says_what_is_missing() -> None:
    table = Table.from_rows(["place", "ill"], [["a1", "flu"]])
    with pytest.raises(BadParameter, match="no release of another house"):
        OtherPublisher().measure(AttackView(table, ("place",), ("ill",), known=table), SILENT)
    with pytest.raises(BadParameter, match="which row is about whom"):
        OtherPublisher().measure(AttackView(table, ("place",), ("ill",), other=table), SILENT)
    strange = Table.from_rows(["x", "ill"], [["a1", "flu"]])
    with pytest.raises(BadParameter, match="none of the quasi-identifiers"):
        OtherPublisher().measure(AttackView(table, ("place",), ("ill",), other=strange, known=table), SILENT)
