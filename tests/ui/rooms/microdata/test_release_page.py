"""The Release page: what leaves, the checklist, and an export whose file gives the numbers on screen."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.cli import main
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.signing import fingerprint, read_signing_key
from anonymizer_gui.engine.room import Check, Finding
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.storage.keys import read_key
from anonymizer_gui.engine.storage.sources import Source
from anonymizer_gui.ui.page import StepState, StepStatus
from anonymizer_gui.ui.release.page import ReleasePage, ScriptDialog
from anonymizer_gui.ui.rooms.microdata.output_panel import ApproveColumnsDialog
from anonymizer_gui.ui.widgets.check_list import CheckList
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.making import hospital_release
from tests.ui.rooms.microdata.protect_documents import made_pages

Make = Callable[..., tuple[ReleasePage, Document]]


@pytest.fixture
def page_of(qtbot: QtBot) -> Iterator[Make]:
    """Make the page over a small hospital that was protected."""
    yield from made_pages(qtbot, ReleasePage)


def checks(page: ReleasePage) -> list[str]:
    return [line.accessibleName() for line in page.checks.lines]


def fate(page: ReleasePage, column: str) -> QWidget:
    """Give the widget that tells or decides what happens to a column."""
    table = page.panel.columns
    (item,) = table.findItems(column, Qt.MatchFlag.MatchExactly)
    return table.cellWidget(item.row(), 1)


def _words(page: ReleasePage, column: str) -> str:
    told = fate(page, column)
    assert isinstance(told, QLabel)
    return told.text()


def test_an_exported_file_measures_as_the_screen_said(
    page_of: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, document = page_of()
    assert all(": in order" in line for line in checks(page))
    assert page.export_button.isEnabled()
    page.export(tmp_path / "out.csv")
    main(["measure", str(tmp_path / "out.csv"), "--qi", "age,zip", "--sa", "disease", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert page.panel.figures.card("k").text.text() == str(told["k"])
    assert page.panel.figures.card("l").text.text() == f"{told['l']['distinct']:.0f}"
    assert main(["verify", str(tmp_path / "out.csv")]) == 0
    assert (tmp_path / "out.csv.report.pdf").read_bytes().startswith(b"%PDF")
    assert "40 rows" in document.messages.open[-1].text


def test_a_release_that_was_entered_since_the_check_is_shown_before_this_one_leaves(
    page_of: Make, tmp_path: Path
) -> None:
    ledger = ReleaseLedger(tmp_path / "ledger.sqlite")
    page, document = page_of(goals=(KAnonymity(k=5),), bounds={"age": (2, 2), "zip": (0, 0)})
    page.safeguards.new_key(str(tmp_path / "key"))
    page.safeguards.set_ledger_file(str(ledger.path))
    assert page.export_button.isEnabled()
    release, table = hospital_release()
    other = prepare_candidate(release, table, Safeguards(read_key(tmp_path / "key"), ledger))
    export(other, tmp_path / "other.csv")
    page.export(tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    assert "not ready" in document.messages.open[-1].text
    assert not page.export_button.isEnabled()
    assert any("not in order" in line and "Safe beside" in line for line in checks(page))


def test_the_window_signs_with_the_key_that_was_made_and_says_who_signed(page_of: Make, tmp_path: Path) -> None:
    page, document = page_of()
    page.safeguards.new_signing_key(str(tmp_path / "sign.pem"))
    assert "sign" in page.safeguards.signing_label.text()
    page.export(tmp_path / "out.csv")
    public = read_signing_key(tmp_path / "sign.pem").public
    assert main(["verify", str(tmp_path / "out.csv"), "--signer", public]) == 0
    told = document.messages.open[-1]
    assert f"Signed by {fingerprint(public)}." in told.hint
    assert "“out.csv.inside.json” must never be published." in told.hint
    page.safeguards.no_signing.click()
    page.export(tmp_path / "unsigned.csv")
    assert "Signed" not in document.messages.open[-1].hint
    assert main(["verify", str(tmp_path / "unsigned.csv"), "--require-signature"]) == 1


def test_the_window_exports_over_nothing_that_is_kept(page_of: Make, tmp_path: Path) -> None:
    page, document = page_of()
    page.safeguards.new_signing_key(str(tmp_path / "out.csv"))
    before = (tmp_path / "out.csv").read_bytes()
    page.export(tmp_path / "out.csv")
    assert "would be overwritten" in document.messages.open[-1].text
    assert (tmp_path / "out.csv").read_bytes() == before


def test_a_sensitive_column_that_no_goal_looks_at_is_told(page_of: Make) -> None:
    page, document = page_of()
    document.edit("Diversity", goals=(KAnonymity(k=2), DistinctLDiversity(l=2, column="disease")))
    assert _words(page, "disease") == "unchanged, protected"
    document.edit("Only k", goals=(KAnonymity(k=2),))
    assert _words(page, "disease") == "unchanged, not protected"


def test_a_column_of_no_role_must_be_agreed_to(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of(acknowledged=())
    assert not page.export_button.isEnabled()
    assert any("“ward”" in line for line in checks(page))
    decide(page, "ward", "unchanged; I agree")
    assert document.project.acknowledged == ("ward",)
    assert page.export_button.isEnabled()
    document.undo_stack.undo()
    assert not page.export_button.isEnabled()


def test_a_reason_lets_a_release_go_and_stands_in_the_report(page_of: Make, qtbot: QtBot, tmp_path: Path) -> None:
    page, _ = page_of(acknowledged=())
    page.export(tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []
    qtbot.keyClicks(page.reason, "The ward is public.")
    assert page.export_button.isEnabled()
    page.export(tmp_path / "out.csv")
    assert "The ward is public." in (tmp_path / "out.csv.report.html").read_text(encoding="utf-8")


def test_a_stale_release_cannot_leave_until_its_settings_are_taken(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    document.edit("x", suppression=0.3)
    assert not page.export_button.isEnabled()
    assert "run again" in page.note.label.text()
    qtbot.mouseClick(page.settings_button, Qt.MouseButton.LeftButton)
    assert document.project.suppression == 0.0
    assert page.export_button.isEnabled()


def test_the_way_a_release_leaves_does_not_make_it_stale(page_of: Make) -> None:
    page, document = page_of()
    document.edit("x", publishing=Publishing(row_order="sorted"))
    assert page.export_button.isEnabled()
    document.edit("x", publishing=Publishing(suppressed_as_stars=True))
    assert not page.export_button.isEnabled()


def test_pseudonyms_need_a_key_and_then_stand_in_the_file(page_of: Make, tmp_path: Path) -> None:
    page, document = page_of()
    box = fate(page, "name")
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findData("keyed"))
    box.activated.emit(box.currentIndex())
    assert not page.export_button.isEnabled()
    assert "key file" in page.note.label.text()
    assert document.messages.open == ()
    page.safeguards.new_key(str(tmp_path / "my.key"))
    assert page.export_button.isEnabled()
    page.export(tmp_path / "out.csv")
    content = (tmp_path / "out.csv").read_text()
    assert content.splitlines()[0].startswith("name,")
    assert "Patient" not in content
    assert page.panel.mapping_button.isVisible()
    page.panel.write_mapping(tmp_path / "mapping.csv")
    assert "Patient 0000" in (tmp_path / "mapping.csv").read_text()


def test_the_key_never_gets_into_the_project(page_of: Make, tmp_path: Path) -> None:
    page, document = page_of()
    page.safeguards.new_key(str(tmp_path / "my.key"))
    document.save(tmp_path / "p.anon")
    saved = (tmp_path / "p.anon").read_text(encoding="utf-8")
    assert "my.key" not in saved
    assert (tmp_path / "my.key").read_text().strip() not in saved


def test_a_second_release_is_checked_against_the_ledger(page_of: Make, tmp_path: Path) -> None:
    page, _ = page_of()
    page.safeguards.new_key(str(tmp_path / "my.key"))
    page.safeguards.set_ledger_file(str(tmp_path / "ledger.sqlite"))
    page.export(tmp_path / "out.csv")
    assert any("40 people are also in" in line for line in checks(page))


def test_a_release_that_discloses_beside_an_earlier_one_is_blocked_until_a_reason_is_given(
    page_of: Make, tmp_path: Path
) -> None:
    first, _ = page_of()
    first.safeguards.new_key(str(tmp_path / "my.key"))
    first.safeguards.set_ledger_file(str(tmp_path / "ledger.sqlite"))
    first.export(tmp_path / "first.csv")
    page, _ = page_of(goals=(KAnonymity(k=10),), bounds={"age": (2, 2), "zip": (0, 0)})
    page.safeguards.set_key_file(str(tmp_path / "my.key"))
    page.safeguards.set_ledger_file(str(tmp_path / "ledger.sqlite"))
    assert any(
        "For 40 people distinct l-diversity of “hospital (first.csv)” holds no longer" in line for line in checks(page)
    )
    assert not page.export_button.isEnabled()
    page.reason.setText("Everybody agreed.")
    assert page.export_button.isEnabled()


def test_the_command_line_is_shown_once_the_project_is_saved(page_of: Make, tmp_path: Path, qtbot: QtBot) -> None:
    page, document = page_of()
    qtbot.mouseClick(page.line_button, Qt.MouseButton.LeftButton)
    assert "Save the project first" in document.messages.open[-1].text
    document.save(tmp_path / "p.anon")
    qtbot.mouseClick(page.line_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(ScriptDialog)
    assert dialog is not None
    assert dialog.text.toPlainText().startswith("anonymizer-gui run ")
    dialog.save(str(tmp_path / "release.sh"))
    assert "anonymizer-gui run" in (tmp_path / "release.sh").read_text()
    dialog.reject()


def test_a_script_about_a_database_calls_it_up(page_of: Make, tmp_path: Path, qtbot: QtBot) -> None:
    page, document = page_of(source=Source("sqlite:///people.db"))
    document.save(tmp_path / "p.anon")
    qtbot.mouseClick(page.script_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(ScriptDialog)
    assert dialog is not None
    assert "allow_database=True" in dialog.text.toPlainText()
    dialog.reject()


def test_the_step_is_done_once_the_release_has_left_as_it_is_set(page_of: Make, tmp_path: Path) -> None:
    page, document = page_of()
    states = [ReleasePage.mark(document).state]
    page.export(tmp_path / "out.csv")
    states.append(ReleasePage.mark(document).state)
    document.edit("Mask", publishing=replace(document.project.publishing, missing_token="NA"))
    states.append(ReleasePage.mark(document).state)
    assert states == [StepState.READY, StepState.DONE, StepState.READY]


def test_an_export_that_cannot_be_written_is_told_and_nothing_is_lost(page_of: Make, tmp_path: Path) -> None:
    page, document = page_of()
    page.export(tmp_path / "none" / "out.csv")
    assert "could not be written" in document.messages.open[-1].text
    assert document.selected is not None


def decide(page: ReleasePage, name: str, words: str) -> None:
    box = fate(page, name)
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findText(words))
    box.activated.emit(box.currentIndex())


def with_other_columns(document: Document) -> None:
    """Publish the name as a column of no role, and say nothing about the others."""
    roles = {"ward": Role.OTHER, "disease": Role.OTHER, "name": Role.OTHER}
    schema = document.project.schema.with_roles(roles)
    document.edit("x", schema=schema, goals=(KAnonymity(k=5),), acknowledged=())
    document.run()


def test_columns_are_agreed_to_after_a_look_and_none_that_points_to_people_or_seems_sensitive_is_ticked(
    page_of: Make, qtbot: QtBot
) -> None:
    page, document = page_of()
    assert not page.panel.agree_button.isVisible()
    with_other_columns(document)
    assert page.panel.agree_button.isVisible()
    qtbot.mouseClick(page.panel.agree_button, Qt.MouseButton.LeftButton)
    (dialog,) = page.panel.columns.findChildren(ApproveColumnsDialog)
    told = {dialog.list.item(row, 0).text(): dialog.list.item(row, 3).text() for row in range(3)}
    assert told["ward"] == "nothing found"
    assert "points to one person" in told["name"]
    assert [dialog.list.item(row, 2).text() for row in range(3)] == ["100.0%", "0.0%", "0.0%"]
    assert "people may not want it known" in told["disease"]
    assert dialog.ticked() == ["ward"]
    assert document.project.acknowledged == ()
    assert dialog.agree.text() == "Agree to 1 Column"
    qtbot.mouseClick(dialog.agree, Qt.MouseButton.LeftButton)
    assert set(document.project.acknowledged) == {"ward"}
    assert page.panel.agree_button.isVisible()
    assert not page.export_button.isEnabled()


def test_a_column_left_out_leaves_no_trace_and_needs_no_run(page_of: Make, tmp_path: Path) -> None:
    page, document = page_of(acknowledged=())
    decide(page, "ward", "left out")
    assert document.project.left_out_columns() == ["ward"]
    assert page.export_button.isEnabled()
    page.export(tmp_path / "out.csv")
    assert "ward" not in (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()[0]
    assert "Removed: name. Left out: ward." in document.messages.open[-1].text
    decide(page, "ward", "unchanged, not yet agreed")
    assert not page.export_button.isEnabled()


def test_what_a_check_has_found_is_listed_and_shown_in_the_data(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    with_other_columns(document)
    button = page.checks.findChild(QPushButton, "show_name")
    assert isinstance(button, QPushButton)
    assert button.text() == "Show Column"
    with qtbot.waitSignal(page.go, check_params_cb=lambda name: name == "data"):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert document.pointed is not None
    assert document.pointed.place == "name"


def test_the_rows_of_a_finding_are_handed_on(qtbot: QtBot) -> None:
    view = CheckList()
    qtbot.addWidget(view)
    finding = Finding("“note” shows a name.", "note", (3, 4))
    findings = (finding, *(Finding(f"More {number}.", "note") for number in range(11)))
    view.show_checks([Check("identifiers", "No identifier", False, "Found.", findings=findings)])
    view.show()
    texts = [label.text() for label in view.findChildren(QLabel)]
    assert "“note” shows a name." in texts
    assert "… and 4 more" in texts
    button = next(b for b in view.findChildren(QPushButton) if b.text() == "Show Rows")
    with qtbot.waitSignal(view.wanted) as told:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert told.args == [finding]


def test_the_rail_tells_how_the_checklist_stands(page_of: Make, tmp_path: Path) -> None:
    page, document = page_of()
    assert ReleasePage.mark(document).state is StepState.READY
    document.edit("Not agreed", acknowledged=())
    assert ReleasePage.mark(document) == StepStatus(StepState.WARNING, "A check is not in order")
    page.reason.setText("The ward is public.")
    page.export(tmp_path / "out.csv")
    assert ReleasePage.mark(document) == StepStatus(StepState.WARNING, "Exported, though not all is in order")
    document.undo_stack.undo()
    assert ReleasePage.mark(document).state is StepState.READY


def test_a_report_that_no_program_opens_is_told_with_its_place(
    page_of: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, document = page_of()
    page.export(tmp_path / "out.csv")
    told = document.messages.open[-1]
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: False)
    dict(told.actions)["Open Report"]()
    assert document.messages.open[-1].text == "No program here opens “out.csv.report.html”."
    assert str(tmp_path / "out.csv.report.html") in document.messages.open[-1].hint
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: True)
    document.messages.clear("not opened")
    dict(told.actions)["Open Folder"]()
    assert "No program" not in document.messages.open[-1].text


def test_the_rows_are_shown_as_they_leave(page_of: Make) -> None:
    page, _ = page_of()
    model = page.panel.rows.table_model()
    assert page.leaving is not None
    assert model.table is page.leaving.table
    assert "name" not in model.table.names
    assert model.rowCount() == page.leaving.table.n_rows


@pytest.mark.parametrize(("width", "beside"), [(1100, False), (1900, True)])
def test_the_rows_stand_beside_the_columns_where_there_is_room(page_of: Make, width: int, beside: bool) -> None:
    page, _ = page_of()
    page.resize(width, 900)
    page.show()
    columns, rows = page.panel.columns, page.panel.rows
    assert (rows.mapTo(page, QPoint()).x() > columns.mapTo(page, QPoint()).x() + columns.width() - 1) == beside
