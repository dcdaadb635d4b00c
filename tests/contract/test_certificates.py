"""Certificates forged by somebody who has every published file and this program, but no key: what `verify` sees.

Every entry is changed, taken out, and the certificate sealed again; what is not found must be listed as not measured,
with the reason in `tests/contract/rooms/<room>.py`.
"""

import importlib
import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.entry_comparison import leaves
from anonymizer_gui.engine.room import room_names, room_of
from tests.contract.forged_certificates import (
    Published,
    is_allowed,
    is_named,
    publish,
    set_to,
    unseen_changes,
    unseen_drops,
    unseen_forgeries,
    unseen_removals,
)
from tests.contract.room_samples import Place, entry_at, sample_of, with_entry


@pytest.fixture(scope="module", params=room_names())
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """Export the sample of a room."""
    folder = tmp_path_factory.mktemp(request.param)
    sample = sample_of(request.param, folder)
    module = importlib.import_module(f"tests.contract.rooms.{request.param}")
    return publish(sample.project, sample.output, folder, module.NOT_MEASURED, module.FORGED)


def test_an_untouched_certificate_holds_and_lists_only_whatis_allowed(published: Published) -> None:
    result = published.sealed(published.told)
    assert result is not None
    assert result.differences == ()
    assert [name for name in result.not_measured if not is_allowed(name, published.allowed)] == []
    assert all(result.not_measured.values())
    assert is_named("promises", result.measured)
    assert any(is_named(f"numbers.{name}", result.measured) for name in published.told["numbers"])


def test_the_room_composes_every_promise_anew(published: Published) -> None:
    findings = room_of(published.room).verify(published.path, {**published.told, "inside": None}, SILENT)
    assert [promise["name"] for promise in findings.expected["promises"]] == [
        promise["name"] for promise in published.told["promises"]
    ]
    assert {name for promise in findings.expected["promises"] for name in promise} >= {"value", "holds", "sentence"}


def test_every_entry_changed_and_sealed_again_is_found_or_named(published: Published) -> None:
    assert unseen_changes(published) == []


def test_every_entry_taken_out_is_found_or_named(published: Published) -> None:
    assert unseen_removals(published) == []


@pytest.mark.parametrize("entry", ["promises", "checks", "numbers"])
def test_an_added_entry_is_found(published: Published, entry: str) -> None:
    told = published.told[entry]
    more = [*told, told[0]] if isinstance(told, list) else told | {"invented": 1}
    result = published.sealed(published.told | {entry: more})
    assert result is None or not result.holds
    result = published.sealed(published.told | {"invented": {"of": "another room"}})
    assert result is None


def test_a_dropped_promise_is_found(published: Published) -> None:
    assert unseen_drops(published) == []


def test_a_stronger_promise_told_everywhere_alike_is_found(published: Published) -> None:
    """The forger changes the parameter wherever it is named, and every sentence about it."""
    assert set(published.forged) == {promise["name"] for promise in published.told["promises"]}
    assert unseen_forgeries(published) == []


def _with_first_number(told: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    place: Place = next(
        each
        for each in leaves(told)
        if each[0] == "numbers" and isinstance(entry_at(told, each), int | float) and entry_at(told, each) is not True
    )
    return with_entry(told, place, set_to(change(entry_at(told, place))))


@pytest.mark.parametrize("kind", ["cut", "version", "another room", "text", "nan"])
def test_a_bad_certificate_is_refused_with_one_sentence(
    published: Published, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    shutil.copytree(published.path.parent, folder)
    told = dict(published.told)
    other = next(name for name in room_names() if name != published.room)
    if kind == "version":
        told["version"] = 99
    elif kind == "another room":
        told["room"] = other
    elif kind == "text":
        told = _with_first_number(told, str)
    elif kind == "nan":
        told = _with_first_number(told, lambda _: math.nan)
    text = json.dumps(told | {"sha256": certificate_digest(told)})
    certificate = folder / published.certificate.name
    certificate.write_text(text[: len(text) // 2] if kind == "cut" else text, encoding="utf-8")
    assert main(["verify", str(folder / published.path.name)]) == 2
    out, err = capsys.readouterr()
    assert "is what its certificate says" not in out
    assert "Traceback" not in err
    assert err.strip()


def test_failed_checks_are_in_the_first_sentence(
    published: Published, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A check that had failed and was overridden with a reason: exit code 0, and `exceptions` in the JSON."""
    folder = tmp_path / "out"
    shutil.copytree(published.path.parent, folder)
    at = next(
        (
            place
            for place, check in enumerate(published.told["checks"])
            if is_allowed(f"checks.{check['name']}", published.allowed)
        ),
        None,
    )
    if at is None:  # every check is run again: one that is said to have failed is a difference
        result = published.sealed(with_entry(published.told, ("checks", 0, "holds"), set_to(False)))
        assert result is None or not result.holds
        return
    check = published.told["checks"][at] | {"holds": False}
    failed = [f"{check['title']}: {check['sentence']}"] if check["blocks"] else []
    told = with_entry(published.told, ("checks", at), set_to(check))
    told["override"] = {"reason": "asked for by the board", "failed": failed} if failed else None
    (folder / published.certificate.name).write_text(
        json.dumps(told | {"sha256": certificate_digest(told)}), encoding="utf-8"
    )
    path = str(folder / published.path.name)
    assert main(["verify", path]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert check["title"] in first
    assert main(["verify", path, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["holds"] is True
    assert any(check["title"] in each for each in printed["exceptions"])
    assert printed["measured"]
    assert printed["not_measured"]
