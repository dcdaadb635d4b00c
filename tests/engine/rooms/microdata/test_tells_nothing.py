"""Certificate and report tell nothing beside the release: whatever it hides could be otherwise."""

import hashlib
import itertools
import json
import re
import stat
from dataclasses import replace
from pathlib import Path

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.data.tables.io import WriteOptions, write_table
from anonymizer_gui.engine.data.tables.io.read_write import read_source
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.opening import open_project
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import NAMES, hospital_project, hospital_rows

CREATED = "2026-01-01T00:00:00+00:00"


def released(folder: Path, table: Table, project: Project) -> ExportResult:
    """Write a table, anonymize it and export the release, all at one moment."""
    folder.mkdir()
    write_table(table, folder / "source.csv", WriteOptions(escape_formulas=False))
    read, _, source = read_source(str(folder / "source.csv"))
    release = replace(run(read, replace(project, source=source)), created=CREATED)
    return export(prepare_candidate(release, read, Safeguards(reason="a test")), folder / "out.csv")


def told(out: ExportResult) -> dict[str, object]:
    """Give the certificate but for the checksum of the inside copy, which holds a secret number, and its own."""
    entries = json.loads(out.certificate.read_text(encoding="utf-8"))
    return {name: entry for name, entry in entries.items() if name not in ("inside", "sha256")}


def same(one: ExportResult, two: ExportResult) -> bool:
    return told(one) == told(two) and one.report.read_bytes() == two.report.read_bytes()


def lecture() -> tuple[Table, Project]:
    opened = open_project(resource_path("samples", "lecture.anon"))
    return opened.files["table"], opened.project


def rows_of(table: Table) -> list[list[str]]:
    return [list(row) for row in zip(*(column.texts().tolist() for column in table.columns), strict=True)]


def test_who_has_which_disease_in_a_class_changes_nothing_that_leaves(tmp_path: Path) -> None:
    table, project = lecture()
    first = released(tmp_path / "first", table, project)
    at = table.names.index(project.schema.names(Role.SA)[0])
    release = run(table, project)
    together = release.rows[release.class_of_row == release.class_of_row[0]].tolist()
    pairs = [
        (one, two)
        for one, two in itertools.combinations(together, 2)
        if rows_of(table)[one][at] != rows_of(table)[two][at]
    ]
    assert pairs
    for number, (one, two) in enumerate(pairs[:3]):
        rows = rows_of(table)
        rows[one][at], rows[two][at] = rows[two][at], rows[one][at]
        other = released(tmp_path / f"other{number}", Table.from_rows(table.names, rows), project)
        assert other.path.read_bytes() == first.path.read_bytes()
        assert same(first, other)


def test_no_digest_that_leaves_is_that_of_a_source_or_hierarchy_somebody_may_guess(tmp_path: Path) -> None:
    table, project = lecture()
    out = released(tmp_path / "out", table, project)
    source = (tmp_path / "out" / "source.csv").read_bytes()
    guesses = {hashlib.sha256(source).hexdigest(), hashlib.sha256(source.rstrip()).hexdigest()}
    for tree in project.hierarchies.values():
        guesses.add(hashlib.sha256(json.dumps([tree.labels, tree.parents.tolist()]).encode()).hexdigest())
    texts = [path.read_text(encoding="utf-8") for path in (out.certificate, out.report)]
    assert [digest for text in texts for digest in re.findall("[0-9a-f]{64}", text) if digest in guesses] == []
    inside = out.inside.read_text(encoding="utf-8")
    assert hashlib.sha256(source).hexdigest() in inside


def outlier(age: str, zip_code: str, disease: str) -> tuple[Table, Project]:
    """Give the hospital with one more person who stands out and is suppressed."""
    rows = [*hospital_rows(), ["Outlier", age, zip_code, disease, "W1"]]
    ages = {"20-23": ["20", "21", "22", "23"], "24-27": ["24", "25", "26", "27"], "old": [age]}
    zips = {"1305*": ["13050", "13051", "13052", "13053"], "far": [zip_code]}
    trees = {"age": Hierarchy.from_nested({"*": ages}), "zip": Hierarchy.from_nested({"*": zips})}
    bounds = {"age": (0, 1), "zip": (0, 1)}
    return Table.from_rows(NAMES, rows), hospital_project(hierarchies=trees, suppression=0.1, bounds=bounds)


def test_whoever_is_suppressed_may_be_anybody(tmp_path: Path) -> None:
    first = released(tmp_path / "first", *outlier("91", "99999", "Flu"))
    other = released(tmp_path / "other", *outlier("97", "98765", "Cancer"))
    assert told(first)["numbers"]["suppressed"] == 1  # type: ignore[index]
    assert first.path.read_bytes() == other.path.read_bytes()
    assert same(first, other)


def test_the_inside_copy_is_ones_own_and_lets_all_be_verified(tmp_path: Path) -> None:
    out = released(tmp_path / "out", *lecture())
    assert stat.S_IMODE(out.inside.stat().st_mode) == 0o600
    assert verify_release(out.path).unchecked == ()
    (tmp_path / "out" / "source.csv").write_text("another\n")
    assert verify_release(out.path).unchecked == ("the source “source.csv”, which is not there as it was",)
    entries = json.loads(out.inside.read_text(encoding="utf-8"))
    assert len(entries["secret"]) == 64
    assert set(entries["loss_of_cells"]) == set(told(out)["recipe"]["weights"])  # type: ignore[index]


def test_the_same_release_twice_has_two_secret_numbers(tmp_path: Path) -> None:
    one, two = (released(tmp_path / name, *lecture()) for name in ("one", "two"))
    assert same(one, two)
    digests = {json.loads(out.certificate.read_text(encoding="utf-8"))["inside"] for out in (one, two)}
    assert len(digests) == 2


def among(others: int) -> tuple[Table, Project]:
    """Give the hospital with one more person who is left out, whose age is one of some that nobody else has."""
    rows = [*hospital_rows(), ["Outlier", "9000", "99999", "Flu", "W1"]]
    half = [[str(age) for age in range(start, start + 2000)] for start in (20, 2020)]
    ages = {"young": half[0], "grown": half[1], "old": [str(9000 + at) for at in range(others)]}
    zips = {"1305*": ["13050", "13051", "13052", "13053"], "far": ["99999"]}
    trees = {"age": Hierarchy.from_nested({"*": ages}), "zip": Hierarchy.from_nested({"*": zips})}
    bounds = {"age": (1, 1), "zip": (0, 1)}
    return Table.from_rows(NAMES, rows), hospital_project(hierarchies=trees, suppression=0.1, bounds=bounds)


def test_the_loss_is_told_so_roughly_that_nobody_counts_the_values_of_rows_left_out(tmp_path: Path) -> None:
    outs = [released(tmp_path / str(others), *among(others)) for others in (1, 2)]
    exact = [json.loads(out.inside.read_text(encoding="utf-8"))["loss"]["lm"] for out in outs]
    assert round(exact[0], 6) != round(exact[1], 6)
    assert told(outs[0])["numbers"]["suppressed"] == 1  # type: ignore[index]
    assert outs[0].path.read_bytes() == outs[1].path.read_bytes()
    assert same(*outs)
