"""Policies and the three questions of a release: on the table that leaves, in the report, and again from the file."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import ExportResult, NotReady, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.microdata.masking.cleaning import ReplaceValues
from anonymizer_gui.engine.rooms.microdata.masking.contract import Step
from anonymizer_gui.engine.rooms.microdata.masking.global_recoding import TopBottomCoding
from anonymizer_gui.engine.rooms.microdata.masking.steps import with_steps
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.policies.contract import RuleResult
from anonymizer_gui.engine.rooms.microdata.policies.release_rules import SmallestClass
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import RuleSet
from anonymizer_gui.engine.rooms.microdata.policies.safe_harbor import AgesInOneGroup, k_and_l
from anonymizer_gui.engine.rooms.microdata.project import Project, project_entries
from anonymizer_gui.engine.rooms.microdata.release import policy_check
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.room import project_from_entries
from anonymizer_gui.engine.storage.sources import Source
from tests.engine.rooms.microdata.making import hospital_project, hospital_release

OURS = RuleSet("Ours", (SmallestClass(5),), "the board", ("what was agreed by word",))


def exported(folder: Path, *policies: RuleSet, reason: str = "") -> ExportResult:
    release, table = hospital_release(policies=policies)
    return export(prepare_candidate(release, table, Safeguards(reason=reason)), folder / "out.csv")


def told_in(out: ExportResult) -> dict[str, object]:
    return dict(json.loads(out.certificate.read_text(encoding="utf-8")))


def test_a_policy_that_is_not_passed_stops_the_release_until_a_reason_is_given(tmp_path: Path) -> None:
    strict = RuleSet("Strict", (SmallestClass(50),))
    with pytest.raises(NotReady, match="Strict"):
        exported(tmp_path, strict)
    out = exported(tmp_path, strict, reason="The board has agreed.")
    assert told_in(out)["policies"][0]["passes"] is False  # type: ignore[index]
    assert "Not passed: 1 of 1." in out.report.read_text(encoding="utf-8")
    assert verify_release(out.path).holds


AGES = RuleSet("Ages", (AgesInOneGroup(),), "the board")


@pytest.mark.parametrize(
    ("steps", "passes"),
    [
        ((TopBottomCoding("age", highest="90"),), True),
        ((TopBottomCoding("age", lowest="20"),), False),
        ((TopBottomCoding("age", highest="95"),), False),
        ((TopBottomCoding("age", highest="0.8", quantiles=True),), False),
        ((TopBottomCoding("age", highest="90"), ReplaceValues("age", find="88", put="93")), False),
    ],
)
def test_top_coding_at_90_puts_the_oldest_in_one_group(steps: tuple[Step, ...], passes: bool, tmp_path: Path) -> None:
    path = tmp_path / "ages.csv"
    path.write_text("age,disease\n" + "".join(f"{age},flu\n" for age in (34, 88, 90, 93, 101) * 5), encoding="utf-8")
    read = room_of("microdata").read("table", with_steps(Source(str(path)), steps), SILENT)
    columns = (ColumnSchema("age", ColumnType.INTEGER, role=Role.SA), ColumnSchema("disease", role=Role.QI))
    trees = {"disease": Hierarchy.from_nested({"*": ["flu"]})}
    project = Project("", read.source, Schema(columns), trees, (KAnonymity(2),), policies=(AGES,))
    project = replace(project, algorithm=hospital_project().algorithm)
    release = room_of("microdata").run(project, {"table": read.data}, SILENT)
    out = export(
        prepare_candidate(release, read.data, Safeguards(reason="The board has agreed.")), tmp_path / "out.csv"
    )
    assert told_in(out)["policies"][0]["passes"] is passes  # type: ignore[index]
    assert verify_release(out.path).holds


def test_report_and_certificate_tell_every_rule_and_what_nobody_looked_at(tmp_path: Path) -> None:
    out = exported(tmp_path, OURS)
    page = out.report.read_text(encoding="utf-8")
    for words in (
        "Policy: Ours",
        "the board",
        "No class smaller than 5",
        "what was agreed by word",
        "no program can see",
    ):
        assert words in page
    assert verify_release(out.path).holds


def test_the_three_questions_have_the_figures_of_the_file(tmp_path: Path) -> None:
    out = exported(tmp_path)
    rows = [line.split(",") for line in out.path.read_text(encoding="utf-8").splitlines()[1:]]
    told = {entry["name"]: entry["figures"] for entry in told_in(out)["questions"]}  # type: ignore[attr-defined]
    classes: dict[tuple[str, str], list[str]] = {}
    for age, area, disease, _ in rows:
        classes.setdefault((age, area), []).append(disease)
    assert told["singling-out"]["smallest_class"] == min(map(len, classes.values()))
    assert told["singling-out"]["alone_by_all_columns"] == sum(n == 1 for n in Counter(map(tuple, rows)).values())
    assert told["linkability"]["average_chance"] == pytest.approx(len(classes) / len(rows))
    largest = max(max(Counter(held).values()) / len(held) for held in classes.values())
    of_all = max(Counter(row[2] for row in rows).values()) / len(rows)
    assert told["inference"]["disease"] == {
        "fewest_values": min(len(set(held)) for held in classes.values()),
        "largest_share": pytest.approx(largest),
        "largest_share_of_all": pytest.approx(of_all),
    }
    assert "Can somebody still be singled out?" in out.report.read_text(encoding="utf-8")


def tampered(out: ExportResult, change: Callable[[dict[str, object]], None]) -> None:
    told = told_in(out)
    change(told)
    told["sha256"] = certificate_digest(told)
    out.certificate.write_text(json.dumps(told), encoding="utf-8")


def test_a_verdict_that_was_changed_is_found(tmp_path: Path) -> None:
    out = exported(tmp_path, RuleSet("Strict", (SmallestClass(50),)), reason="yes")

    def pass_it(told: dict[str, object]) -> None:
        told["policies"][0]["passes"] = True  # type: ignore[index]
        told["policies"][0]["found"][0]["holds"] = True  # type: ignore[index]

    tampered(out, pass_it)
    found = verify_release(out.path).differences
    assert "policies.0.passes is false, the certificate says true." in found
    assert "policies.0.found.0.holds is false, the certificate says true." in found


def test_a_figure_that_was_changed_is_found(tmp_path: Path) -> None:
    out = exported(tmp_path)

    def hide(told: dict[str, object]) -> None:
        told["questions"][0]["figures"]["alone_by_all_columns"] = 0  # type: ignore[index]

    tampered(out, hide)
    assert any("singling-out" in sentence for sentence in verify_release(out.path).differences)


def test_a_measurement_that_is_wrong_cannot_pass_a_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judged from the measured numbers it would pass; counted from the bytes it does not, and nothing is released."""
    seen: list[int] = []

    def lenient(rule: SmallestClass, shown: object) -> RuleResult:
        seen.append(1)
        return RuleResult(len(seen) == 1, message("The smallest class has {k:record|records}.", k=99))

    monkeypatch.setattr(SmallestClass, "judge", lenient)
    with pytest.raises(PromiseBroken, match="judged otherwise"):
        exported(tmp_path, OURS)
    assert list(tmp_path.iterdir()) == []


