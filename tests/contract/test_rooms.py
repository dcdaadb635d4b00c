"""One battery over every room: what the frame promises of any way from data to a release."""

import dataclasses
import functools
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import AnonymizerError, BadProject, Cancelled
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.projects.opening import OpenedProject, open_project, read_files, refuse_incomplete
from anonymizer_gui.engine.projects.project_file import load_project, project_text, read_project, save_project
from anonymizer_gui.engine.releases.certificate import CERTIFICATE
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.releases.release_candidate import read_safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import Room, room_names, room_of
from anonymizer_gui.engine.storage.keys import make_key
from tests.canaries import found_in
from tests.contract.room_samples import (
    Place,
    RoomSample,
    Stopping,
    entry_at,
    places_in,
    sample_of,
    times,
    with_entry,
)

WRONG: tuple[Any, ...] = (None, True, -1, 0.5, 1e300, "wrong", "", [], [[]], {}, {"wrong": 1}, "\0", 1 << 80)
BYTES_CHANGED = 40


@dataclasses.dataclass(frozen=True)
class Walk:
    """A sample taken from its project file to the verified release."""

    room: Room
    sample: RoomSample
    folder: Path
    project: Path
    opened: OpenedProject
    release: Any
    exported: ExportResult

    @property
    def key(self) -> str:
        """The key file."""
        return str(self.folder / "key")

    @property
    def ledger(self) -> Path:
        """The ledger."""
        return self.folder / "ledger.sqlite"

    def leaving(self, release: Any, progress: Progress = SILENT, *, ledger: str = "") -> Any:
        """Check a release."""
        return self.room.leaving(release, self.opened.files, read_safeguards(self.key, ledger), progress)


@pytest.fixture(scope="module", params=room_names())
def walk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Walk:
    """Walk once through a room; the tests look at it from all sides."""
    folder = tmp_path_factory.mktemp(request.param)
    sample = sample_of(request.param, folder)
    project, out = folder / "sample.anon", folder / "leaving"
    save_project(sample.project, project)
    make_key(folder / "key")
    out.mkdir()
    opened = anonymizer.open(project)
    release = anonymizer.run(opened)
    leaving = opened.room.leaving(
        release, opened.files, read_safeguards(str(folder / "key"), str(folder / "ledger.sqlite")), SILENT
    )
    exported = export(leaving, out / sample.output)
    return Walk(room_of(request.param), sample, folder, project, opened, release, exported)


def found_differing(path: Path) -> bool:
    """Tell whether `verify` finds something, or says in one sentence that it cannot be read at all."""
    try:
        return not verify_release(path).holds
    except AnonymizerError:
        return True


def test_a_room_is_what_its_folder_and_project_are_called(walk: Walk) -> None:
    room = walk.room
    assert room.name == walk.opened.project.room == room.project().room
    assert isinstance(walk.opened.project, room.project)
    assert room.title
    assert room.summary.endswith(".")
    assert set(walk.opened.project.sources()) <= set(room.roles)
    assert room.project().sources() == {}


def test_the_sample_opens_unchanged_with_every_file(walk: Walk) -> None:
    assert walk.opened.obstacle is None
    assert walk.opened.changed == frozenset()
    assert walk.opened.project == walk.sample.project
    assert set(walk.opened.files) == set(walk.sample.project.sources())


def test_every_promise_of_a_run_holds_and_says_what_it_is_worth(walk: Walk) -> None:
    assert walk.release.promises
    for promise in walk.release.promises:
        assert promise.holds, promise.sentence
        assert all((promise.name, promise.title, promise.sentence, promise.stops, promise.leaves_open))


def test_every_check_of_the_sample_is_green(walk: Walk) -> None:
    leaving = walk.leaving(walk.release)
    assert [check.sentence for check in leaving.checks if not check.holds] == []
    assert any(check.is_promise for check in leaving.checks)


def test_an_exported_release_verifies(walk: Walk) -> None:
    found = anonymizer.verify(walk.exported.path)
    assert found.differences == ()
    assert found.holds


def test_the_report_tells_every_promise(walk: Walk) -> None:
    page = walk.exported.report.read_text(encoding="utf-8")
    told = json.loads(walk.exported.certificate.read_text(encoding="utf-8"))
    assert told["room"] == walk.room.name
    assert [promise["name"] for promise in told["promises"]] == [promise.name for promise in walk.release.promises]
    assert all(promise["title"] in page for promise in told["promises"])
    assert all(section.title in page for section in walk.room.sections(told) if section.parts)


