"""What leaves is judged by the recount, in every shape a project can have; `verify` judges by it alone."""

import json
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from anonymizer_gui.engine.core.errors import AnonymizerError, Infeasible, PromiseBroken
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.certificate import CERTIFICATE, certificate_digest
from anonymizer_gui.engine.releases.export import ExportResult, GoalsNotMet, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import AlphaKAnonymity, KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.presence import KMap
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import NTCloseness, TCloseness
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.release.independent_check import check_release
from anonymizer_gui.engine.rooms.microdata.release.output_format import write_options
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.storage.sources import Source, checksum
from tests.contract.release_cases import Case, cases, cases_in_a_population
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

SIX = [("a", "1 day"), ("a", "=ill"), ("a", "=ill"), ("b", "1 day"), ("b", "Flu"), ("b", "Flu")]


def small(
    names: tuple[str, str], rows: list[tuple[str, str]], *goals: PrivacyModel, **changes: object
) -> tuple[Project, Table]:
    """Make a project about a quasi-identifier that stays as it is and a sensitive column."""
    schema = Schema((ColumnSchema(names[0], role=Role.QI), ColumnSchema(names[1], role=Role.SA)))
    tree = Hierarchy.from_nested({"*": sorted({row[0] for row in rows})})
    project = Project(
        schema=schema, hierarchies={names[0]: tree}, goals=goals, algorithm=BottomUp(), bounds={names[0]: (0, 0)}
    )
    return replace(project, **changes), Table.from_rows(names, rows)  # type: ignore[arg-type]


def exported(project: Project, table: Table, path: Path, population: Table | None = None) -> ExportResult:
    release = run(table, project, population=population)
    return export(prepare_candidate(release, table, Safeguards(), population=population), path)


def test_the_apostrophe_of_a_formula_counts_in_the_ordered_distance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Texts without an order are refused before; what is measured must be that of the bytes all the same.
    monkeypatch.setattr("anonymizer_gui.engine.rooms.microdata.run.ORDERED_TYPES", tuple(ColumnType))
    goals = (KAnonymity(3), TCloseness(t=0.17, distance="emd-ordered"))
    project, table = small(("q", "s"), SIX, *goals)
    with pytest.raises(GoalsNotMet, match="t-closeness"):
        exported(project, table, tmp_path / "out.csv")
    project, table = small(("q", "s"), SIX, KAnonymity(3), TCloseness(t=0.34, distance="emd-ordered"))
    out = exported(project, table, tmp_path / "out.csv")
    assert out.numbers["goals"][1]["value"] == pytest.approx(1 / 3)
    assert verify_release(out.path).holds
    bare = replace(project, publishing=Publishing(escape_formulas=False))
    assert exported(bare, table, tmp_path / "bare.csv").numbers["goals"][1]["value"] == pytest.approx(1 / 6)


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.xlsx", "out.parquet"])
def test_names_and_values_that_look_like_formulas_leave_and_verify(tmp_path: Path, name: str) -> None:
    rows = [(f"{sign}{q}", s) for sign in "=@" for q, s in SIX] + [("", "x"), ("", "y"), ("", "z"), ("=a", "")]
    project, table = small(("=q", "+s"), [(q or "(missing)", s or "(missing)") for q, s in rows], KAnonymity(3))
    out = exported(project, table, tmp_path / name)
    assert verify_release(out.path).differences == ()


