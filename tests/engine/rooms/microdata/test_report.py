"""Certificate and report tell everything about a release, and the smallest change to it is found."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html import escape, unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import anonymizer_gui
from anonymizer_gui.engine.data.tables.io import WriteOptions, read_table, write_table
from anonymizer_gui.engine.data.tables.io.read_write import read_source
from anonymizer_gui.engine.data.tables.table import Column, Table, smallest_codes
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.report import number_text, render_report
from anonymizer_gui.engine.releases.verification import Verification, verify_release
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.canaries import canary_project, canary_table

KEY = bytes(range(32))
PUBLISHED = ("name", "age", "zip", "disease", "ward")


@pytest.fixture
def out(tmp_path: Path) -> ExportResult:
    """Export a release with everything a report can tell: pseudonyms, bounds, suppression, an override."""
    return exported(tmp_path, "out.csv")


def exported(folder: Path, name: str) -> ExportResult:
    write_table(canary_table(), folder / "source.csv", WriteOptions(escape_formulas=False))
    table, _, source = read_source(str(folder / "source.csv"))
    publishing = Publishing(pseudonyms=(("name", "keyed"),), missing_token="n/a")
    project = replace(canary_project(), source=source, acknowledged=(), weights={"age": 3.0}, publishing=publishing)
    release = run(table, replace(project, algorithm=BottomUp(checks=77)))
    safeguards = Safeguards(key=KEY, reason="Wards are <public>.")
    return export(prepare_candidate(release, table, safeguards), folder / name)


def test_the_certificate_tells_everything(out: ExportResult) -> None:
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    assert len(told["inside"]) == len(told["release"]["sha256"]) == 64
    assert list(told["release"]["documents"]) == ["out.csv.report.html"]
    assert {c["name"]: c["role"] for c in told["columns"]} == dict(
        zip(PUBLISHED, ("EI", "QI", "QI", "SA", "other"), strict=True)
    )
    assert set(told["hierarchies"]) == {"age", "zip"}
    assert [promise["name"] for promise in told["promises"]] == ["k", "l"]
    assert told["room"] == "microdata"
    recipe = told["recipe"]
    assert (recipe["algorithm"], recipe["parameters"]["checks"], recipe["seed"]) == ("bottom-up", 77, 7)
    assert recipe["weights"] == {"age": 0.75, "zip": 0.25}
    assert told["program"]["anonymizer"] == anonymizer_gui.__version__
    assert told["numbers"]["k"] >= 5
    assert sum(n for _, _, n in told["class_sizes"]) == told["numbers"]["classes"]
    assert set(told["loss_per_column"]) == {"age", "zip"}
    assert told["suppression"].startswith("1 of 41 records (2.44%) was suppressed and left out")
    assert any("“ward”" in warning for warning in told["warnings"])
    assert told["override"]["reason"] == "Wards are <public>."
    assert "Minimality" in told["attacks"]
    assert {check["holds"] for check in told["checks"]} == {True, False}


def test_the_report_shows_every_figure_of_the_certificate(out: ExportResult) -> None:
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    page = out.report.read_text(encoding="utf-8")
    wanted = [told["release"]["sha256"], told["release"]["created"], told["suppression"]]
    wanted += [told["source"]["file"], told["attacks"], told["override"]["reason"], *told["warnings"]]
    wanted += [c[key] for c in told["columns"] for key in ("name", "role", "type", "published")]
    wanted += [number_text(h["height"]) for h in told["hierarchies"].values()]
    wanted += [g[key] for g in told["promises"] for key in ("title", "sentence")]
    wanted += [c[key] for c in told["checks"] for key in ("title", "sentence")]
    wanted += [number_text(value) for value in told["loss_per_column"].values()]
    wanted += [number_text(told["numbers"][name]) for name in ("rows", "k", "lm", "lm_total", "md", "classes")]
    wanted += [number_text(v) for kind in ("l", "t") for v in told["numbers"][kind].values() if v is not None]
    wanted += [number_text(value) for value in told["recipe"]["parameters"].values()]
    wanted += list(told["program"].values())
    wanted += ["name keyed", "age 0.75", "age level 1 to 1", "written as n/a", "Seed"]
    assert [text for text in wanted if escape(str(text)) not in page] == []


def test_the_report_says_of_every_goal_what_help_and_window_say(out: ExportResult) -> None:
    goals = json.loads(out.certificate.read_text(encoding="utf-8"))["promises"]
    page = unescape(out.report.read_text(encoding="utf-8"))
    assert goals
    for goal in goals:
        model = PRIVACY_MODELS.get(goal["name"])
        assert all(word in page for word in (model.stops, model.leaves_open, model.formula, model.source))


def test_the_report_is_rendered_from_the_certificate_alone(out: ExportResult) -> None:
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    assert render_report(told) == out.report.read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=|https?:|<script", render_report(told))


def test_texts_of_the_user_cannot_become_markup(out: ExportResult) -> None:
    page = out.report.read_text(encoding="utf-8")
    assert "Wards are &lt;public&gt;." in page
    assert "<public>" not in page


def with_one_cell_changed(table: Table, name: str) -> Table:
    """Give the first cell of a column another text of the same column, or a new one."""
    column = table.column(name)
    labels = (*column.labels, "tampered")
    codes = column.codes.astype(np.int64)
    codes[0] = (codes[0] + 1) % len(labels)
    changed = Column(name, smallest_codes(codes, len(labels)), labels).compact()
    return Table(tuple(changed if c.name == name else c for c in table.columns), table.n_rows)


@pytest.mark.parametrize("file", ["out.csv", "out.xlsx", "out.parquet"])
@pytest.mark.parametrize("name", PUBLISHED)
def test_one_changed_cell_of_any_column_is_found_and_the_column_named(tmp_path: Path, file: str, name: str) -> None:
    done = exported(tmp_path, file)
    assert verify_release(done.path).holds
    missing = WriteOptions(missing="n/a", escape_formulas=False)
    write_table(with_one_cell_changed(read_table(done.path)[0], name), done.path, missing)
    differences = verify_release(done.path).differences
    assert f"The column “{name}” has changed." in differences
    assert [d for d in differences if d.startswith("The column")] == [f"The column “{name}” has changed."]


def test_a_lost_row_is_told_in_numbers(out: ExportResult) -> None:
    lines = out.path.read_text().splitlines()
    out.path.write_text("\n".join(lines[:-1]) + "\n")
    assert "numbers.rows is 39, the certificate says 40." in verify_release(out.path).differences


def test_a_lost_and_a_new_column_are_named(out: ExportResult) -> None:
    lines = [line.rpartition(",")[0] + ",x" for line in out.path.read_text().splitlines()]
    out.path.write_text("\n".join(lines).replace(",x", ",extra", 1) + "\n")
    differences = verify_release(out.path).differences
    assert "The column “ward” is missing." in differences
    assert "The column “extra” was not in the release." in differences


def test_another_order_of_the_columns_is_told(out: ExportResult) -> None:
    lines = [line.rpartition(",") for line in out.path.read_text().splitlines()]
    out.path.write_text("\n".join(f"{last},{first}" for first, _, last in lines) + "\n")
    assert "The columns stand in another order." in verify_release(out.path).differences


def test_another_order_of_the_same_rows_is_found(out: ExportResult) -> None:
    head, *lines = out.path.read_text().splitlines()
    out.path.write_text("\n".join([head, *reversed(lines)]) + "\n")
    assert not verify_release(out.path).holds


@pytest.mark.parametrize(("entry", "value"), [("k", 50), ("rows", 41), ("classes", 1)])
def test_a_certificate_that_claims_more_is_found(out: ExportResult, entry: str, value: float) -> None:
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    told["numbers"][entry] = value
    told["sha256"] = certificate_digest(told)  # whoever forges a certificate can make that right as well
    out.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert [d.partition(" ")[0] for d in verify_release(out.path).differences] == [f"numbers.{entry}"]


def resealed(out: ExportResult, change: Callable[[dict[str, Any]], object]) -> Verification:
    """Change a certificate, seal it again, and verify the release by it."""
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    change(told)
    told["sha256"] = certificate_digest(told)
    out.certificate.write_text(json.dumps(told), encoding="utf-8")
    return verify_release(out.path)


def test_the_loss_in_a_certificate_has_few_digits(out: ExportResult) -> None:
    """Its last digits would tell how many values a column has, those of left out rows included."""
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    numbers, inside = told["numbers"], json.loads(out.inside.read_text(encoding="utf-8"))["loss"]
    assert numbers["lm"] == round(inside["lm"], 3) != inside["lm"]
    assert numbers["lm_total"] == float(f"{inside['lm'] * told['source']['rows']:.3g}")
    assert numbers["lm_columns"] == {name: round(lost, 2) for name, lost in inside["lm_columns"].items()}
    assert told["loss_per_column"] == numbers["lm_columns"]


@pytest.mark.parametrize("with_inside", [True, False])
def test_more_digits_of_the_loss_are_found(out: ExportResult, with_inside: bool) -> None:
    exact = json.loads(out.inside.read_text(encoding="utf-8"))["loss"]["lm"]
    if not with_inside:
        out.inside.unlink()
    found = resealed(out, lambda told: told["numbers"].update(lm=round(exact, 6)))
    assert found.differences == (
        "The loss has more digits than a certificate may have: they reveal records that were left out.",
    )


@pytest.mark.parametrize("entry", ["lm", "lm_total"])
def test_another_loss_is_found_with_the_inside_copy_and_contradicts_the_others_without(
    out: ExportResult, entry: str
) -> None:
    def halve(told: dict[str, Any]) -> None:
        told["numbers"][entry] = round(told["numbers"][entry] / 2, 3)

    assert any(f"numbers.{entry} is" in sentence for sentence in resealed(out, halve).differences)
    out.inside.unlink()
    assert "The losses in the certificate contradict each other." in verify_release(out.path).differences


@pytest.mark.parametrize(
    ("section", "entry"),
    [("source", "file"), ("recipe", "algorithm"), ("recipe", "seed"), ("release", "created"), ("program", "numpy")],
)
def test_any_other_change_of_the_certificate_is_found(out: ExportResult, section: str, entry: str) -> None:
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    told[section][entry] = "another"
    out.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert verify_release(out.path).differences == ("The certificate has been changed since it was written.",)


def test_a_certificate_that_is_only_laid_out_anew_is_the_same(out: ExportResult) -> None:
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    out.certificate.write_text(json.dumps(dict(reversed(told.items()))), encoding="utf-8")
    assert verify_release(out.path).holds


def test_the_report_tells_a_recursive_l_with_its_c_and_the_largest_share(out: ExportResult) -> None:
    told = json.loads(out.certificate.read_text(encoding="utf-8"))["numbers"]
    report = out.report.read_text(encoding="utf-8")
    assert f"l (recursive, c = {told['recursive_c']:g})" in report
    assert all(f"Largest share of one value of {name} in a class" in report for name in told["largest_share"])
    assert told["largest_share"]
