"""Leaving, checks and what must be refused: broken code, changed files, values of identifiers elsewhere."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import PromiseBroken, UnwritableFile
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.trees import release_candidate
from anonymizer_gui.engine.rooms.trees import run as running
from anonymizer_gui.engine.rooms.trees.algorithms.clustree import FullKAnonymity, VertexDiversity
from anonymizer_gui.engine.rooms.trees.algorithms.contract import Algorithm, Outcome
from anonymizer_gui.engine.rooms.trees.algorithms.kmn_anonymity import KmnAnonymity
from anonymizer_gui.engine.rooms.trees.encoding import EncodedRecords, PathRole, codes_by_vertex
from anonymizer_gui.engine.rooms.trees.independent_check import IndependentCount
from anonymizer_gui.engine.rooms.trees.project import TABLE, numeric_parameters, sweep_parameter
from anonymizer_gui.engine.rooms.trees.published_records import RecordComparison
from anonymizer_gui.engine.rooms.trees.run import run
from tests.engine.rooms.trees.making import project_for, read, released, students, trees_of

XML = """<?xml version="1.0" encoding="ISO-8859-1"?>
<s:school xmlns:s="http://school" year="2024">
 <s:pupil sex="F"><name>Ä</name><course><title>Art</title><grade>1</grade></course></s:pupil>
 <s:pupil sex="F"><name>B</name><course><title>Art</title><grade>2</grade></course></s:pupil>
 <s:pupil sex="M"><name>C</name><course><title>Bio</title><grade>2</grade></course></s:pupil>
 <s:pupil sex="M"><name>D</name><course><title>Bio</title><grade>1</grade></course></s:pupil>