def test_wrong_figures_are_not_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = iter((0, 7, 7, 7))
    monkeypatch.setattr(policy_check, "alone_in_all_columns", lambda table: next(counts))
    with pytest.raises(PromiseBroken, match="singling-out"):
        exported(tmp_path)


def test_policies_are_kept_in_the_project() -> None:
    project = hospital_project(policies=(k_and_l(), OURS))
    again = project_from_entries(project_entries(project))
    assert again.policies == project.policies
    assert "policies" not in project_entries(hospital_project())


def test_a_policy_changes_neither_pseudonyms_nor_cells(tmp_path: Path) -> None:
    plain, judged = tmp_path / "plain", tmp_path / "judged"
    plain.mkdir()
    judged.mkdir()
    assert exported(plain).path.read_bytes() == exported(judged, OURS).path.read_bytes()


def test_a_column_that_is_left_out_is_not_judged() -> None:
    from anonymizer_gui.engine.core.progress import SILENT
    from anonymizer_gui.engine.rooms.microdata.policies.release_rules import NoneUndecided

    release, _ = hospital_release()
    policy = RuleSet("Roles", (NoneUndecided(),))
    published = release.project.publishing
    assert not policy_check.judge_run(release, (policy,), published, SILENT)[0][0].passes
    without = replace(published, left_out=("ward",))
    assert policy_check.judge_run(release, (policy,), without, SILENT)[0][0].passes
