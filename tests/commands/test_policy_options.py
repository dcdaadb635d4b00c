"""Policies on the command line: judged, printed, and exit 1 where one is not passed."""

import json
from pathlib import Path

import pytest

from anonymizer_gui.cli import main

ROWS = ["name,zip,age,disease"] + [
    f"P{i},021**,{'90+' if i % 2 else '30-39'},{'Flu' if i % 3 else 'Cold'}" for i in range(40)
]
ROLES = ["--qi", "zip,age", "--sa", "disease"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    (tmp_path / "areas.csv").write_text("zip,people\n021,700000\n", encoding="utf-8")
    return path


def test_measure_judges_any_table_by_policies(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    areas = ["--areas", str(table.with_name("areas.csv"))]
    assert main(["measure", str(table), *ROLES, "--policy", "k11-l2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [policy["passes"] for policy in told["policies"]] == [True]
    assert set(told["questions"]) == {"singling-out", "linkability", "inference"}
    assert main(["measure", str(table), *ROLES, "--policy", "safe-harbor", *areas]) == 1
    printed = capsys.readouterr().out
    assert "MISSING None: Names." in printed
    assert "met     At most three digits" in printed
    assert "not looked at:" in printed


def test_a_release_is_judged_and_stopped_by_a_policy(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, areas = table.with_name("out.csv"), str(table.with_name("areas.csv"))
    call = ["anonymize", str(table), *ROLES, "--ei", "name", "--k", "2", "-o", str(out), "--json"]
    assert main([*call, "--policy", "safe-harbor"]) == 2
    told = capsys.readouterr().err
    assert "“HIPAA Safe Harbor”: 1 of 21 rules is not met." in told
    assert "At most three digits of a postal code" in told
    assert not out.exists()
    assert main([*call, "--policy", "safe-harbor", "--areas", areas]) == 0
    assert json.loads(capsys.readouterr().out)["policies"][0]["passes"] is True
    assert main([*call[:-1], "--policy", "safe-harbor", "--areas", areas]) == 0
    printed = capsys.readouterr().out
    assert "“HIPAA Safe Harbor”: all 21 rules are met." in printed
    assert "met     At most three digits" in printed
    assert "Policy: HIPAA Safe Harbor" in out.with_name("out.csv.report.html").read_text(encoding="utf-8")
    assert main(["verify", str(out)]) == 0


def test_areas_that_no_rule_looks_at_are_refused(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    areas = ["--areas", str(table.with_name("areas.csv"))]
    assert main(["measure", str(table), *ROLES, "--policy", "k11-l2", *areas]) == 2
    assert "No rule of the policies is about postal areas." in capsys.readouterr().err


@pytest.mark.parametrize("named", ["no-such", "nowhere.json"])
def test_a_policy_that_is_not_there_is_told(named: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(table), *ROLES, "--policy", named]) == 2
    assert capsys.readouterr().err


def test_areas_without_a_policy_are_refused(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(table), *ROLES, "--areas", str(table)]) == 2
    assert "--policy" in capsys.readouterr().err