</s:school>
"""


def nothing_done(self: Any, held: EncodedRecords, progress: Any) -> Outcome:
    return Outcome(held.kept.copy(), tuple(codes_by_vertex(held)), np.zeros(len(held.trees), dtype=np.int64))


@pytest.mark.parametrize(
    ("algorithm", "title"),
    [(FullKAnonymity(k=3, l=1), "whole structure"), (KmnAnonymity(k=3, m=2, n=1), r"k\^\(m,n\)")],
    ids=["full", "few"],
)
def test_a_method_that_does_nothing_releases_nothing(
    algorithm: Algorithm, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(algorithm), "run", nothing_done)
    with pytest.raises(PromiseBroken, match=title):
        released(students(12), algorithm)


def test_code_that_forgets_diversity_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VertexDiversity, "holds_at", lambda self, vertices: True)
    with pytest.raises(PromiseBroken, match="l-diversity"):
        released(students(30), FullKAnonymity(k=2, l=2))


@pytest.mark.parametrize("missing", [None, "", " ", "(missing)"])
def test_code_that_takes_a_missing_value_for_another_one_releases_nothing(
    missing: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(VertexDiversity, "holds_at", lambda self, vertices: True)
    with pytest.raises(PromiseBroken, match="l-diversity"):
        released([{"a": "x", "secret": value} for value in ("flu", "flu", missing)], FullKAnonymity(k=3, l=2))
    released([{"a": "x", "secret": value} for value in ("flu", "cold", missing)], FullKAnonymity(k=3, l=2))


def test_code_that_forgets_to_cut_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from anonymizer_gui.engine.rooms.trees.algorithms.kmn_anonymity import Disassociation

    monkeypatch.setattr(Disassociation, "run", lambda self, progress: None)
    with pytest.raises(PromiseBroken, match=r"k\^\(m,n\)"):
        released(students(40), KmnAnonymity(k=4, m=2, n=1))


def test_a_file_that_holds_one_record_less_is_not_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = release_candidate.prepare_candidate(released(students(12), FullKAnonymity(k=3, l=1)), Safeguards(), SILENT)
    write = release_candidate.records_to_bytes
    monkeypatch.setattr(release_candidate, "records_to_bytes", lambda records, *more: write(records[:-1], *more))
    with pytest.raises(PromiseBroken, match="does not hold the release"):
        export(ready, tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()


def test_xml_leaves_as_it_came_and_verifies(tmp_path: Path) -> None:
    trees = read(tmp_path / "school.xml", XML.encode("iso-8859-1"))
    roles = dict.fromkeys(trees.names, PathRole.QUASI) | {
        "s:pupil/name": PathRole.IDENTIFIER,
        "s:pupil/course/grade": PathRole.SENSITIVE,
    }
    release = run(project_for(trees, FullKAnonymity(k=2, l=2), roles), {TABLE: trees})
    exported = export(release_candidate.prepare_candidate(release, Safeguards(), SILENT), tmp_path / "out.xml")
    text = exported.path.read_bytes()
    assert b'encoding="ISO-8859-1"' in text
    assert b'<s:school xmlns:s="http://school" year="2024">' in text
    assert text.count(b"<title>") == text.count(b'<s:pupil sex="') == 4
    assert b"<name>" not in text
    assert verify_release(exported.path).holds


@pytest.mark.parametrize("name", ["out.csv", "out.xml", "out"])
def test_records_leave_only_in_their_own_format(tmp_path: Path, name: str) -> None:
    ready = release_candidate.prepare_candidate(released(students(9), FullKAnonymity(k=3, l=1)), Safeguards(), SILENT)
    with pytest.raises(UnwritableFile, match="leave as they came") as caught:
        export(ready, tmp_path / name)
    assert ".json" in caught.value.hint


def test_the_order_of_the_source_is_not_the_order_of_the_release() -> None:
    values = students(30)
    one = release_candidate.prepare_candidate(released(values, FullKAnonymity(k=3, l=1)), Safeguards(), SILENT)
    other = release_candidate.prepare_candidate(released(values[::-1], FullKAnonymity(k=1, l=1)), Safeguards(), SILENT)
    straight = release_candidate.prepare_candidate(released(values, FullKAnonymity(k=1, l=1)), Safeguards(), SILENT)
    assert list(one.records) != list(one.release.published)
    assert straight.records == other.records


def test_the_value_of_an_identifier_in_another_label_is_found() -> None:
    values = [{"name": f"Zoe{at}", "a": "x", "note": f"zoe{at}"} for at in range(3)]
    roles = {"name": PathRole.IDENTIFIER, "a": PathRole.QUASI, "note": PathRole.SENSITIVE}
    release = released(values, FullKAnonymity(k=3, l=1), roles=roles)
    failed = [
        check.name
        for check in release_candidate.prepare_candidate(release, Safeguards(), SILENT).checks
        if not check.holds
    ]
    assert failed == ["identifiers", "sensitive"]


def test_a_public_label_that_points_to_one_person_is_found() -> None:
    values = [{"a": "x", "mail": f"p{at}@example.org"} for at in range(30)]
    release = released(values, FullKAnonymity(k=3, l=1), roles={"a": PathRole.QUASI, "mail": PathRole.PUBLIC})
    failed = [
        check for check in release_candidate.prepare_candidate(release, Safeguards(), SILENT).checks if not check.holds
    ]
    assert [(check.name, check.blocks) for check in failed] == [("public", True)]


def test_a_promise_that_is_worth_less_than_its_certificate_says_is_found(tmp_path: Path) -> None:
    exported = export(
        release_candidate.prepare_candidate(released(students(12), FullKAnonymity(k=3, l=1)), Safeguards(), SILENT),
        tmp_path / "out.json",
    )
    records = json.loads(exported.path.read_bytes())
    records[0]["gender"] = "?"
    exported.path.write_text(json.dumps(records), encoding="utf-8")
    assert "promises.full.value is 1, the certificate says 3." in verify_release(exported.path).differences


def test_a_record_is_told_line_by_line() -> None:
    values = [{"id": f"Z{at}", "a": "x", "b": at, "c": [{"d": "y"}] * (at % 2)} for at in range(2)]
    roles = {"id": PathRole.IDENTIFIER, "a": PathRole.QUASI, "b": PathRole.QUASI, "c[].d": PathRole.QUASI}
    lines = RecordComparison(released(values, FullKAnonymity(k=2, l=1), roles=roles)).lines(1)
    assert [(line.name, line.mark) for line in lines] == [
        ("", "same"),
        ("id", "removed"),
        ("a", "same"),
        ("b", "coarser"),
        ("c", "suppressed"),
        ("d", "suppressed"),
    ]


def test_every_number_of_a_method_can_be_swept() -> None:
    project = project_for(trees_of(students(9)), FullKAnonymity())
    varied = {param.name: (name, param) for name, param in numeric_parameters(project)}
    assert list(varied) == ["k", "l", "near"]
    assert [each.project.algorithm.k for each in sweep_parameter(project, varied["k"], (2, 3))] == [2, 3]


def test_a_file_of_another_kind_is_found_in_one_sentence(tmp_path: Path) -> None:
    ready = release_candidate.prepare_candidate(released(students(12), FullKAnonymity(k=3, l=1)), Safeguards(), SILENT)
    path = export(ready, tmp_path / "out.json").path
    path.write_text('[{"another": 1}]', encoding="utf-8")
    assert verify_release(path).differences == (
        "The file's checksum (SHA-256) is another one.",
        "The file does not hold the records the certificate speaks of.",
    )


@pytest.mark.parametrize("entry", ["suppressed", "lm"])
def test_with_the_inside_copy_the_losses_are_measured(tmp_path: Path, entry: str) -> None:
    ready = release_candidate.prepare_candidate(released(students(12), FullKAnonymity(k=3, l=1)), Safeguards(), SILENT)
    exported = export(ready, tmp_path / "out.json")
    assert "numbers" in verify_release(exported.path).measured
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    told["numbers"][entry] = 0.0005
    told["sha256"] = certificate_digest(told)
    exported.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert [each for each in verify_release(exported.path).differences if each.startswith(f"numbers.{entry} is")]


def test_a_loss_that_is_not_the_mean_of_its_paths_is_found_without_the_inside_copy(tmp_path: Path) -> None:
    ready = release_candidate.prepare_candidate(released(students(12), FullKAnonymity(k=3, l=1)), Safeguards(), SILENT)
    exported = export(ready, tmp_path / "out.json")
    exported.inside.unlink()
    assert verify_release(exported.path).holds
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    told["numbers"]["lm"] -= 0.01
    told["sha256"] = certificate_digest(told)
    exported.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert [each for each in verify_release(exported.path).differences if each.startswith("numbers.lm is")]


def test_a_promise_about_sensitive_paths_that_do_not_leave_is_none(tmp_path: Path) -> None:
    trees = trees_of([{"a": "x", "inner": {"secret": str(at)}} for at in range(4)])
    project = replace(project_for(trees, FullKAnonymity(k=2, l=2)), removed=("inner",))
    release = run(project, {TABLE: trees})
    assert [promise.name for promise in release.promises] == ["full"]
    exported = export(release_candidate.prepare_candidate(release, Safeguards(), SILENT), tmp_path / "out.json")
    assert verify_release(exported.path).holds


@pytest.mark.parametrize("method", [FullKAnonymity(k=3, l=1), KmnAnonymity(k=3, m=2, n=1), KmnAnonymity(k=3, m=3, n=1)])
def test_a_recount_that_finds_another_number_than_was_made_releases_nothing(
    monkeypatch: pytest.MonkeyPatch, method: Algorithm
) -> None:
    honest = running.count_independently

    def wrong(*args: Any) -> IndependentCount:
        found = honest(*args)
        assert found is not None
        few = 1 if isinstance(method, FullKAnonymity) else 1000
        return replace(found, promises=dict.fromkeys(found.promises, (few, True)))

    monkeypatch.setattr(running, "count_independently", wrong)
    with pytest.raises(PromiseBroken, match="contradicts"):
        released(students(18), method)


def test_no_path_below_a_record_may_pass_as_the_record(tmp_path: Path) -> None:
    """Where a vertex stands for the record, its labels have no relations: patterns of them would not be counted."""
    ready = release_candidate.prepare_candidate(
        released(students(12), KmnAnonymity(k=3, m=2, n=1)), Safeguards(), SILENT
    )
    exported = export(ready, tmp_path / "out.json")
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    told["written"]["spine"].append("courses[]")
    told["sha256"] = certificate_digest(told)
    exported.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert not verify_release(exported.path).holds
