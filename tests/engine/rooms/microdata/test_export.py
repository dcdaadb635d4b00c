"""What leaves is what was measured, in an order that tells nothing; what fails leaves no trace."""

import errno
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.engine.core.errors import BadParameter, Cancelled, PromiseBroken, UnreadableFile, UnwritableFile
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import WriteOptions, read_table
from anonymizer_gui.engine.data.tables.io.csv_writer import CsvWriter
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.certificate import REPORT_PDF
from anonymizer_gui.engine.releases.export import ExportResult, GoalsNotMet, NotReady, export
from anonymizer_gui.engine.releases.ledger.releases import LedgerChanged, ReleaseLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.engine.rooms.microdata.release.output_table import output_table, pseudonym_mapping
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.storage.sources import Source
from tests.engine.rooms.microdata.making import NAMES, hospital_project, hospital_release, hospital_rows, hospital_table

KEY = bytes(range(32))
write_csv = CsvWriter.write


def exported(
    folder: Path, name: str = "out.csv", safeguards: Safeguards | None = None, **changes: object
) -> ExportResult:
    release, original = hospital_release(**changes)
    return export(prepare_candidate(release, original, safeguards or Safeguards()), folder / name)


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.xlsx", "out.parquet"])
def test_an_exported_release_verifies_and_holds_no_identifier(tmp_path: Path, name: str) -> None:
    out = exported(tmp_path, name)
    assert verify_release(out.path).holds
    assert b"Patient 00" not in out.path.read_bytes()
    beside = [f"{name}{suffix}" for suffix in (".inside.json", ".release.json", ".report.html")]
    assert sorted(p.name for p in tmp_path.iterdir()) == [name, *beside]


def test_the_same_project_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = exported(tmp_path, "a.csv"), exported(tmp_path, "b.csv")
    assert first.path.read_bytes() == second.path.read_bytes()
    assert first.sha256 == second.sha256


def test_undoing_the_shuffle_gives_sorted_rows_not_the_order_of_the_source() -> None:
    release, original = hospital_release()
    shuffled, _ = output_table(release, original)
    ordered = replace(release, project=replace(release.project, publishing=Publishing(row_order="sorted")))
    by_value, _ = output_table(ordered, original)
    rows = list(zip(*(column.texts() for column in by_value.columns), strict=True))
    assert rows == sorted(rows)
    assert sorted(zip(*(c.texts() for c in shuffled.columns), strict=True)) == rows
    reversed_source = Table.from_rows(NAMES, hospital_rows()[::-1])
    again, _ = output_table(run(reversed_source, hospital_project()), reversed_source)
    assert [c.texts().tolist() for c in again.columns] == [c.texts().tolist() for c in shuffled.columns]


def test_an_unknown_order_of_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="no order of rows"):
        exported(tmp_path, publishing=Publishing(row_order="as it was"))


def test_a_column_nobody_agreed_to_stops_the_export_until_a_reason_is_given(tmp_path: Path) -> None:
    with pytest.raises(NotReady, match="“ward”"):
        exported(tmp_path, acknowledged=())
    assert list(tmp_path.iterdir()) == []
    out = exported(tmp_path, safeguards=Safeguards(reason="The ward is public."), acknowledged=())
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    assert told["override"]["reason"] == "The ward is public."
    assert "The ward is public." in out.report.read_text(encoding="utf-8")


def test_a_second_copy_of_the_identifier_is_found() -> None:
    rows = [[*row, f"seen by {row[0]} today, call +49 30 1234567"] for row in hospital_rows()]
    table = Table.from_rows([*NAMES, "note"], rows)
    project = hospital_project()
    schema = Schema((*project.schema.columns, ColumnSchema("note", role=Role.OTHER)))
    release = run(table, replace(project, schema=schema, acknowledged=("ward", "note")))
    failed = prepare_candidate(release, table, Safeguards()).failed
    assert [check.name for check in failed] == ["identifiers"]
    assert "“note” shows a value of the identifier “name” in 40 rows." in failed[0].sentence
    assert "“note” holds what looks like a phone number in 40 rows." in failed[0].sentence


def test_a_release_without_goals_promises_nothing() -> None:
    release, original = hospital_release(goals=())
    (check,) = prepare_candidate(release, original, Safeguards()).failed
    assert "nothing is promised" in check.sentence


