"""Certificates of both models and all formats of released records, forged entry by entry."""

import json
from pathlib import Path
from typing import Any

import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.trees.algorithms.clustree import FullKAnonymity
from anonymizer_gui.engine.rooms.trees.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.trees.algorithms.kmn_anonymity import KmnAnonymity
from anonymizer_gui.engine.rooms.trees.encoding import PathRole
from anonymizer_gui.engine.rooms.trees.project import TABLE, PathSchema, Project
from anonymizer_gui.engine.storage.sources import Source
from tests.contract.forged_certificates import (
    Published,
    publish,
    unseen_changes,
    unseen_drops,
    unseen_forgeries,
    unseen_removals,
)
from tests.engine.rooms.trees.making import students

ALLOWED = {
    "source": "a name",
    "notes": "they are about the source",
    "recipe.parameters.near": "how long the method searched is not in the file",
    "recipe.parameters.delete": "deleted labels are not in the file",
    "recipe.seed": "the order of the records tells it only to whoever knows the order before",
    "numbers.suppressed": "suppressed vertices are not in the file",
    "numbers.lm": "the labels before are not published",
    "numbers.lm_by_path": "the labels before are not published",
    "written.known": "roles are decided",
    "written.sensitive": "roles are decided",
    "checks.identifiers": "identifiers are not published",
    "checks.public": "it was about the labels of the source",
    "checks.meetings": "the ledger is not published",
}
NOTHING_ABOUT_L = {"recipe.parameters.l": "no promise is about it"}
KINDS: dict[str, tuple[str, Algorithm, dict[str, dict[str, Any]], dict[str, str]]] = {
    "full": ("out.json", FullKAnonymity(k=3, l=2), {"full": {"k": 1000}, "l": {"l": 50}}, {}),
    "full without l": ("out.jsonl", FullKAnonymity(k=3, l=1), {"full": {"k": 1000}}, NOTHING_ABOUT_L),
    "few": ("out.json", KmnAnonymity(k=4, m=2, n=1), {"few": {"k": 1000, "m": 3}}, NOTHING_ABOUT_L),
    "few and l": (
        "out.json",
        KmnAnonymity(k=4, m=2, n=1, l=2),
        {"few": {"k": 1000, "m": 3}, "few_l": {"l": 5, "m": 3}},
        {},
    ),
    "XML": ("out.xml", FullKAnonymity(k=2, l=2), {"full": {"k": 1000}, "l": {"l": 50}}, {}),
}
XML = """<?xml version="1.0" encoding="ISO-8859-1"?>
<s:school xmlns:s="http://school" year="2024">
{pupils}
</s:school>
"""
PUPIL = """ <s:pupil sex="{sex}"><course><title>{title}</title><grade>{grade}</grade></course></s:pupil>"""


def _written(folder: Path, name: str) -> Path:
    """Write students as JSON, or pupils as XML."""
    if not name.endswith(".xml"):
        records = [{**student, "gpa": "as usual"} for student in students(18)]
        (folder / "source.json").write_text(json.dumps({"students": records}, indent=1), encoding="utf-8")
        return folder / "source.json"
    pupils = [PUPIL.format(sex="FM"[at % 2], title="AB"[at // 4], grade=at % 3) for at in range(8)]
    (folder / "source.xml").write_text(XML.format(pupils="\n".join(pupils)), encoding="latin-1")
    return folder / "source.xml"


@pytest.fixture(scope="module", params=list(KINDS))
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """Export students or pupils by one of the models."""
    folder = tmp_path_factory.mktemp("forged")
    name, algorithm, forged, more = KINDS[request.param]
    found = room_of("trees").read(TABLE, Source(str(_written(folder, name))), SILENT)
    roles = {path: _role(path) for path in found.data.names}
    paths = tuple(PathSchema(path, role) for path, role in roles.items())
    project = Project(name="students", source=found.source, paths=paths, algorithm=algorithm)
    return publish(project, name, folder, ALLOWED | more, forged)


def _role(path: str) -> PathRole:
    return PathRole.SENSITIVE if path.endswith("grade") else PathRole.PUBLIC if path == "gpa" else PathRole.QUASI


def test_an_untouched_certificate_holds(published: Published) -> None:
    result = published.sealed(published.told)
    assert result is not None
    assert result.differences == ()


def test_every_entry_changed_is_found_or_named(published: Published) -> None:
    assert unseen_changes(published) == []


def test_every_entry_taken_out_is_found_or_named(published: Published) -> None:
    assert unseen_removals(published) == []


def test_a_dropped_promise_is_found(published: Published) -> None:
    assert unseen_drops(published) == []


def test_a_stronger_promise_told_everywhere_alike_is_found(published: Published) -> None:
    assert set(published.forged) == {promise["name"] for promise in published.told["promises"]}
    assert unseen_forgeries(published) == []


def test_every_model_is_among_the_kinds() -> None:
    assert {type(algorithm).name for _name, algorithm, _forged, _more in KINDS.values()} == set(ALGORITHMS.names())