def test_one_changed_byte_of_the_release_is_found(walk: Walk, tmp_path: Path) -> None:
    others = json.loads(walk.exported.certificate.read_text(encoding="utf-8"))["release"]["others"]
    shutil.copytree(walk.exported.path.parent, tmp_path / "leaving")
    for name in (walk.sample.output, *others):
        path = tmp_path / "leaving" / name
        content = path.read_bytes()
        for place in times(len(content), BYTES_CHANGED):
            path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            assert found_differing(tmp_path / "leaving" / walk.sample.output), f"{name}, byte {place}"
        path.write_bytes(content)
    assert verify_release(tmp_path / "leaving" / walk.sample.output).holds


def test_one_changed_entry_of_the_certificate_is_found(walk: Walk, tmp_path: Path) -> None:
    path = tmp_path / walk.sample.output
    shutil.copytree(walk.exported.path.parent, tmp_path, dirs_exist_ok=True)
    certificate = path.with_name(path.name + CERTIFICATE)
    told = json.loads(certificate.read_text(encoding="utf-8"))
    unseen = []
    for place in places_in(told):
        for change in (_changed, _removed):
            certificate.write_text(json.dumps(with_entry(told, place, change)), encoding="utf-8")
            if not found_differing(path):
                unseen.append((place, change.__name__))
    assert unseen == []


def _changed(holder: Any, name: Any) -> None:
    old = holder[name]
    if isinstance(old, bool) or old is None:
        holder[name] = not old
    elif isinstance(old, int | float):
        holder[name] = old + 1
    else:
        holder[name] = f"{old}x" if isinstance(old, str) else [*old, "x"]


def _removed(holder: Any, name: Any) -> None:
    del holder[name]


def test_no_value_of_the_source_is_in_any_file_that_should_not_show_it(walk: Walk) -> None:
    told = json.loads(walk.exported.certificate.read_text(encoding="utf-8"))
    released = [walk.exported.path, *(walk.exported.path.with_name(name) for name in told["release"]["others"])]
    beside = [path for path in walk.exported.path.parent.iterdir() if path not in released]
    sample = walk.sample
    assert sample.hidden
    assert found_in([*released, *beside, walk.ledger], sample.hidden) == []
    assert found_in(beside, sample.only_released) == []
    assert {hit.partition(" in ")[0] for hit in found_in(released, sample.only_released)} == set(sample.only_released)


def test_the_search_finds_the_hidden_values_in_the_source(walk: Walk) -> None:
    sources = [Path(source.path) for source in walk.sample.project.sources().values()]
    assert found_in(sources, walk.sample.hidden) != []


def test_a_project_comes_back_from_its_file(walk: Walk) -> None:
    """All but the checksums of its sources, which stand in no file: a mark takes their place."""
    sources = walk.sample.project.sources()
    project = walk.sample.project.with_sources(
        {role: dataclasses.replace(each, sha256="") for role, each in sources.items()}
    )
    assert read_project(project_text(walk.sample.project).encode()) == project
    assert load_project(walk.project) == project
    assert read_project(project_text(walk.room.project()).encode()) == walk.room.project()


def test_every_entry_made_wrong_gives_one_sentence(walk: Walk) -> None:
    entries = json.loads(walk.project.read_text(encoding="utf-8"))
    unheeded = []
    for place in places_in(entries):
        is_refused = _is_refused(with_entry(entries, place, _removed))
        for wrong in WRONG:
            if wrong != entry_at(entries, place):
                is_refused |= _is_refused(with_entry(entries, place, _set_to(wrong)))
        if not is_refused and not _is_free(place):
            unheeded.append(place)
    assert unheeded == []


def _is_free(place: Place) -> bool:
    """Tell the entries that may be anything: what made the file, and how a file is read, which its reader checks."""
    return place[0] == "program" or (place[0] == "sources" and place[2:3] == ("options",) and len(place) > 3)


def _set_to(value: Any) -> Callable[[Any, Any], None]:
    def change(holder: Any, name: Any) -> None:
        holder[name] = value

    return change


def _is_refused(entries: Any) -> bool:
    sentence = _obstacle(lambda: read_project(json.dumps(entries).encode()), BadProject)
    assert sentence is None or (sentence.hint and sentence.message and "\n" not in sentence.message)
    return sentence is not None


def _obstacle(work: Callable[[], Any], kind: type[AnonymizerError] = AnonymizerError) -> AnonymizerError | None:
    """Give the one kind of error that work may end with; every other goes through."""
    try:
        work()
    except kind as error:
        return error
    return None


def test_a_project_with_a_wrong_entry_that_can_be_opened_runs_or_says_why_not(walk: Walk) -> None:
    entries = json.loads(walk.project.read_text(encoding="utf-8"))

    def leave(changed: Any) -> None:
        opened = read_files(read_project(json.dumps(changed).encode()))
        refuse_incomplete(opened, allow_changed=True)
        walk.leaving(walk.room.run(opened.project, opened.files, SILENT))

    for place in places_in(entries):
        for wrong in ("wrong", -1, [], {}):
            changed = with_entry(entries | _placed(walk.sample), place, _set_to(wrong))
            sentence = _obstacle(functools.partial(leave, changed))
            assert sentence is None or sentence.message