def test_pseudonyms_stand_where_the_identifier_stood_and_map_back_apart(tmp_path: Path) -> None:
    publishing = Publishing(pseudonyms=(("name", "keyed"),))
    out = exported(tmp_path, safeguards=Safeguards(key=KEY), publishing=publishing)
    table, _ = read_table(out.path)
    assert table.names == NAMES
    assert not any("Patient" in label for label in table.column("name").labels)
    release, original = hospital_release(publishing=publishing)
    mapping = pseudonym_mapping(release, original, KEY)
    assert set(mapping.column("name (pseudonym)").labels) == set(table.column("name").labels)
    assert "Patient 0000" in mapping.column("name").labels
    with pytest.raises(BadParameter, match="key file"):
        prepare_candidate(release, original, Safeguards())


def test_pseudonyms_link_two_releases_only_when_asked() -> None:
    def labels(seed: int, linkable: bool) -> set[str]:
        publishing = Publishing(pseudonyms=(("name", "keyed"),), linkable=linkable)
        release, original = hospital_release(seed=seed, publishing=publishing)
        return set(output_table(release, original, KEY)[0].column("name").labels)

    assert labels(1, True) == labels(2, True)
    assert not labels(1, False) & labels(2, False)


def test_pseudonyms_of_a_table_that_grew_do_not_link_although_a_database_has_no_checksum() -> None:
    def labels(n: int) -> set[str]:
        publishing = Publishing(pseudonyms=(("name", "keyed"),))
        release, original = hospital_release(n, source=Source("sqlite:///people.db"), publishing=publishing)
        return set(output_table(release, original, KEY)[0].column("name").labels)

    assert labels(40) == labels(40)
    assert not labels(40) & labels(60)


def test_a_hierarchy_that_is_not_used_changes_no_pseudonym() -> None:
    publishing = Publishing(pseudonyms=(("name", "keyed"),))
    release, original = hospital_release(publishing=publishing)
    unused = {**release.project.hierarchies, "name": Hierarchy.from_nested({"*": ["Patient 0000"]})}
    kept = replace(release, project=replace(release.project, hierarchies=unused))
    first, second = (output_table(one, original, KEY)[0].column("name").labels for one in (release, kept))
    assert first == second


def test_a_write_that_fails_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out.csv").write_text("old")

    def half(_self: CsvWriter, table: Table, path: Path, options: WriteOptions, progress: Progress) -> None:
        write_csv(_self, table, path, options, progress)
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])

    monkeypatch.setattr(CsvWriter, "write", half)
    with pytest.raises(PromiseBroken, match="is not the release"):
        exported(tmp_path)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("out.csv", "old")]


def test_one_changed_cell_is_not_the_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(_self: CsvWriter, table: Table, path: Path, options: WriteOptions, progress: Progress) -> None:
        write_csv(_self, table, path, options, progress)
        path.write_text(path.read_text().replace("W0", "W1", 1))

    monkeypatch.setattr(CsvWriter, "write", wrong)
    with pytest.raises(PromiseBroken, match="1 cell of “ward” differs"):
        exported(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_cancelling_at_any_moment_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("old")
    release, original = hospital_release()
    ledger = ReleaseLedger(tmp_path.parent / "ledger.sqlite")
    prepared = prepare_candidate(release, original, Safeguards(key=KEY, ledger=ledger))
    for moment in range(1000):
        calls = iter(range(1000))
        try:
            export(prepared, tmp_path / "out.csv", Progress(is_cancelled=lambda: next(calls) >= moment))  # noqa: B023
        except Cancelled:
            assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("out.csv", "old")]
            assert ledger.entries() == ()
        else:
            break
    assert moment > 5
    assert verify_release(tmp_path / "out.csv").holds


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="could not be written: the folder does not exist"):
        exported(tmp_path, "none/out.csv")


def test_formulas_are_disarmed_in_the_file_and_the_numbers_stay(tmp_path: Path) -> None:
    out = exported(tmp_path)
    assert "'=Heart" in out.path.read_text()
    assert verify_release(out.path).holds


