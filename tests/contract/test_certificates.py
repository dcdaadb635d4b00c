"""Certificates forged by somebody who has every published file and this program, but no key: what `verify` sees.

Every entry is changed, taken out, and the certificate sealed again; what is not found must be listed as not measured,
with the reason in `tests/contract/rooms/<room>.py`.
"""

import ast
import importlib
import json
import math
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.cli import main
from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.files.keys import make_key
from anonymizer_gui.engine.progress import SILENT
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.releases.certificate import CERTIFICATE, certificate_digest
from anonymizer_gui.engine.releases.entry_comparison import leaves, name_of
from anonymizer_gui.engine.releases.verify import Verification, verify
from anonymizer_gui.engine.room import room_names, room_of
from tests.contract.room_samples import Place, entry_at, sample_of, with_entry

COMMON = {
    "release.file": "a file may be renamed",
    "release.created": "a time cannot be read off the bytes",
    "program": "versions cannot be read off the bytes",
    "inside": "the inside copy is not published",
    "override.reason": "a person's words",
}
"""Entries no room can measure."""
INDEPENDENT = ("independent", "recount", "audit")
ALLOWED_IMPORTS = ("errors", "progress", "words", "messages")


@dataclass(frozen=True)
class Published:
    """A release as a recipient has it: the published files, without the inside copy."""

    room: str
    path: Path
    told: dict[str, Any]
    allowed: dict[str, str]
    forged: dict[str, dict[str, Any]]

    @property
    def certificate(self) -> Path:
        """The file of the certificate."""
        return self.path.with_name(self.path.name + CERTIFICATE)

    def sealed(self, told: dict[str, Any]) -> Verification | None:
        """Seal a certificate again and verify; nothing where it is refused with one sentence."""
        self.certificate.write_text(json.dumps(told | {"sha256": certificate_digest(told)}), encoding="utf-8")
        try:
            return verify(self.path)
        except AnonymizerError:
            return None


@pytest.fixture(scope="module", params=room_names())
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """Export the sample of a room."""
    folder = tmp_path_factory.mktemp(request.param)
    sample = sample_of(request.param, folder)
    module = importlib.import_module(f"tests.contract.rooms.{request.param}")
    save_project(sample.project, folder / "sample.anon")
    make_key(folder / "key")
    (folder / "out").mkdir()
    opened = anonymizer.open(folder / "sample.anon")
    release = anonymizer.run(opened)
    exported = anonymizer.export(
        opened, release, folder / "out" / sample.output, key=folder / "key", ledger=folder / "ledger.sqlite"
    )
    exported.inside.unlink()
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    return Published(request.param, exported.path, told, COMMON | module.NOT_MEASURED, module.FORGED)


def _is_allowed(name: str, allowed: dict[str, str]) -> bool:
    parts = name.split(".")
    return any(
        len(wanted) <= len(parts) and all(w in ("*", p) for w, p in zip(wanted, parts, strict=False))
        for wanted in (each.split(".") for each in allowed)
    )


def _is_named(name: str, listed: Any) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in listed)


def test_an_untouched_certificate_holds_and_lists_only_what_is_allowed(published: Published) -> None:
    result = published.sealed(published.told)
    assert result is not None
    assert result.differences == ()
    assert [name for name in result.not_measured if not _is_allowed(name, published.allowed)] == []
    assert all(result.not_measured.values())
    assert _is_named("promises", result.measured)
    assert any(_is_named(f"numbers.{name}", result.measured) for name in published.told["numbers"])


def test_the_room_composes_every_promise_anew(published: Published) -> None:
    findings = room_of(published.room).verify(published.path, {**published.told, "inside": None}, SILENT)
    assert [promise["name"] for promise in findings.expected["promises"]] == [
        promise["name"] for promise in published.told["promises"]
    ]
    assert {name for promise in findings.expected["promises"] for name in promise} >= {"value", "holds", "sentence"}


def _changes(value: Any) -> Iterator[Any]:
    """Give other values of the same type."""
    if isinstance(value, bool):
        yield not value
    elif value is None:
        yield 1
    elif isinstance(value, int):
        yield value + 1
        yield value * 100 + 7
    elif isinstance(value, float):
        yield value + 1
        yield math.nextafter(value, 2) * 1.01 + 0.004
    else:
        yield f"{value}x" if isinstance(value, str) else [*value, "x"] if isinstance(value, list) else {"x": 1}


def test_every_entry_changed_and_sealed_again_is_found_or_named(published: Published) -> None:
    honest = published.sealed(published.told)
    assert honest is not None
    unseen = []
    for place in leaves(published.told):
        name = name_of(published.told, place)
        if name == "sha256":
            continue
        for value in _changes(entry_at(published.told, place)):
            result = published.sealed(with_entry(published.told, place, _set_to(value)))
            if result is not None and result.holds and not _is_listed(name, published, honest, result):
                unseen.append((name, value))
    assert unseen == []


