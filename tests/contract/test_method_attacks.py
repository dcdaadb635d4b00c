"""Every algorithm says which attacks on the method are known and whether they apply; report and help repeat it."""

import json
import re
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.safeguards import Safeguards
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.anonymize import anonymize
from anonymizer_gui.engine.rooms.microdata.leaving import prepare
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

every_algorithm = pytest.mark.parametrize("name", ALGORITHMS.names())


@every_algorithm
def test_an_algorithm_speaks_of_minimality_and_downcoding(name: str) -> None:
    text = ALGORITHMS.get(name).attacks
    assert re.search("minimality", text, re.IGNORECASE)
    assert re.search("downcoding", text, re.IGNORECASE)
    assert text.endswith(".")


@every_algorithm
def test_the_report_of_a_release_repeats_it(tmp_path: Path, name: str) -> None:
    table = hospital_table(80)
    project = replace(hospital_project(), algorithm=ALGORITHMS.get(name)())
    out = export(prepare(anonymize(table, project), table, Safeguards()), tmp_path / "out.csv")
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    assert ALGORITHMS.get("auto").title != told["made_by"], "the report of several methods names attacks on the best"
    (text,) = [each.attacks for each in ALGORITHMS if each.title == told["made_by"]]
    assert told["attacks"] == text
    assert escape(text) in out.report.read_text(encoding="utf-8")


@every_algorithm
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_help_says_for_each_algorithm_whether_they_apply(language: str, name: str) -> None:
    page = resource_path("help", language, "microdata", "method_attacks.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
    assert len([cell for cell in row.strip("|").split("|") if cell.strip()]) == 3