def test_a_column_named_like_a_word_of_the_program_does_not_hide(tmp_path: Path) -> None:
    rows = [[q, str(number), "same"] for number, q in enumerate("aaabbb")]
    names = ("q", "s", "(all sensitive columns)")
    schema = Schema((ColumnSchema("q", role=Role.QI), *(ColumnSchema(name, role=Role.SA) for name in names[1:])))
    project = Project(schema=schema, goals=(DistinctLDiversity(3),), algorithm=Mondrian())
    with pytest.raises(AnonymizerError):
        exported(project, Table.from_rows(names, rows), tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_the_group_of_n_t_closeness_stands_in_the_certificate_and_verifies(tmp_path: Path) -> None:
    rows = [("a", value) for value in "xxyyzzxxyyzz" * 3] + [("b", value) for value in "xyzxyzxyzw" * 4]
    project, table = small(("q", "s"), rows, NTCloseness(t=0.1, n=40, distance="emd-equal"))
    out = exported(project, table, tmp_path / "out.csv")
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    group, counts = told["reference_groups"]["0"]["s"], Counter(value for _, value in rows)
    assert sum(group.values()) >= 40
    assert all(group[value] <= counts[value] for value in group)
    found = verify_release(out.path)
    assert (found.differences, found.unchecked) == ((), ())


def test_a_hierarchical_distance_is_confirmed_at_export_and_not_checked_by_verify(tmp_path: Path) -> None:
    sick = Hierarchy.from_nested({"*": {"lung": ["Asthma", "Flu"], "other": {"h": ["=Heart"], "c": ["Cancer"]}}})
    project = hospital_project(goals=(KAnonymity(5), TCloseness(t=0.4, distance="emd-hierarchical")))
    project = replace(project, hierarchies={**project.hierarchies, "disease": sick})
    out = exported(project, hospital_table(), tmp_path / "out.csv")
    found = verify_release(out.path)
    assert found.holds
    assert found.unchecked == ("t-closeness",)


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet", ".csv.gz"])
def test_a_population_is_read_from_its_own_bytes(tmp_path: Path, suffix: str) -> None:
    table = hospital_table()
    crowd = hospital_table(80)
    path = tmp_path / f"people{suffix}"
    if suffix == ".csv.gz":
        path.write_bytes(b"no table that could be counted")
    else:
        write_table(crowd, path)
    project = hospital_project(goals=(KMap(20),), population=Source(str(path), checksum(path)))
    assert exported(project, table, tmp_path / "out.csv", crowd).numbers["goals"][0]["value"] >= 20
    if suffix != ".csv.gz":
        write_table(hospital_table(60), path)
        other = replace(project, population=Source(str(path), checksum(path)))
        with pytest.raises(PromiseBroken, match="k-map"):
            exported(other, table, tmp_path / "other.csv", crowd)


def test_numbers_and_dates_are_ordered_by_value(tmp_path: Path) -> None:
    rows = [("a", "9,5"), ("a", "10"), ("a", "100"), ("b", "9,5"), ("b", "9,5"), ("b", "")]
    project, table = small(("q", "s"), [(q, s or "(missing)") for q, s in rows], KAnonymity(3))
    by_number = replace(project, schema=project.schema.with_type("s", ColumnType.DECIMAL, ","))
    assert verify_release(exported(by_number, table, tmp_path / "out.csv").path).holds
    days = [(q, day) for q in "ab" for day in ("1.2.2024", "10.1.2024", "9.1.2025")]
    project, table = small(("q", "s"), days, KAnonymity(3))
    by_day = replace(project, schema=project.schema.with_type("s", ColumnType.DATE, "%d.%m.%Y"))
    assert verify_release(exported(by_day, table, tmp_path / "days.csv").path).holds


def of_people(tmp_path: Path) -> ExportResult:
    """Export a table whose twelve rows are about eight people, three of them in every class at least."""
    rows = [[f"p{number % 8}", q, s] for number, (q, s) in enumerate([*SIX, *SIX])]
    schema = Schema(
        (ColumnSchema("who", role=Role.EI), ColumnSchema("q", role=Role.QI), ColumnSchema("s", role=Role.SA))
    )
    tree = Hierarchy.from_nested({"*": ["a", "b"]})
    goals = (KAnonymity(3), TCloseness(t=0.9))
    project = Project(
        schema=schema, hierarchies={"q": tree}, goals=goals, algorithm=BottomUp(), bounds={"q": (0, 0)}, person="who"
    )
    return exported(project, Table.from_rows(("who", "q", "s"), rows), tmp_path / "out.csv")


def test_where_people_were_counted_verify_says_what_it_cannot_check(tmp_path: Path) -> None:
    found = verify_release(of_people(tmp_path).path)
    assert found.differences == ()
    assert found.unchecked[0] == "k-anonymity"
    assert "whom a row is about" in found.unchecked[1]
    assert "whom a row is about" in found.not_measured["numbers.k"]
    assert "promises.t" in found.measured


@pytest.mark.parametrize(("entry", "value"), [("k", 7), ("people", 13)])
def test_more_people_than_rows_are_found(tmp_path: Path, entry: str, value: int) -> None:
    path = of_people(tmp_path).path
    (path.parent / "out.csv.inside.json").unlink()
    resealed(path, lambda told: told["numbers"].update({entry: value}))
    assert any(f"numbers.{entry} is at most" in sentence for sentence in verify_release(path).differences)


def test_people_that_no_column_tells_of_are_found(tmp_path: Path) -> None:
    project, table = small(("q", "s"), SIX, KAnonymity(3))
    path = exported(project, table, tmp_path / "out.csv").path
    resealed(path, lambda told: told["numbers"].update({"people": 4}))
    assert "numbers.people is unknown, the certificate says 4." in verify_release(path).differences


def resealed(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a certificate and seal it again."""
    certificate = path.with_name(path.name + CERTIFICATE)
    told = json.loads(certificate.read_text(encoding="utf-8"))
    change(told)
    certificate.write_text(json.dumps({**told, "sha256": certificate_digest(told)}), encoding="utf-8")


def test_a_larger_k_of_alpha_k_than_the_file_has_is_found(tmp_path: Path) -> None:
    project, table = small(("q", "s"), SIX, AlphaKAnonymity(alpha=1.0, k=3))
    path = exported(project, table, tmp_path / "out.csv").path
    assert verify_release(path).holds

    def stronger(told: dict[str, Any]) -> None:
        for goal in (told["promises"][0], told["numbers"]["goals"][0]):
            goal["parameters"]["k"] = 4
        told["promises"][0]["sentence"] = AlphaKAnonymity(alpha=1.0, k=4).sentence()

    resealed(path, stronger)
    assert "promises.alpha-k.holds is false, the certificate says true." in verify_release(path).differences


def test_other_sizes_of_classes_than_the_file_has_are_found(tmp_path: Path) -> None:
    project, table = small(("q", "s"), [*SIX, ("a", "Flu")], KAnonymity(3))
    out = exported(project, table, tmp_path / "out.csv")
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    assert told["class_sizes"] == [[3, 3, 1], [4, 4, 1]]
    for sizes in ([[3, 3, 0], [4, 4, 2]], [[3, 3, 2], [4, 4, 0]], [[3, 4, 1]]):
        resealed(out.path, lambda told, sizes=sizes: told.update(class_sizes=sizes))
        assert any(difference.startswith("class_sizes") for difference in verify_release(out.path).differences), sizes


def test_an_entry_nobody_can_measure_is_not_changed_unseen(tmp_path: Path) -> None:
    project, table = small(("q", "s"), SIX, KAnonymity(3))
    out = exported(project, table, tmp_path / "out.csv")
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    told["program"]["anonymizer"] = "99.0"
    out.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert "The certificate has been changed since it was written." in verify_release(out.path).differences


def confirmed(case: Case, algorithm: Algorithm, population: Table | None = None) -> None:
    """Make a release where that is possible, write it, and have it confirmed."""
    project = replace(case.project, algorithm=algorithm)
    try:
        release = run(case.table, project, population=population)
    except Infeasible:
        return
    leaving = prepare_candidate(release, case.table, Safeguards(), population=population)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.csv"
        options = write_options(project, path)
        write_table(leaving.table, path, options)
        check_release(path, leaving, options)


@settings(max_examples=40)
@given(cases())
def test_every_release_is_confirmed(case: Case) -> None:
    for algorithm in (BottomUp(), Mondrian()):
        confirmed(case, algorithm)


@settings(max_examples=40)
@given(cases_in_a_population())
def test_every_release_from_a_population_is_confirmed(drawn: tuple[Case, Table]) -> None:
    for algorithm in (BottomUp(), Mondrian()):
        confirmed(drawn[0], algorithm, drawn[1])
