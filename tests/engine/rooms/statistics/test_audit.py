"""The audit finds nothing in a right certificate, and every number that was made to look better."""

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.budget import amount_text
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.dp.accountant import epsilon_of_rho
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.certificate import certificate_entries
from anonymizer_gui.engine.rooms.statistics.independent.certificate_check import check_accounting
from anonymizer_gui.engine.rooms.statistics.independent.composition import implied_delta
from anonymizer_gui.engine.rooms.statistics.independent.sensitivities import _known
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, questions_about
from anonymizer_gui.engine.rooms.statistics.run import run
from tests.engine.rooms.statistics.making import ASKS, CHANGE, PERSON, ROW, plan, visits

Told = dict[str, Any]
Change = Callable[[Told], None]


def told_by(*asks: str, files: dict[str, Any] | None = None, **changes: Any) -> Told:
    """Run a plan and give its certificate as JSON."""
    release = run(plan(*asks, **changes), files or {"table": visits()})
    told = {**certificate_entries(release, "x.budget"), "promises": [promise.to_json() for promise in release.promises]}
    return json.loads(json.dumps(told))  # type: ignore[no-any-return]


@pytest.mark.parametrize("unit", [ROW, CHANGE, PERSON], ids=str)
def test_a_right_certificate_is_right(unit: PrivacyUnit) -> None:
    assert check_accounting(told_by(*ASKS, unit=unit, epsilon=Fraction(30))) == ()


def test_the_audit_knows_every_question() -> None:
    asked = {answer["question"] for answer in told_by(*ASKS, epsilon=Fraction(30))["answers"]}
    assert asked == {kind.name for kind in questions_about("table")}
    assert set(_known("MOVES")) == set(QUESTIONS.names())


def test_gaussian_parts_under_a_changed_row_count_four_times() -> None:
    """A row that changes within one part is one that goes and one that comes: twice as far, so four times the rho."""
    told = told_by("mean age 0 100 for sex=F with noise=gaussian", unit=CHANGE, epsilon=Fraction(1))
    assert check_accounting(told) == ()
    rho = Fraction(told["answers"][0]["spend"]["rho"])
    assert Fraction(told["accounting"]["spent"]["epsilon"]) == epsilon_of_rho(4 * rho, Fraction(1, 10**9)) <= 1
    twice = amount_text(epsilon_of_rho(2 * rho, Fraction(1, 10**9)))
    for name in ("cost", "spent"):
        told["accounting"][name]["epsilon"] = twice
    assert [message("What was spent does not add up to the epsilon and delta that are stated.")] * 2 == [
        found for found in check_accounting(told) if "add up" in found
    ]


def test_earlier_spends_are_added_and_cached_answers_are_not(tmp_path: Path) -> None:
    files = {"table": visits(), "ledger": BudgetLedger(tmp_path / "x.budget")}
    told_by("count", "mean age 0 100 with noise=gaussian", "count for sex=F", files=files)
    told = told_by("count", "histogram sex F,M", "count for sex=M", files=files)
    assert len(told["earlier"]) == 3
    assert check_accounting(told) == ()
    del told["earlier"][1]
    told["accounting"]["spent"]["epsilon"] = "0.1"
    assert check_accounting(told) != ()


def test_many_questions_composed_as_concentrated_are_right() -> None:
    asks = [f"count age>={age} with epsilon=0.02" for age in range(100)]
    told = told_by(*asks, epsilon=Fraction(2), delta=Fraction(1, 10**6))
    assert told["accounting"]["spent"]["composition"] == "zcdp"
    assert check_accounting(told) == ()
    told["accounting"]["spent"]["delta"] = "1/100000000"
    assert check_accounting(told) != ()


def _step(told: Told, **entries: Any) -> None:
    told["answers"][0]["steps"][0].update(entries)


def _overdraw(told: Told) -> None:
    accounting = told["accounting"]
    spent = Fraction(accounting["spent"]["epsilon"])
    accounting["total"]["epsilon"], accounting["left"]["epsilon"] = str(spent / 2), str(-spent / 2)