def test_a_second_release_of_the_same_people_is_checked_against_the_ledger(tmp_path: Path) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    exported(tmp_path, "first.csv", Safeguards(key=KEY, ledger=ledger))
    release, original = hospital_release(bounds={"age": (2, 2)})
    prepared = prepare_candidate(release, original, Safeguards(key=KEY, ledger=ledger))
    assert prepared.meeting.people == 40
    assert prepared.meeting.is_harmless
    finer, _ = hospital_release(bounds={"zip": (2, 2)}, goals=hospital_project().goals)
    prepared = prepare_candidate(finer, original, Safeguards(key=KEY, ledger=ledger))
    assert prepared.meeting.people == 40
    with pytest.raises(BadParameter, match="key file"):
        prepare_candidate(finer, original, Safeguards(ledger=ledger))


def test_tampering_with_one_cell_is_found_and_told(tmp_path: Path) -> None:
    out = exported(tmp_path)
    out.path.write_text(out.path.read_text().replace("Flu", "Cancer", 1))
    found = verify_release(out.path)
    assert not found.holds
    assert "The column “disease” has changed." in found.differences


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": "anonymizer release", "version": 1}'])
def test_a_damaged_certificate_is_told_in_a_sentence(tmp_path: Path, damage: str) -> None:
    out = exported(tmp_path)
    out.certificate.write_text(damage)
    with pytest.raises(UnreadableFile, match="certificate"):
        verify_release(out.path)
    out.certificate.unlink()
    with pytest.raises(UnreadableFile, match="no certificate"):
        verify_release(out.path)


def test_the_certificate_holds_no_value_that_is_not_published(tmp_path: Path) -> None:
    out = exported(tmp_path)
    told = out.certificate.read_text(encoding="utf-8") + out.report.read_text(encoding="utf-8")
    published = out.path.read_text()
    raw = {cell for row in hospital_rows() for cell in (row[0], row[2])}
    assert not [cell for cell in raw if cell in told and cell not in published]
    assert str(tmp_path) not in told