def _is_listed(name: str, published: Published, honest: Verification, result: Verification) -> bool:
    """Tell whether an entry is listed as not measured, and allowed to be; a changed version lists all wording."""
    listed = _is_named(name, {**honest.not_measured, **result.not_measured})
    return listed and _is_allowed(name, published.allowed)


def test_every_entry_taken_out_is_found_or_named(published: Published) -> None:
    honest = published.sealed(published.told)
    assert honest is not None
    unseen = []
    for place in leaves(published.told):
        name = name_of(published.told, place)
        if name == "sha256" or isinstance(place[-1], int):
            continue
        result = published.sealed(with_entry(published.told, place, _removed))
        if result is not None and result.holds and not _is_listed(name, published, honest, result):
            unseen.append(name)
    assert unseen == []


@pytest.mark.parametrize("entry", ["promises", "checks", "numbers"])
def test_an_added_entry_is_found(published: Published, entry: str) -> None:
    told = published.told[entry]
    more = [*told, told[0]] if isinstance(told, list) else told | {"invented": 1}
    result = published.sealed(published.told | {entry: more})
    assert result is None or not result.holds
    result = published.sealed(published.told | {"invented": {"of": "another room"}})
    assert result is None


def test_a_dropped_promise_is_found(published: Published) -> None:
    for at in range(len(published.told["promises"])):
        rest = [promise for place, promise in enumerate(published.told["promises"]) if place != at]
        result = published.sealed(published.told | {"promises": rest})
        assert result is None or not result.holds


def test_a_stronger_promise_told_everywhere_alike_is_found(published: Published) -> None:
    """The forger changes the parameter wherever it is named, and every sentence about it."""
    assert set(published.forged) == {promise["name"] for promise in published.told["promises"]}
    for promise, parameters in published.forged.items():
        told = next(each for each in published.told["promises"] if each["name"] == promise)
        for name, value in parameters.items():
            forged = _everywhere(published.told, name, told["parameters"][name], value)
            result = published.sealed(forged)
            assert result is None or not result.holds, (promise, name, value)


def _everywhere(entry: Any, name: str, old: Any, new: Any) -> Any:
    """Change a parameter wherever an entry of its name has its value, and its figure in every text."""
    if isinstance(entry, dict):
        return {
            key: new if key == name and inner == old else _everywhere(inner, name, old, new)
            for key, inner in entry.items()
        }
    if isinstance(entry, list):
        return [_everywhere(inner, name, old, new) for inner in entry]
    if isinstance(entry, str) and " " in entry:
        return " ".join(f"{new:g}" if word.strip(".,;:") == f"{old:g}" else word for word in entry.split(" "))
    return entry


def _set_to(value: Any) -> Callable[[Any, Any], None]:
    def change(holder: Any, name: Any) -> None:
        holder[name] = value

    return change


def _removed(holder: Any, name: Any) -> None:
    del holder[name]


def _with_first_number(told: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    place: Place = next(
        each
        for each in leaves(told)
        if each[0] == "numbers" and isinstance(entry_at(told, each), int | float) and entry_at(told, each) is not True
    )
    return with_entry(told, place, _set_to(change(entry_at(told, place))))


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
            if _is_allowed(f"checks.{check['name']}", published.allowed)
        ),
        None,
    )
    if at is None:  # every check is run again: one that is said to have failed is a difference
        result = published.sealed(with_entry(published.told, ("checks", 0, "holds"), _set_to(False)))
        assert result is None or not result.holds
        return
    check = published.told["checks"][at] | {"holds": False}
    failed = [f"{check['title']}: {check['sentence']}"] if check["blocks"] else []
    told = with_entry(published.told, ("checks", at), _set_to(check))
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


def test_a_room_has_an_independent_half_that_shares_no_formula(published: Published) -> None:
    package = importlib.import_module(f"anonymizer_gui.engine.rooms.{published.room}")
    folder = Path(next(iter(package.__path__)))
    halves = [folder / name for name in INDEPENDENT if (folder / name).is_dir()]
    assert len(halves) == 1
    imported = {
        (path.name, module)
        for path in halves[0].rglob("*.py")
        for module in _imports(path)
        if module.startswith("anonymizer_gui.")
    }
    own = f"anonymizer_gui.engine.rooms.{published.room}.{halves[0].name}"
    allowed = (own, *(f"anonymizer_gui.engine.{name}" for name in ALLOWED_IMPORTS))
    assert [each for each in imported if not each[1].startswith(allowed)] == []


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
