"""Certificates of statistics that somebody made anew with this program, to promise more than was kept."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.releases.certificate import CERTIFICATE, certificate_digest
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import Verification, verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.independent.composition import implied_epsilon
from anonymizer_gui.engine.rooms.statistics.run import run
from tests.engine.rooms.statistics.making import ASKS, CHANGE, PERSON, ROW, plan, visits

Told = dict[str, Any]
ASKED = ("count", "histogram sex F,M with noise=gaussian", "mean age 0 100", "median age 0 100", "top 2 school")
FILES = {"table": visits()}


def released(path: Path, *asks: str, files: dict[str, Any] | None = None, **changes: Any) -> tuple[Path, Told]:
    """Release the answers of a plan without the inside copy; give the file and the certificate."""
    files = files or FILES
    ready = room_of("statistics").leaving(run(plan(*asks, **changes), files), files, Safeguards(), SILENT)
    exported = export(ready, path)
    exported.inside.unlink()
    return exported.path, json.loads(exported.certificate.read_text(encoding="utf-8"))


def sealed(path: Path, told: Told) -> Verification | None:
    """Seal a certificate and verify; nothing where it is refused with one sentence."""
    certificate = path.with_name(path.name + CERTIFICATE)
    certificate.write_text(json.dumps(told | {"sha256": certificate_digest(told)}), encoding="utf-8")
    try:
        return verify_release(path)
    except AnonymizerError:
        return None


def holding(path: Path, told: Told) -> Verification:
    """Verify a certificate that is to hold."""
    result = sealed(path, told)
    assert result is not None
    assert result.differences == ()
    return result


def disguised(honest: Told, other: Told) -> Told:
    """Give the certificate of another run of the same questions with the numbers that were published."""
    told = other | {name: honest[name] for name in ("release", "inside", "signer")}
    drawn = ("value", "values", "notes", "has_interval", "ask")
    told["answers"] = [
        theirs | {name: ours[name] for name in drawn}
        for ours, theirs in zip(honest["answers"], other["answers"], strict=True)
    ]
    return told


@pytest.mark.parametrize("unit", [CHANGE, PERSON], ids=str)
def test_every_question_is_measured_again_for_every_unit(unit: PrivacyUnit, tmp_path: Path) -> None:
    path, told = released(tmp_path / "a.csv", *ASKS, unit=unit, epsilon=Fraction(30))
    result = holding(path, told)
    assert {"promises", "numbers", "checks", "accounting", "notes", "made"} <= set(result.measured)


@pytest.mark.parametrize("suffix", ["csv", "json", "xlsx"])
@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(5)])
def test_another_epsilon_with_all_that_follows_from_it_is_found(suffix: str, epsilon: Fraction, tmp_path: Path) -> None:
    """It was 6: the file names the epsilon of every answer, and its intervals are as wide as the noise was."""
    path, honest = released(tmp_path / f"a.{suffix}", *ASKED, epsilon=Fraction(6))
    holding(path, honest)
    (tmp_path / "other").mkdir()
    _, other = released(tmp_path / "other" / f"a.{suffix}", *ASKED, epsilon=epsilon)
    forged = disguised(honest, other)
    assert forged["promises"][0]["value"] < 6
    assert sealed(path.with_name("other") / path.name, other | {}) is not None
    result = sealed(path, forged)
    assert result is not None
    assert "The numbers of the file are not those of the certificate." in result.differences


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_a_unit_of_more_rows_with_all_that_follows_from_it_is_found(suffix: str, tmp_path: Path) -> None:
    """The published intervals are too narrow for nine rows of each person."""
    path, honest = released(tmp_path / f"a.{suffix}", *ASKED, unit=PERSON, epsilon=Fraction(6))
    (tmp_path / "other").mkdir()
    wide = PrivacyUnit.parse("person=id:9")
    _, other = released(tmp_path / "other" / f"a.{suffix}", *ASKED, unit=wide, epsilon=Fraction(6))
    result = sealed(path, disguised(honest, other))
    assert result is not None
    assert not result.holds


def test_a_unit_of_as_many_rows_is_named_as_not_measured_by_a_table_and_found_by_json(tmp_path: Path) -> None:
    """A person with one row is hidden by the same noise as a row: only a JSON file names the unit."""
    person = PrivacyUnit.parse("person=id:1")
    for suffix in ("csv", "json"):
        (tmp_path / f"other-{suffix}").mkdir()
        path, honest = released(tmp_path / f"a.{suffix}", "count", unit=ROW)
        _, other = released(tmp_path / f"other-{suffix}" / f"a.{suffix}", "count", unit=person)
        result = sealed(path, disguised(honest, other))
        assert result is not None
        assert ("unit.told" in result.not_measured) == result.holds == (suffix == "csv")


def test_an_answer_that_no_release_paid_for_is_found(tmp_path: Path) -> None:
    path, told = released(tmp_path / "a.csv", "count", "histogram sex F,M")
    told["answers"][0]["is_cached"] = True
    result = sealed(path, told)
    assert result is not None
    assert "“count” is said to be paid already, but no release has paid for it." in result.differences


def test_what_was_paid_before_is_named_as_not_measured_and_still_counts(tmp_path: Path) -> None:
    """A release that calls its own spends earlier ones costs less, but all releases together promise the same."""
    path, told = released(tmp_path / "a.csv", "count", "histogram sex F,M", epsilon=Fraction(6))
    spends = [{"unit": "row", "part": None, "created": "", "spend": answer["spend"]} for answer in told["answers"]]
    for answer in told["answers"]:
        answer["is_cached"] = True
    told["earlier"] = spends
    told["accounting"]["cost"] = {"epsilon": "0", "delta": "0", "composition": "basic"}
    told["numbers"]["cost"] = told["promises"][0]["parameters"]["epsilon_of_this_release"] = 0.0
    told["notes"].insert(
        0, "2 answers were given before and cost nothing now; lock the epsilon of a question to ask it anew."
    )
    result = holding(path, told)
    assert {"earlier", "answers.0.is_cached"} <= set(result.not_measured)
    assert result.numbers["spent"] == 6


def test_answers_given_again_verify_with_and_without_the_ledger(tmp_path: Path) -> None:
    files = {"table": visits(), "ledger": BudgetLedger(tmp_path / "x.budget")}
    released(tmp_path / "a.csv", "count", "mean age 0 100 with noise=gaussian", "count for sex=F", files=files)
    path, told = released(tmp_path / "b.csv", "count", "count", "histogram sex F,M", "count for sex=M", files=files)
    with_ledger = holding(path, told)
    assert "checks" in with_ledger.measured
    (tmp_path / "x.budget").rename(tmp_path / "elsewhere")
    without = holding(path, told)
    assert {"checks.ledger", "ledger", "accounting.total"} <= set(without.not_measured)


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_ledger_that_does_not_know_the_release_is_a_difference(is_whole: bool, tmp_path: Path) -> None:
    files = {"table": visits(), "ledger": BudgetLedger(tmp_path / "x.budget")}
    path, told = released(tmp_path / "a.csv", "count", files=files)
    (tmp_path / "x.budget").unlink()
    if is_whole:
        run(plan("count age>=20"), files)
    else:
        (tmp_path / "x.budget").write_bytes(b"no ledger at all")
    result = sealed(path, told)
    assert result is not None
    assert any("ledger" in each for each in result.differences)
    assert ("checks.ledger" in result.not_measured) != is_whole


def test_the_epsilon_of_a_synthetic_table_alone_is_named_as_not_measured(tmp_path: Path) -> None:
    path, told = released(tmp_path / "a.csv", "synthetic sex=F|M age=0..99/5", rows=60)
    result = holding(path, told)
    assert {"answers.0.epsilon", "answers.0.mechanism"} <= set(result.not_measured)


def test_a_model_names_its_promise(tmp_path: Path) -> None:
    ask = "learn sex=F|M age=0..99/5 with epochs=2 rate=0.5"
    path, honest = released(tmp_path / "m.json", ask, epsilon=Fraction(6), delta=Fraction(1, 10**6))
    holding(path, honest)
    (tmp_path / "other").mkdir()
    _, other = released(tmp_path / "other" / "m.json", ask, epsilon=Fraction(1), delta=Fraction(1, 10**6))
    result = sealed(path, disguised(honest, other) | {"made": honest["made"]})
    assert result is not None
    assert "“m.json” is not the model of the certificate." in result.differences
    told = json.loads(json.dumps(honest).replace('"row"', '"person=id:1"'))
    result = sealed(path, told)
    assert result is None or not result.holds


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("answers", 0, "parameters", "where"), "sex=F"),
        (("answers", 0, "error95_all"), 1000.0),
        (("answers", 0, "why"), "Nobody moves it."),
        (("answers", 4, "steps", 0, "picks"), 1),
        (("answers", 3, "steps", 0, "mechanism"), "permute-and-flip"),
        (("answers", 0, "steps", 0, "is_monotone"), False),
        (("answers", 1, "steps", 0, "cells"), 3),
        (("answers", 0, "steps", 0, "times"), 10**12),
        (("answers", 4, "values"), [["basic", 1], ["none", 2]]),
        (("accounting", "cost", "composition"), "zcdp"),
        (("accounting", "cost", "epsilon"), "0.001"),
        (("accounting", "groups", "5", "delta"), 0.0),
        (("accounting", "total", "epsilon"), "1000"),
        (("plan", "epsilon"), "7"),
        (("plan", "delta"), "1e-10"),
        (("numbers", "cost"), 0.001),
        (("numbers", "left"), 99.0),
        (("unit", "shape"), "graph"),
        (("checks", 0, "sentence"), "All releases together have spent epsilon 0.01 of 100."),
    ],
    ids=lambda each: ".".join(map(str, each)) if isinstance(each, tuple) else "",
)
def test_one_entry_changed_is_found(place: tuple[Any, ...], value: Any, tmp_path: Path) -> None:
    path, told = released(tmp_path / "a.csv", *ASKED, epsilon=Fraction(6))
    holder = told
    for name in place[:-1]:
        holder = holder[name]
    assert holder[place[-1]] != value
    holder[place[-1]] = value
    result = sealed(path, told)
    assert result is None or not result.holds


def test_epsilon_and_delta_follow_from_each_other() -> None:
    """Known from Canonne, Kamath and Steinke: rho 1/2 is epsilon 5.2215 with delta 1e-6."""
    assert implied_epsilon(Fraction(1, 2), Fraction(1, 10**6)) == pytest.approx(5.221534444531)
    assert implied_epsilon(Fraction(0), Fraction(0)) == 0
    with pytest.raises(ValueError, match="delta"):
        implied_epsilon(Fraction(1), Fraction(0))