def test_a_release_that_was_entered_since_the_check_is_compared_with_before_this_one_leaves(tmp_path: Path) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    safeguards = Safeguards(key=KEY, ledger=ledger)
    release, original = hospital_release(goals=(KAnonymity(k=5),), bounds={"age": (2, 2), "zip": (0, 0)})
    ready = prepare_candidate(release, original, safeguards)
    assert ready.failed == ()
    other, _ = hospital_release()
    export(prepare_candidate(other, original, safeguards), tmp_path / "other.csv")
    reasoned = replace(ready, safeguards=replace(safeguards, reason="given before"))
    for unaware in (ready, reasoned):
        with pytest.raises(GoalsNotMet, match="holds no longer"):
            export(unaware, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    export(prepare_candidate(release, original, replace(safeguards, reason="known now")), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").exists()


def test_one_check_serves_for_several_formats(tmp_path: Path) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    release, original = hospital_release()
    ready = prepare_candidate(release, original, Safeguards(key=KEY, ledger=ledger))
    for name in ("out.csv", "out.xlsx", "out.csv"):
        assert verify_release(export(ready, tmp_path / name).path).holds
    assert len(ledger.entries()) == 2


def test_two_releases_cannot_enter_the_ledger_unseen_by_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    safeguards = Safeguards(key=KEY, ledger=ledger)
    first, second = (prepare_candidate(*hospital_release(seed=seed), safeguards) for seed in (1, 2))

    def write_while_another_leaves(_self: CsvWriter, *arguments: Any) -> None:
        monkeypatch.setattr(CsvWriter, "write", write_csv)
        export(second, tmp_path / "second.csv")
        write_csv(_self, *arguments)

    monkeypatch.setattr(CsvWriter, "write", write_while_another_leaves)
    with pytest.raises(LedgerChanged, match="meanwhile"):
        export(first, tmp_path / "first.csv")
    assert not (tmp_path / "first.csv").exists()
    export(first, tmp_path / "first.csv")
    assert len(ledger.entries()) == 2


def test_no_printed_report_of_an_earlier_release_stays_beside_the_new_one(tmp_path: Path) -> None:
    release, original = hospital_release()
    ready = prepare_candidate(release, original, Safeguards())
    printers = {REPORT_PDF: lambda _page, path: path.write_text("%PDF") and None}
    export(ready, tmp_path / "out.csv", printers=printers)
    assert (tmp_path / "out.csv.report.pdf").exists()
    export(ready, tmp_path / "out.csv", printers=printers)
    assert (tmp_path / "out.csv.report.pdf").exists()
    export(ready, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv.report.pdf").exists()


def test_a_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="the name is too long"):
        exported(tmp_path, "x" * 245 + ".csv")
    assert list(tmp_path.iterdir()) == []


def test_a_release_under_another_key_is_not_taken_for_one_of_other_people(tmp_path: Path) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    release, original = hospital_release()
    export(prepare_candidate(release, original, Safeguards(key=KEY, ledger=ledger)), tmp_path / "a.csv")
    same = prepare_candidate(release, original, Safeguards(key=KEY, ledger=ledger)).meeting
    other = prepare_candidate(release, original, Safeguards(key=bytes(32), ledger=ledger))
    assert (same.people, same.is_harmless) == (40, True)
    assert [check.name for check in other.failed] == ["meetings"]
    with pytest.raises(GoalsNotMet, match="another key"):
        export(other, tmp_path / "b.csv")


def test_the_ledger_keeps_a_release_whose_certificate_could_not_follow_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    safeguards = Safeguards(key=KEY, ledger=ledger)
    refuse_certificates(monkeypatch)
    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(UnwritableFile, match=r"out\.csv\.release\.json.*“out\.csv” is the new one already"):
        exported(tmp_path, safeguards=safeguards)
    assert (tmp_path / "out.csv").exists()
    assert len(ledger.entries()) == 1


def test_the_ledger_forgets_a_release_that_was_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    safeguards = Safeguards(key=KEY, ledger=ledger)
    refuse_certificates(monkeypatch)
    with pytest.raises(UnwritableFile, match=r"out\.csv\.release\.json"):
        exported(tmp_path, safeguards=safeguards)
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.sqlite"]
    assert ledger.entries() == ()


def refuse(*_arguments: object, **_more: object) -> None:
    raise OSError(errno.EIO, "broken")


def refuse_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system refuse to put a certificate in its place."""
    place = Path.replace

    def place_others(self: Path, target: Path) -> Path:
        if target.name.endswith(".release.json"):
            refuse()
        return place(self, target)

    monkeypatch.setattr(Path, "replace", place_others)


def test_a_column_that_points_to_a_person_is_told_even_when_it_was_agreed_to() -> None:
    rows = [[*row, f"CF{7919 * i % 1000:03d}", ["Ann", "Bob", "Cem"][i % 3]] for i, row in enumerate(hospital_rows())]
    table = Table.from_rows([*NAMES, "reference", "first"], rows)
    project = hospital_project()
    schema = Schema((*project.schema.columns, *(ColumnSchema(name) for name in ("reference", "first"))))
    agreed = replace(project, schema=schema, acknowledged=("ward", "reference", "first"))
    found = _check(run(table, agreed), table, "pointing")
    assert (found.holds, found.blocks) == (False, False)
    assert [finding.place for finding in found.findings] == ["reference", "first"]
    assert "100% of the 40 rows" in found.findings[0].sentence
    without = agreed.leaving_out(["reference", "first"])
    assert _check(run(table, without), table, "pointing").holds


def test_any_column_is_left_out_in_one_step() -> None:
    project = hospital_project(publishing=Publishing(pseudonyms=(("name", "keyed"),)))
    changed = project.leaving_out(["name", "zip", "ward"])
    assert changed.schema.names(Role.EI) == ("name",)
    assert changed.left_out_columns() == ["zip", "ward"]
    assert (changed.publishing.pseudonyms, changed.acknowledged) == ((), ())
    release, table = run(hospital_table(), changed), hospital_table()
    assert prepare_candidate(release, table, Safeguards()).table.names == ("age", "disease")
    back = changed.with_roles({"zip": Role.QI, "ward": Role.OTHER})
    assert (back.left_out_columns(), back.undecided_columns()) == ([], ["ward"])
    assert back.agreeing_to(["ward", "zip"]).acknowledged == ("ward",)


def _check(release: Release, table: Table, name: str) -> Check:
    return next(check for check in prepare_candidate(release, table, Safeguards()).checks if check.name == name)
