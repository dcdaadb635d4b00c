"""Certificates of baskets measured again: every layout, forged promises, and what only the inside copy knows."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import PromiseBroken, UnreadableFile
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import Verification, verify_release
from anonymizer_gui.engine.rooms.baskets import independent_check
from anonymizer_gui.engine.rooms.baskets.algorithms.apriori import AprioriWithoutRoot
from anonymizer_gui.engine.rooms.baskets.algorithms.clustering import LocalClustering
from anonymizer_gui.engine.rooms.baskets.attack import without
from anonymizer_gui.engine.rooms.baskets.independent.recount import ReleasedBaskets, check_promise
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import (
    KAnonymity,
    KmAnonymity,
    LDiversity,
    PrivacyModel,
    PromiseCount,
)
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.rooms.baskets.release_candidate import prepare_candidate
from tests.engine.rooms.baskets.making import released

SETS = [["a", "b"], ["a", "b", "+pill"], ["a", "c"], ["a", "c"], ["b", "c", "+pill"], ["b", "c"]] * 3 + [["rare", "a"]]
TREE = Hierarchy.from_nested({"*": {"x": ["a", "b", "c"], "y": ["rare", "+pill"]}})
GOALS = (KmAnonymity(k=3, m=2), LDiversity(sensitive="+pill", l=2, m=1))


def release_of(layout: str = "lines", *goals: PrivacyModel) -> Release:
    made = released(Baskets.from_sets(SETS), TREE, AprioriWithoutRoot(delete=0.5), *(goals or GOALS))
    return replace(made, project=replace(made.project, layout=layout))


def exported(folder: Path, name: str = "out.csv", layout: str = "lines") -> ExportResult:
    return export(prepare_candidate(release_of(layout), Safeguards(), SILENT), folder / name)


def forged(made: ExportResult, change: Callable[[dict[str, Any]], object]) -> Verification:
    """Change the certificate, seal it again, and verify."""
    told = json.loads(made.certificate.read_text(encoding="utf-8"))
    change(told)
    made.certificate.write_text(json.dumps(told | {"sha256": certificate_digest(told)}), encoding="utf-8")
    return verify_release(made.path)


@pytest.mark.parametrize("layout", ["lines", "long", "matrix", "column", "json"])
@pytest.mark.parametrize("name", ["out.csv", "out.json"])
def test_every_layout_is_measured_with_its_sensitive_item(name: str, layout: str, tmp_path: Path) -> None:
    found = verify_release(exported(tmp_path, name, layout).path)
    assert found.differences == ()
    assert {"written", "numbers", "promises"} <= set(found.measured)
    assert ("recipe.layout" in found.not_measured) is (name == "out.json")


@pytest.mark.parametrize("layout", ["long", "matrix", "column"])
@pytest.mark.parametrize("name", ["out.csv", "out.json"])
def test_every_layout_is_measured_with_its_sensitive_column(name: str, layout: str, tmp_path: Path) -> None:
    beside = Table.from_rows(["=illness"], [("0" if at % 2 else "1",) for at in range(len(SETS))])
    goals = (KmAnonymity(k=3, m=2), LDiversity(sensitive="=illness", l=2, m=1))
    release = released(Baskets.from_sets(SETS, beside), TREE, AprioriWithoutRoot(delete=0.5), *goals)
    release = replace(release, project=replace(release.project, layout=layout))
    made = export(prepare_candidate(release, Safeguards(), SILENT), tmp_path / name)
    found = verify_release(made.path)
    assert found.differences == ()
    assert {"written", "numbers", "promises"} <= set(found.measured)

    def as_item(told: dict[str, Any]) -> None:
        """Call the column an item, which a matrix of zeros and ones would not contradict."""
        told["written"]["hidden"], told["written"]["column"] = told["written"]["column"], ""

    if (name, layout) == ("out.csv", "matrix"):
        assert any(each.startswith("numbers.values_left is ") for each in forged(made, as_item).differences)
    else:
        with pytest.raises(UnreadableFile, match="does not hold baskets"):
            forged(made, as_item)


def test_a_forged_number_of_baskets_is_found(tmp_path: Path) -> None:
    def at_least_500(told: dict[str, Any]) -> None:
        promise = told["promises"][0]
        promise["parameters"]["k"] = told["recipe"]["goals"][0]["parameters"]["k"] = told["numbers"]["k"] = 500
        promise["value"] = told["numbers"]["smallest_support"] = 500
        promise["sentence"] = promise["sentence"].replace("at least 3 baskets", "at least 500 baskets")

    found = forged(exported(tmp_path), at_least_500)
    assert any(each.startswith("promises.km.holds is false, the certificate says true") for each in found.differences)
    assert any(each.startswith("numbers.smallest_support is ") for each in found.differences)


def test_a_sensitive_item_that_is_in_no_basket_is_found(tmp_path: Path) -> None:
    def another(told: dict[str, Any]) -> None:
        for goal in (told["promises"][1], told["recipe"]["goals"][1]):
            goal["parameters"]["sensitive"] = "+cure"
        told["promises"][1]["sentence"] = told["promises"][1]["sentence"].replace("pill", "cure")
        told["written"]["hidden"] = "'+cure"

    assert any(each.startswith("written.hidden is ") for each in forged(exported(tmp_path), another).differences)


def test_the_loss_is_compared_with_the_inside_copy_where_it_is_there(tmp_path: Path) -> None:
    made = exported(tmp_path)
    assert {"numbers.ncp", "numbers.deleted"}.isdisjoint(verify_release(made.path).not_measured)
    for name in ("ncp", "deleted"):
        found = forged(made, lambda told, name=name: told["numbers"].update({name: 0.001}))  # type: ignore[misc]
        assert any(each.startswith(f"numbers.{name} is ") for each in found.differences)
    made.inside.unlink()
    found = forged(made, lambda told: told["numbers"].update(ncp=0.001))
    assert found.holds
    assert {"numbers.ncp", "numbers.deleted"} <= set(found.not_measured)


def test_goals_and_promises_that_do_not_agree_are_found(tmp_path: Path) -> None:
    made = exported(tmp_path)
    whole = made.certificate.read_bytes()
    assert not forged(made, lambda told: told["promises"].pop()).holds
    made.certificate.write_bytes(whole)
    with pytest.raises(UnreadableFile, match=r"promises.l.name”, which is unknown"):
        forged(made, lambda told: told["recipe"]["goals"].pop())
    with pytest.raises(UnreadableFile, match="damaged"):
        forged(made, lambda told: told["recipe"].update(goals=[{"name": "km", "parameters": {"k": -1, "m": 2}}]))


def test_a_certificate_of_an_earlier_version_verifies_without_goals_and_in_its_own_words(tmp_path: Path) -> None:
    def earlier(told: dict[str, Any]) -> None:
        told["program"]["anonymizer"] = "0.0.9"
        del told["recipe"]["goals"]
        told["recipe"]["title"] = told["attacks"] = told["promises"][0]["sentence"] = "in other words"

    made = exported(tmp_path)
    assert forged(made, earlier).differences == ()
    assert not forged(made, lambda told: told["promises"][0]["parameters"].update(k=500)).holds


def test_a_number_that_the_recount_counts_differently_releases_nothing(tmp_path: Path) -> None:
    for name in ("values_left", "smallest_support", "smallest_group", "exposed_after", "unique_after"):
        made = release_of()
        wrong = replace(made, measured=replace(made.measured, **{name: getattr(made.measured, name) + 1}))
        with pytest.raises(PromiseBroken, match="does not hold the release"):
            export(prepare_candidate(wrong, Safeguards(), SILENT), tmp_path / "out.csv")
        assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("goal", [KmAnonymity(k=3, m=2), KAnonymity(k=2), GOALS[1]], ids=lambda goal: str(goal.name))
def test_a_measure_that_is_too_kind_releases_nothing(goal: PrivacyModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(goal), "measure", lambda *_: PromiseCount(99, True))
    with pytest.raises(PromiseBroken, match="disagrees with the measurement"):
        released(Baskets.from_sets(SETS), TREE, LocalClustering(), goal)


def test_a_recount_that_is_too_kind_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(independent_check, "check_promise", lambda *_: (99, True))
    with pytest.raises(PromiseBroken, match="disagrees with the measurement"):
        release_of()


@given(
    st.lists(st.tuples(st.lists(st.sampled_from("abcdefg"), max_size=5), st.sampled_from("xyz")), max_size=15),
    st.integers(1, 3),
    st.integers(1, 4),
)
def test_the_maker_measures_what_the_recount_counts(rows: list[tuple[list[str], str]], m: int, k: int) -> None:
    sets, values = [sorted(set(held)) for held, _ in rows], [value for _, value in rows]
    baskets = Baskets.from_sets(sets, Table.from_rows(["illness"], [(value,) for value in values]))
    counted = ReleasedBaskets([tuple(held) for held in sets], values, "illness")
    column, item = LDiversity(sensitive="illness", l=k, m=m), LDiversity(sensitive="a", l=k, m=m)
    goals: list[tuple[PrivacyModel, str]] = [
        (KmAnonymity(k=k, m=m), "a"),
        (KAnonymity(k=k), ""),
        (column, ""),
        (item, "a"),
    ]
    for goal, hidden in goals:
        parameters = {**goal.promise(PromiseCount(0, False)).parameters, "hidden": hidden}
        expected = PromiseCount(*check_promise(counted, goal.name, parameters))
        assert goal.measure(baskets, without(baskets, hidden), SILENT) == expected
