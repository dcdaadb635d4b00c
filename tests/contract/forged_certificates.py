"""Certificates forged by somebody who has every published file and this program, but no key, entry by entry."""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.releases.certificate import CERTIFICATE, certificate_digest
from anonymizer_gui.engine.releases.entry_comparison import leaves, name_of
from anonymizer_gui.engine.releases.verification import Verification, verify_release
from anonymizer_gui.engine.storage.keys import make_key
from tests.contract.room_samples import entry_at, with_entry

COMMON = {
    "release.file": "a file may be renamed",
    "release.created": "a time cannot be read off the bytes",
    "program": "versions cannot be read off the bytes",
    "inside": "the inside copy is not published",
    "override.reason": "a person's words",
}
"""Entries no room can measure."""


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
            return verify_release(self.path)
        except AnonymizerError:
            return None


def publish(
    project: Any, output: str, folder: Path, allowed: dict[str, str], forged: dict[str, dict[str, Any]]
) -> Published:
    """Export a project whose files lie in a folder, as it is published: without the inside copy."""
    save_project(project, folder / "sample.anon")
    make_key(folder / "key")
    (folder / "out").mkdir()
    opened = anonymizer.open(folder / "sample.anon")
    release = anonymizer.run(opened)
    exported = anonymizer.export(
        opened, release, folder / "out" / output, key=folder / "key", ledger=folder / "ledger.sqlite"
    )
    exported.inside.unlink()
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    return Published(project.room, exported.path, told, COMMON | allowed, forged)


def is_allowed(name: str, allowed: dict[str, str]) -> bool:
    """Tell whether an entry may be listed as not measured."""
    parts = name.split(".")
    return any(
        len(wanted) <= len(parts) and all(w in ("*", p) for w, p in zip(wanted, parts, strict=False))
        for wanted in (each.split(".") for each in allowed)
    )


def is_named(name: str, listed: Any) -> bool:
    """Tell whether an entry, or one around it, is listed."""
    return any(name == each or name.startswith(f"{each}.") for each in listed)


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


def unseen_changes(published: Published) -> list[tuple[str, Any]]:
    """Change every entry and seal the certificate again; give what is neither found nor rightly named."""
    honest = published.sealed(published.told)
    assert honest is not None
    unseen = []
    for place in leaves(published.told):
        name = name_of(published.told, place)
        if name == "sha256":
            continue
        for value in _changes(entry_at(published.told, place)):
            result = published.sealed(with_entry(published.told, place, set_to(value)))
            if result is not None and result.holds and not _is_listed(name, published, honest, result):
                unseen.append((name, value))
    return unseen


def unseen_removals(published: Published) -> list[str]:
    """Take every entry out and seal the certificate again; give what is neither found nor rightly named."""
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
    return unseen


def _is_listed(name: str, published: Published, honest: Verification, result: Verification) -> bool:
    """Tell whether an entry is listed as not measured, and allowed to be; a changed version lists all wording."""
    listed = is_named(name, {**honest.not_measured, **result.not_measured})
    return listed and is_allowed(name, published.allowed)


def unseen_drops(published: Published) -> list[str]:
    """Drop every promise; give those that are not missed."""
    unseen = []
    for at, dropped in enumerate(published.told["promises"]):
        rest = [promise for place, promise in enumerate(published.told["promises"]) if place != at]
        result = published.sealed(published.told | {"promises": rest})
        if result is not None and result.holds:
            unseen.append(dropped["name"])
    return unseen


def unseen_forgeries(published: Published) -> list[tuple[str, str, Any]]:
    """Promise more, everywhere alike; give what is believed."""
    unseen = []
    for promise, parameters in published.forged.items():
        told = next(each for each in published.told["promises"] if each["name"] == promise)
        for name, value in parameters.items():
            result = published.sealed(_everywhere(published.told, name, told["parameters"][name], value))
            if result is not None and result.holds:
                unseen.append((promise, name, value))
    return unseen


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


def set_to(value: Any) -> Callable[[Any, Any], None]:
    """Give what sets an entry to a value."""

    def change(holder: Any, name: Any) -> None:
        holder[name] = value

    return change


def _removed(holder: Any, name: Any) -> None:
    del holder[name]
