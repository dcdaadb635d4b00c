"""Certificates of tables, forged and sealed again, beyond what the battery of all rooms tries."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import Verification, verify_release
from anonymizer_gui.engine.rooms.microdata.policies.release_rules import SmallestClass
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import RuleSet
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

Change = Callable[[dict[str, Any]], object]
POLICIES = (RuleSet("Small", (SmallestClass(2),)), RuleSet("Large", (SmallestClass(50),)))


@pytest.fixture
def out(tmp_path: Path) -> ExportResult:
    """Export the hospital with two policies, one of which fails, and no inside copy."""
    table = hospital_table()
    release = run(table, replace(hospital_project(), policies=POLICIES))
    made = export(prepare_candidate(release, table, Safeguards(reason="agreed")), tmp_path / "out.csv")
    made.inside.unlink()
    return made


def forged(out: ExportResult, change: Change) -> Verification | None:
    """Change a certificate and seal it again; nothing where it is refused."""
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    change(told)
    told["sha256"] = certificate_digest(told)
    out.certificate.write_text(json.dumps(told), encoding="utf-8")
    try:
        return verify_release(out.path)
    except AnonymizerError:
        return None


def _passed(told: dict[str, Any]) -> None:
    """Let the failed policy pass wherever the certificate speaks of it."""
    told["policies"][1]["passes"] = told["policies"][1]["found"][0]["holds"] = True
    told["checks"] = [check | {"holds": True} for check in told["checks"]]
    told["override"] = None


def _without_check(name: str) -> Change:
    def change(told: dict[str, Any]) -> None:
        told["checks"] = [check for check in told["checks"] if check["name"] != name]

    return change


def _attack(name: str, **figures: float) -> Change:
    def change(told: dict[str, Any]) -> None:
        next(attack for attack in told["attacks_run"] if attack["name"] == name).update(figures)

    return change


FORGED: dict[str, Change] = {
    "a failed policy passes": _passed,
    "no goals checked": _without_check("goals"),
    "no identifiers looked for": _without_check("identifiers"),
    "a policy is not checked": _without_check("policies-2"),
    "the other policy is not checked": _without_check("policies"),
    "no homogeneity": _attack("homogeneity", hit=1000, value=0.5),
    "less risk": _attack("prosecutor", value=0.0001),
    "an attack less": lambda told: told["attacks_run"].pop(),
    "larger classes": lambda told: told.update(class_sizes=[[640, 1279, 1]]),
    "an identifier of no role": lambda told: told["columns"][0].update(role="other"),
    "a sensitive column protected": lambda told: [
        column.update(published="unchanged, no goal protects it")
        for column in told["columns"]
        if column["role"] == "SA"
    ],
    "rows left out hidden": lambda told: told["source"].update(rows=told["source"]["rows"] + 7),
    "a promise told as another": lambda told: told["promises"][0].update(sentence="nobody can be found"),
    "a label less": lambda told: next(iter(told["levels"].values()))["labels"].pop(),
    "a summary of other numbers": lambda told: next(iter(told["summary"].values())).update(distinct=1),
    "Windows line ends": lambda told: told["written"]["options"].update(line_end="crlf"),
    "all cells quoted": lambda told: told["written"]["options"].update(quote_all=True),
}


def test_an_untouched_certificate_with_two_policies_holds(out: ExportResult) -> None:
    found = forged(out, lambda told: None)
    assert found is not None
    assert found.differences == ()
    assert {"checks.policies", "checks.policies-2", "policies", "questions", "class_sizes"} <= set(found.measured)
    assert len(found.exceptions) == 1


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_is_found(out: ExportResult, name: str) -> None:
    found = forged(out, FORGED[name])
    assert found is None or not found.holds
