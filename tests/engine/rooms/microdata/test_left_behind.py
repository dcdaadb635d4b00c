"""What an earlier release has left under the name of a new one does not stay beside it."""

from dataclasses import replace
from pathlib import Path

from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from tests.engine.rooms.microdata.making import hospital_release


def test_labels_of_an_earlier_release_do_not_stay_beside_one_without(tmp_path: Path) -> None:
    release, original = hospital_release()
    with_labels = replace(release.project, publishing=replace(release.project.publishing, labels_file=True))
    target, labels = tmp_path / "out.csv", tmp_path / "out.csv.labels.csv"
    export(prepare_candidate(replace(release, project=with_labels), original, Safeguards()), target)
    assert labels.exists()
    export(prepare_candidate(release, original, Safeguards()), target)
    assert not labels.exists()


def test_only_what_left_with_the_earlier_release_is_taken_away(tmp_path: Path) -> None:
    release, original = hospital_release()
    with_labels = replace(release.project, publishing=replace(release.project.publishing, labels_file=True))
    target, labels = tmp_path / "out.csv", tmp_path / "out.csv.labels.csv"
    export(prepare_candidate(replace(release, project=with_labels), original, Safeguards()), target)
    labels.write_text("my own notes", encoding="utf-8")
    export(prepare_candidate(release, original, Safeguards()), target)
    assert labels.read_text(encoding="utf-8") == "my own notes"
