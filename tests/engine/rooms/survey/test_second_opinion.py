"""A collection leaves only when other code finds the same proof, the same counts and the same numbers."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local import estimation
from anonymizer_gui.engine.dp.local.protocols.local_hashing import LocalHashing
from anonymizer_gui.engine.dp.local.protocols.randomised_response import GeneralisedResponse
from anonymizer_gui.engine.dp.local.protocols.unary_encoding import OptimisedUnary
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import NotReady, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.survey.collection import Question
from anonymizer_gui.engine.rooms.survey.project import TABLE, Project
from anonymizer_gui.engine.rooms.survey.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.rooms.survey.run import run

COLOURS = ("red", "green", "blue", "none")


def leaving(protocol: str = "grr", number: str = "piecewise", **changes: Any) -> ReleaseCandidate:
    """Give a collection of two questions that is about to leave, its reports staying behind."""
    questions = (
        Question("colour", values=COLOURS, protocol=protocol),
        Question("age", low=0.0, high=100.0, protocol=number),
    )
    project = Project(name="s", questions=questions, epsilon=Fraction(2), **changes)
    table = Table.from_rows(("colour", "age"), [[COLOURS[at % 4 % 3], str(20 + at % 50)] for at in range(400)])
    return ReleaseCandidate(run(project, {TABLE: table}), Safeguards())


@pytest.mark.parametrize("protocol", ["grr", "oue", "sue", "olh"])
@pytest.mark.parametrize("number", ["duchi", "piecewise"])
@pytest.mark.parametrize("sharing", ["split", "one"])
def test_what_other_code_finds_the_same_leaves_and_verifies(
    protocol: str, number: str, sharing: str, tmp_path: Path
) -> None:
    ready = leaving(protocol, number, sharing=sharing, with_reports=True)
    assert verify_release(export(ready, tmp_path / "out.csv").path).holds


def test_chances_that_cost_more_than_the_protocol_says_release_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = GeneralisedResponse(4, Fraction(1)).matrix()
    monkeypatch.setattr(GeneralisedResponse, "p", Fraction(9, 16))
    monkeypatch.setattr(GeneralisedResponse, "matrix", lambda self: honest)
    ready = leaving()
    assert ready.release.collection.is_proven
    assert not ready.promises[0].holds
    with pytest.raises(NotReady):
        export(ready, tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("sharing", ["split", "one"])
def test_a_smaller_epsilon_than_the_chances_cost_is_found(sharing: str, tmp_path: Path) -> None:
    out = export(leaving(sharing=sharing), tmp_path / "out.csv")
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    told["survey"]["epsilon"] = str(Fraction(told["survey"]["epsilon"]) * Fraction(99, 100))
    out.certificate.write_text(json.dumps({**told, "sha256": certificate_digest(told)}), encoding="utf-8")
    assert any("cost more than epsilon" in difference for difference in verify_release(out.path).differences)


def test_a_table_that_somebody_holds_is_not_called_secret(tmp_path: Path) -> None:
    """Only where respondents change their answers themselves does nobody know them."""
    ready = leaving()
    assert "whoever collects" not in str(ready.promises[0].stops)
    assert "The true answers were in a table" in str(ready.promises[0].leaves_open)
    export(ready, tmp_path / "out.csv")
    report = (tmp_path / "out.csv.report.html").read_text(encoding="utf-8")
    assert "Whoever holds the table knows the answers" in report
    assert "Nobody told what is true of them" not in report
    sent = replace(ready.release, is_perturbed_here=False)
    assert "whoever collects" in str(sent.promises[0].stops)
    assert "in a table" not in str(sent.promises[0].leaves_open)
    export(ReleaseCandidate(sent, Safeguards()), tmp_path / "sent.csv")
    assert "Nobody told what is true of them" in (tmp_path / "sent.csv.report.html").read_text(encoding="utf-8")


def doubled(*args: Any) -> estimation.CountEstimate:
    found = estimation.CountEstimate(*_counts(*args))
    return replace(found, estimates=2 * found.estimates)


def _counts(protocol: Any, support: Any, n: int) -> tuple[Any, ...]:
    p, q = float(protocol.p), float(protocol.q)
    spread = np.sqrt(np.full(len(support), n * q * (1 - q))) / (p - q)
    return n, support, (support - n * q) / (p - q), spread, float(spread[0])


def lifted(estimates: np.ndarray[Any, Any], n: int) -> np.ndarray[Any, Any]:
    return np.maximum(estimates, 0.0) + 1.0


def too_sure(*args: Any) -> estimation.MeanEstimate:
    return replace(_MEAN(*args), sd=0.01)


_MEAN = estimation.estimate_mean


@pytest.mark.parametrize(
    ("name", "broken"),
    [("estimate_from_support", doubled), ("project_to_counts", lifted)],
    ids=["estimates", "consistent"],
)
def test_numbers_that_the_counts_do_not_give_release_nothing(
    name: str, broken: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimation, name, broken)
    ready = leaving()
    with pytest.raises(PromiseBroken, match="Counted again: The estimates of “colour”"):
        export(ready, tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_a_mean_that_is_surer_than_its_reports_releases_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anonymizer_gui.engine.rooms.survey.estimates.estimate_mean", too_sure)
    with pytest.raises(PromiseBroken, match="The reports do not support “age”"):
        export(leaving(), tmp_path / "out.csv")


@pytest.mark.parametrize(("kind", "protocol"), [(OptimisedUnary, "oue"), (LocalHashing, "olh")])
def test_reports_that_are_counted_wrongly_release_nothing(
    kind: type, protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = kind.support  # type: ignore[attr-defined]
    monkeypatch.setattr(kind, "support", lambda self, reports: count(self, reports) + np.array([1, 0, 0, -1]))
    with pytest.raises(PromiseBroken, match="The reports do not support “colour”"):
        export(leaving(protocol), tmp_path / "out.json")
