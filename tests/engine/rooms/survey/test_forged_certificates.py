"""Certificates of collections that somebody made anew with this program, to promise more than was kept."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.releases.certificate import CERTIFICATE, certificate_digest
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import Verification, verify_release
from anonymizer_gui.engine.rooms.survey.collection import Question
from anonymizer_gui.engine.rooms.survey.independent.recount import chances_of, cost_of
from anonymizer_gui.engine.rooms.survey.project import TABLE, Project
from anonymizer_gui.engine.rooms.survey.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.rooms.survey.run import run

COLOURS = ("red", "green", "blue", "none")
COUNTING = ("grr", "oue", "sue", "olh")
WAYS = (("out.csv", True), ("out.csv", False), ("out.json", False))


def leaving(protocol: str = "oue", *, sharing: Any = "split", with_reports: bool = False) -> ReleaseCandidate:
    """Give a collection of three questions that is about to leave."""
    questions = (
        Question("colour", values=COLOURS, protocol=protocol),
        Question("age", low=0.0, high=100.0, protocol="piecewise"),
        Question("size", low=0.0, high=2.0, bins=4, protocol="grr"),
    )
    project = Project(
        name="s", questions=questions, epsilon=Fraction(6), sharing=sharing, with_reports=with_reports, title="Hues"
    )
    rows = [[COLOURS[at % 3], str(20 + at % 50), str(at % 20 / 10)] for at in range(600)]
    return ReleaseCandidate(run(project, {TABLE: Table.from_rows(("colour", "age", "size"), rows)}), Safeguards())


def sealed(path: Path, told: dict[str, Any]) -> Verification | None:
    """Seal a certificate and verify; nothing where it is refused with one sentence."""
    certificate = path.with_name(path.name + CERTIFICATE)
    certificate.write_text(json.dumps(told | {"sha256": certificate_digest(told)}), encoding="utf-8")
    try:
        return verify_release(path)
    except AnonymizerError:
        return None


def written(path: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(path.with_name(path.name + CERTIFICATE).read_text(encoding="utf-8"))
    return told


@pytest.mark.parametrize("protocol", COUNTING)
@pytest.mark.parametrize(("name", "with_reports"), WAYS)
@pytest.mark.parametrize("sharing", ["split", "one"])
def test_what_is_published_is_measured_again(
    protocol: str, name: str, with_reports: bool, sharing: str, tmp_path: Path
) -> None:
    path = export(leaving(protocol, sharing=sharing, with_reports=with_reports), tmp_path / name).path
    result = sealed(path, written(path))
    assert result is not None
    assert result.differences == ()
    assert {"promises", "numbers", "proof", "results", "notes"} <= set(result.measured)
    assert ("survey" in result.measured) == (name == "out.json" or with_reports)
    assert {"survey.title", "survey.sharing", "survey.questions.age.low"} <= set(result.not_measured) or (
        "survey" in result.measured
    )


@pytest.mark.parametrize("protocol", COUNTING)
@pytest.mark.parametrize(("name", "with_reports"), WAYS)
@pytest.mark.parametrize("keeps_results", [True, False])
def test_a_smaller_epsilon_with_all_that_follows_from_it_is_found(
    protocol: str, name: str, with_reports: bool, keeps_results: bool, tmp_path: Path
) -> None:
    """The forger lets this program write the certificate of the same reports with a smaller epsilon."""
    ready = leaving(protocol, with_reports=with_reports)
    path = export(ready, tmp_path / name).path
    weaker = replace(ready.release, collection=replace(ready.release.collection, epsilon=Fraction(1, 10)))
    other = ReleaseCandidate(weaker, Safeguards())
    honest = written(path)
    forged = honest | other.told(path) | {"numbers": dict(other.numbers)}
    forged["promises"] = [promise.to_json() for promise in other.promises]
    forged["checks"] = [check.to_json() for check in other.checks]
    if keeps_results:
        forged["results"] = honest["results"]
    result = sealed(path, forged)
    assert result is None or not result.holds


@pytest.mark.parametrize(("name", "with_reports"), WAYS[::2])
def test_a_report_that_answered_all_is_not_said_to_have_answered_one(
    name: str, with_reports: bool, tmp_path: Path
) -> None:
    """Answering one question of three would cost a third of epsilon, with the same chances."""
    ready = leaving(with_reports=with_reports)
    path = export(ready, tmp_path / name).path
    cheaper = replace(ready.release.collection, epsilon=Fraction(2), sharing="one")
    other = ReleaseCandidate(replace(ready.release, collection=cheaper, n=1800), Safeguards())
    forged = written(path) | other.told(path) | {"numbers": dict(other.numbers)}
    forged["promises"] = [promise.to_json() for promise in other.promises]
    forged["checks"] = [check.to_json() for check in other.checks]
    assert forged["promises"][0]["holds"]
    result = sealed(path, forged)
    assert result is not None
    assert "The certificate describes another survey than the published files name." in result.differences


def test_reports_that_lie_beside_are_counted_although_the_certificate_hides_them(tmp_path: Path) -> None:
    path = export(leaving(with_reports=True), tmp_path / "out.csv").path
    told = written(path)
    result = sealed(path, told | {"release": told["release"] | {"others": {}}})
    assert result is not None
    assert "“out.reports.jsonl” does not belong to this release." in result.differences


def test_support_counted_in_the_reports_outweighs_file_and_certificate(tmp_path: Path) -> None:
    """File and certificate are changed alike, with estimates that follow: only the reports know better."""
    ready = leaving("grr", with_reports=True)
    path = export(ready, tmp_path / "out.csv").path
    reports = tmp_path / "out.reports.jsonl"
    lines = reports.read_text(encoding="utf-8").splitlines()
    report = json.loads(lines[1])
    report["answers"]["colour"] = str((int(report["answers"]["colour"]) + 1) % 4)
    reports.write_text("\n".join([lines[0], json.dumps(report), *lines[2:]]) + "\n", encoding="utf-8")
    result = sealed(path, written(path))
    assert result is not None
    assert any(each.startswith("results.0.support.") for each in result.differences)


def test_a_report_of_another_length_is_found(tmp_path: Path) -> None:
    path = export(leaving(sharing="one", with_reports=True), tmp_path / "out.csv").path
    reports = tmp_path / "out.reports.jsonl"
    lines = reports.read_text(encoding="utf-8").splitlines()
    report = json.loads(lines[1])
    report["answers"]["more"] = "1"
    reports.write_text("\n".join([lines[0], json.dumps(report), *lines[2:]]) + "\n", encoding="utf-8")
    result = sealed(path, written(path))
    assert result is not None
    assert "A report does not answer what was asked." in result.differences


def test_unary_reports_are_not_said_to_be_single_answers(tmp_path: Path) -> None:
    """Reports of single answers support as many values as there are reports; simple RAPPOR would cost twice as much."""
    project = Project(name="s", questions=(Question("a", values=("x", "y"), protocol="sue"),), epsilon=Fraction(2))
    table = Table.from_rows(("a",), [["x" if at % 3 else "y"] for at in range(500)])
    ready = ReleaseCandidate(run(project, {TABLE: table}), Safeguards())
    path = export(ready, tmp_path / "out.csv").path
    release = ready.release
    single = replace(
        release.collection, epsilon=Fraction(1), questions=(replace(release.collection.questions[0], protocol="grr"),)
    )
    results = tuple(replace(each, question=single.questions[0]) for each in release.results)
    other = ReleaseCandidate(replace(release, collection=single, results=results), Safeguards())
    forged = written(path) | other.told(path) | {"numbers": dict(other.numbers)}
    forged["promises"] = [promise.to_json() for promise in other.promises]
    forged["checks"] = [check.to_json() for check in other.checks]
    result = sealed(path, forged)
    supported = sum(cell.support for cell in release.results[0].cells)
    assert result is not None
    assert ("The estimates of “a” are not those of its counts." in result.differences) == (supported != release.n)


@pytest.mark.parametrize("epsilon", ["0.001", "0.3", "1", "2.5", "16"])
@pytest.mark.parametrize("size", [2, 7, 300])
def test_chances_follow_from_the_protocol_and_epsilon(epsilon: str, size: int) -> None:
    share = Fraction(epsilon)
    for name in COUNTING:
        values = tuple(map(str, range(size)))
        made = Question("a", values=values, protocol=name).made(share)
        assert chances_of(name, size, share) == dict(made.chances())
        assert cost_of(made.ratio()) == pytest.approx(made.cost())
    for name in ("duchi", "piecewise"):
        made_number = Question("a", low=0.0, high=1.0, protocol=name).made(share)
        assert chances_of(name, 0, share) == dict(made_number.chances())
    for name in ("rr", "rr-alpha", "rr-coins")[: 3 if share > 2 else 2]:
        two = Question("a", values=("x", "y"), protocol=name).made(share)
        assert chances_of(name, 2, share) == dict(two.chances())
