"""What a project file keeps of releases: enough to make them again, small, and strictly read."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import BadProject
from anonymizer_gui.engine.projects.history import MAX_RECORDS, is_reproduced, project_of_record, record_run
from anonymizer_gui.engine.projects.project_file import load_with_history, project_text, read_with_history, save_project
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import hospital_project, hospital_release, hospital_table


def test_a_kept_release_is_made_again_the_same(tmp_path: Path) -> None:
    release, table = hospital_release(suppression=0.25, goals=(KAnonymity(k=3),))
    now = hospital_project(publishing=Publishing(row_order="sorted"))
    save_project(now, tmp_path / "p.anon", [record_run(replace(release, name="first try"))])
    project, (kept,) = load_with_history(tmp_path / "p.anon")
    assert (kept.name, kept.id, kept.created, kept.numbers["seed"]) == ("first try", release.id, release.created, 7)
    wanted = project_of_record(kept, project)
    assert (wanted.suppression, wanted.goals) == (0.25, (KAnonymity(k=3),))
    assert wanted.publishing.row_order == "sorted"
    again = run(table, wanted)
    assert is_reproduced(kept, again)
    assert not is_reproduced(kept, run(hospital_table(48), wanted))
    assert not is_reproduced(kept, run(table, replace(wanted, goals=(KAnonymity(k=5),))))


def test_only_what_differs_is_written_and_no_hierarchy_lives_on() -> None:
    release, _ = hospital_release()
    plain = len(project_text(hospital_project()))
    kept = [replace(record_run(release), id=str(number)) for number in range(10)]
    entries = json.loads(project_text(hospital_project(), releases=kept))
    assert all(entry["settings"] == {} for entry in entries["releases"])
    changed = project_text(hospital_project(suppression=0.5), releases=kept[:1])
    assert json.loads(changed)["releases"][0]["settings"] == {"suppression": 0.0}
    bare = project_text(hospital_project(hierarchies={}), releases=kept[:1])
    assert "13050" not in bare
    assert "releases" not in json.loads(project_text(hospital_project()))
    assert plain < len(changed)


def test_only_the_newest_are_kept() -> None:
    kept = record_run(hospital_release()[0])
    many = [replace(kept, id=str(number)) for number in range(MAX_RECORDS + 5)]
    _, found = read_with_history(project_text(hospital_project(), releases=many).encode())
    assert [one.id for one in found] == [str(number) for number in range(5, MAX_RECORDS + 5)]


def test_no_value_of_an_identifier_is_kept() -> None:
    text = project_text(hospital_project(), releases=[record_run(hospital_release()[0])])
    assert "Patient 00" not in text


@pytest.mark.parametrize(
    "wrong",
    ["x", {}, [1], [{"id": "a"}], [{"id": 1, "name": "", "created": "", "version": "", "settings": {}, "numbers": {}}],
     [{"id": "a", "name": "", "created": "", "version": "", "settings": [], "numbers": {}}],
     [{"id": "a", "name": "", "created": "", "version": "", "settings": {}, "numbers": {}, "more": 1}]],
)  # fmt: skip
def test_an_entry_made_wrong_is_refused_in_one_sentence(wrong: object) -> None:
    entries = {**json.loads(project_text(hospital_project())), "releases": wrong}
    with pytest.raises(BadProject, match="“releases”"):
        read_with_history(json.dumps(entries).encode())


def test_what_is_kept_is_told_in_the_words_of_its_room() -> None:
    release = hospital_release()[0]
    _, (kept,) = read_with_history(project_text(hospital_project(), releases=[record_run(release)]).encode())
    assert kept.sentence == release.sentence()
    assert kept.sentence.pattern == release.sentence().pattern  # type: ignore[attr-defined]


def test_a_file_of_before_that_does_not_say_what_was_made_is_read() -> None:
    entries = json.loads(project_text(hospital_project(), releases=[record_run(hospital_release()[0])]))
    del entries["releases"][0]["sentence"]
    _, (kept,) = read_with_history(json.dumps(entries).encode())
    assert kept.sentence == ""


@pytest.mark.parametrize("said", [7, ["a"], {"pattern": "{x.real}", "values": {"x": 1}}, {"pattern": "{x:9999}"}, {}])
def test_a_sentence_that_is_none_of_ours_is_refused(said: object) -> None:
    entries = json.loads(project_text(hospital_project(), releases=[record_run(hospital_release()[0])]))
    entries["releases"][0]["sentence"] = said
    with pytest.raises(BadProject):
        read_with_history(json.dumps(entries).encode())