CHANGES: dict[str, Change] = {
    "less noise": lambda told: _step(told, scale="0.5"),
    "less noise, said twice": lambda told: _step(told, scale="0.5") or told["answers"][0].update(scale="0.5"),
    "more spent than allowed": _overdraw,
    "a smaller distance": lambda told: _step(told, distance=0),
    "a smaller sensitivity": lambda told: told["answers"][0].update(sensitivity="0.5"),
    "a smaller sensitivity of a mean": lambda told: told["answers"][1].update(sensitivity="50"),
    "a smaller sensitivity of Gaussian noise": lambda told: told["answers"][2].update(sensitivity="0.9"),
    "a smaller sensitivity of a choice": lambda told: told["answers"][3].update(sensitivity="0.25"),
    "another mechanism": lambda told: _step(told, mechanism="gaussian"),
    "a part of the spend": lambda told: told["answers"][0]["spend"].update(epsilon="0.1"),
    "a smaller epsilon of an answer": lambda told: told["answers"][0].update(epsilon="0.1"),
    "an answer that was paid earlier": lambda told: (
        told["answers"][2].update(is_cached=True) or told["accounting"]["cost"].update(epsilon="0.1")
    ),
    "a smaller total cost": lambda told: told["accounting"]["cost"].update(epsilon="0.1"),
    "less spent": lambda told: told["accounting"]["spent"].update(epsilon="0.2"),
    "more left": lambda told: told["accounting"]["left"].update(epsilon="99.9"),
    "a larger total": lambda told: told["accounting"]["total"].update(epsilon="0.5"),
    "a smaller delta": lambda told: told["accounting"]["spent"].update(delta="0"),
    "a larger unit": lambda told: told["unit"].update(told="person=id:9"),
    "a group that costs nothing": lambda told: told["accounting"]["groups"]["5"].update(epsilon=0.0),
    "another promise": lambda told: told["promises"][0].update(value=0.1),
    "a promise that does not hold": lambda told: told["promises"][0].update(holds=False),
    "no steps at all": lambda told: told["answers"][0].update(steps=[]),
    "one step less": lambda told: told["answers"][1].update(steps=told["answers"][1]["steps"][:1]),
    "other bounds": lambda told: told["answers"][1]["parameters"].update(high=1000.0),
    "another scale for people": lambda told: told["answers"][1].update(scale="1"),
    "scores that move one way": lambda told: told["answers"][3]["steps"][0].update(is_monotone=True),
    "more rho for the same epsilon": lambda told: (
        told["answers"][2]["spend"].update(rho="0.5"),
        told["answers"][2]["steps"][0]["spend"].update(rho="0.5"),
    )[0],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_whatever_is_made_to_look_better_is_found(name: str) -> None:
    asks = "count", "mean age 0 100", "histogram sex F,M with noise=gaussian", "median age 0 100"
    told = told_by(*asks, epsilon=Fraction(4))
    assert check_accounting(told) == ()
    changed = copy.deepcopy(told)
    CHANGES[name](changed)
    assert changed != told
    assert check_accounting(changed) != ()


@given(st.fractions(Fraction(1, 1000), 2, max_denominator=1000), st.sampled_from([5, 6, 9, 12]))
def test_both_ways_of_converting_agree(rho: Fraction, digits: int) -> None:
    delta = Fraction(1, 10**digits)
    epsilon = epsilon_of_rho(rho, delta)
    assert implied_delta(float(rho), float(epsilon)) == pytest.approx(float(delta), rel=1e-4)
    assert implied_delta(float(rho), float(epsilon) * 0.99) > float(delta) * 1.001


def test_a_certificate_sealed_anew_over_wrong_numbers_is_found(tmp_path: Path) -> None:
    files = {"table": visits(), "ledger": BudgetLedger(tmp_path / "x.budget")}
    release = run(plan("count"), files)
    leaving = room_of("statistics").leaving(release, files, Safeguards(), SILENT)
    exported = export(leaving, tmp_path / "a.csv")
    assert verify_release(exported.path).holds
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    told["answers"][0]["steps"][0]["scale"] = "0.25"
    told["sha256"] = certificate_digest(told)
    exported.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert "The noise of “count” has another scale." in verify_release(exported.path).differences


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "xlsx", "parquet"])
def test_every_format_is_read_back_and_compared(tmp_path: Path, suffix: str) -> None:
    files = {"table": visits()}
    release = run(plan(*ASKS, "histogram sex =F,-1,+x", epsilon=Fraction(30)), files)
    leaving = room_of("statistics").leaving(release, files, Safeguards(), SILENT)
    path = export(leaving, tmp_path / f"a.{suffix}").path
    assert verify_release(path).differences == ()
    told = path.with_name(path.name + ".release.json")
    changed = json.loads(told.read_text(encoding="utf-8"))
    changed["answers"][0]["value"] += 1
    changed["sha256"] = certificate_digest(changed)
    told.write_text(json.dumps(changed), encoding="utf-8")
    assert "The numbers of the file are not those of the certificate." in verify_release(path).differences


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "xlsx", "parquet"])
def test_a_category_of_missing_values_leaves_under_a_name(tmp_path: Path, suffix: str) -> None:
    """A hierarchy may have a leaf for missing values; as a cell of a table it would be empty."""
    tree = Hierarchy.from_nested({"*": {"low": ["none", MISSING], "high": ["BA", "MA"]}})
    files = {"table": visits()}
    asks = "histogram school", "most-common school", "top 2 school", "levels school"
    release = run(plan(*asks, hierarchies={"school": tree}), files)
    path = export(room_of("statistics").leaving(release, files, Safeguards(), SILENT), tmp_path / f"a.{suffix}").path
    assert verify_release(path).differences == ()
    if suffix == "csv":
        assert "histogram school,(no value)," in path.read_text(encoding="utf-8")