def _placed(sample: RoomSample) -> dict[str, Any]:
    """Give the entry that names the files where they are; the project file names them relative to itself."""
    return {"sources": json.loads(project_text(sample.project))["sources"]}


def _stopped(work: Callable[[Progress], Any]) -> None:
    """Stop the work at every time it asks; each time it must end by being cancelled."""
    counted = Stopping()
    work(counted.progress())
    assert counted.asked
    for at in times(counted.asked):
        with pytest.raises(Cancelled):
            work(Stopping(at).progress())


def test_opening_can_be_cancelled_at_every_call(walk: Walk) -> None:
    before = sorted(walk.folder.rglob("*"))
    _stopped(lambda progress: open_project(walk.project, progress))
    assert sorted(walk.folder.rglob("*")) == before


def test_a_run_can_be_cancelled_at_every_call(walk: Walk) -> None:
    before = sorted(walk.folder.rglob("*"))
    _stopped(lambda progress: walk.room.run(walk.opened.project, walk.opened.files, progress))
    assert sorted(walk.folder.rglob("*")) == before


def test_checking_and_verifying_can_be_cancelled_at_every_call(walk: Walk) -> None:
    _stopped(lambda progress: walk.leaving(walk.release, progress))
    _stopped(lambda progress: verify_release(walk.exported.path, progress=progress))


def test_an_export_cancelled_at_any_call_leaves_nothing_behind(walk: Walk, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    whole, out, counted = tmp_path / "whole", tmp_path / "out", Stopping()
    whole.mkdir()
    out.mkdir()
    export(walk.leaving(walk.release), whole / walk.sample.output, counted.progress())
    leaving = walk.leaving(walk.release, ledger=str(ledger))
    for at in times(counted.asked):
        with pytest.raises(Cancelled):
            export(leaving, out / walk.sample.output, Stopping(at).progress())
        assert list(out.iterdir()) == []
    assert not ledger.exists() or ReleaseLedger(ledger).entries() == ()


def test_a_repeatable_room_gives_the_same_bytes_twice_and_no_other_ever_does(walk: Walk, tmp_path: Path) -> None:
    again = anonymizer.run(anonymizer.open(walk.project))
    exported = export(walk.leaving(again), tmp_path / walk.sample.output)
    is_same = exported.path.read_bytes() == walk.exported.path.read_bytes()
    assert is_same is walk.room.is_repeatable
    assert (exported.sha256 == walk.exported.sha256) is is_same


def test_a_room_whose_noise_is_secret_names_no_seed(walk: Walk) -> None:
    told = [json.loads(path.read_text(encoding="utf-8")) for path in (walk.project, walk.exported.certificate)]
    seeds = [place for entries in told for place in places_in(entries) if "seed" in str(place[-1]).lower()]
    assert bool(seeds) is walk.room.is_repeatable


def test_every_release_is_one_entry_of_the_ledger(walk: Walk, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    shutil.copy(walk.ledger, ledger)
    assert [entry.sha256 for entry in ReleaseLedger(ledger).entries()] == [walk.exported.sha256]
    again = export(walk.leaving(anonymizer.run(walk.opened), ledger=str(ledger)), tmp_path / walk.sample.output)
    # The same bytes again tell nobody anything new.
    assert {entry.sha256 for entry in ReleaseLedger(ledger).entries()} == {walk.exported.sha256, again.sha256}
    assert len(ReleaseLedger(ledger).entries()) == (1 if walk.room.is_repeatable else 2)


def test_a_room_speaks_both_languages(walk: Walk) -> None:
    from anonymizer_gui.ui.i18n import LANGUAGES, translations

    texts = {walk.room.title, walk.room.summary, *walk.room.roles.values()}
    for language in LANGUAGES:
        known = translations(language)
        assert [text for text in texts if language != "en" and text not in known] == []
        assert list(resource_path("help", language, walk.room.name).glob("*.md")) != []


def test_the_window_half_goes_by_the_same_names(walk: Walk) -> None:
    from anonymizer_gui.ui.room_view import all_views, view_of

    assert walk.room.name in [view.name for view in all_views()]
    view = view_of(walk.room.name)
    assert (view.name, view.title, view.summary) == (walk.room.name, walk.room.title, walk.room.summary)
    assert 1 <= len(view.pages()) <= 8
    assert [sample.file for sample in view.samples if not resource_path("samples", sample.file).is_file()] == []
