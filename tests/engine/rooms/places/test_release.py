"""Places leave only when their files, counted again, keep what they promise."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import BadParameter, Infeasible, PromiseBroken, UnwritableFile
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.places.places import Places, Projection
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import NotReady, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards, read_safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.places import run as running
from anonymizer_gui.engine.rooms.places.algorithms import cloaking, trajectories
from anonymizer_gui.engine.rooms.places.algorithms.cloaking import Casper, HilbertCloak, Quadtree
from anonymizer_gui.engine.rooms.places.algorithms.contract import (
    ALGORITHMS,
    CLOAK,
    TILES,
    TRACKS,
    Algorithm,
    PlaceDemands,
)
from anonymizer_gui.engine.rooms.places.algorithms.trajectories import ABSOLUTE, NeverWalkAlone, TileGeneralisation
from anonymizer_gui.engine.rooms.places.independent.recount import count_regions, count_trajectories, fewest_inside
from anonymizer_gui.engine.rooms.places.independent_check import IndependentCount, agrees, count_independently
from anonymizer_gui.engine.rooms.places.project import PLACES, Project
from anonymizer_gui.engine.rooms.places.release_candidate import ReleaseCandidate
from anonymizer_gui.engine.rooms.places.run import run
from anonymizer_gui.engine.storage.keys import make_key

NAMES = [f"Wanderin {number:02}" for number in range(24)]
WAYS = {CLOAK: HilbertCloak(), TRACKS: NeverWalkAlone()}


def places(*, is_degrees: bool = True, middle: float = 11.0) -> Places:
    random = np.random.default_rng(4)
    many, points = len(NAMES), 30
    x = np.cumsum(random.normal(3, 10, (many, points)), axis=1) + random.uniform(0, 900, (many, 1))
    y = np.cumsum(random.normal(0, 10, (many, points)), axis=1) + random.uniform(0, 900, (many, 1))
    projection = Projection(True, 48.0, middle) if is_degrees else Projection()
    t = np.tile(np.arange(points) * 15.0 + 1.7e9, many)
    return Places.of(list(np.repeat(NAMES, points)), x.ravel(), y.ravel(), t, projection)


def leaving(algorithm: Algorithm, data: Places | None = None, k: int = 4) -> ReleaseCandidate:
    release = run(Project(name="walks", k=k, algorithm=algorithm), {PLACES: data or places()})
    return ReleaseCandidate(release, Safeguards())


@pytest.mark.parametrize("name", ALGORITHMS.names())
@pytest.mark.parametrize("suffix", [".csv", ".geojson", ".gpx"])
def test_every_way_leaves_and_verifies(name: str, suffix: str, tmp_path: Path) -> None:
    ready = leaving(TileGeneralisation(delete=0.5) if name == TileGeneralisation.name else ALGORITHMS.get(name)())
    if suffix == ".gpx" and ready.release.project.way in (CLOAK, TILES):
        with pytest.raises(UnwritableFile):
            export(ready, tmp_path / "out.gpx")
        return
    assert all(promise.holds for promise in ready.promises)
    exported = export(ready, tmp_path / f"out{suffix}")
    found = verify_release(exported.path)
    assert found.holds, found.differences
    assert not any(who.encode() in path.read_bytes() for path in tmp_path.iterdir() for who in NAMES)


@pytest.mark.parametrize(
    "algorithm",
    [
        HilbertCloak(queries=3),
        NeverWalkAlone(delta=80.0),
        NeverWalkAlone(time=ABSOLUTE),
        HilbertCloak(moment=0.5),
        Casper(),
        Quadtree(spots=1),
    ],
)
def test_further_settings_leave_and_verify(algorithm: Algorithm, tmp_path: Path) -> None:
    for at, data in enumerate((places(), places(middle=179.994), places(middle=-180.0), places(is_degrees=False))):
        exported = export(leaving(algorithm, data), tmp_path / f"out{at}.csv")
        assert verify_release(exported.path).holds


TRACK = st.one_of(
    st.lists(st.tuples(st.integers(-400, 400), st.integers(-400, 400), st.integers(0, 60)), min_size=1, max_size=5),
    st.just([(30, 40, 7)]),
    st.just([(0, 0, at) for at in range(6)]),
    st.just([(at * 50, 0, 3) for at in range(4)]),
    st.just([(at * 40 - 200, at, at) for at in range(12)]),
)
"""Anything, a single point, somebody who stands still, many places at one instant, and a walk."""


@pytest.mark.parametrize("name", ALGORITHMS.names())
@given(st.lists(TRACK, max_size=9), st.integers(1, 4), st.sampled_from([11.0, 180.0, -179.9999]))
def test_any_tracks_are_protected_or_refused_with_a_sentence(
    name: str, tracks: list[list[tuple[int, int, int]]], k: int, middle: float
) -> None:
    """Also none at all, and tracks over the antimeridian; whatever is made, every promise holds by the recount."""
    rows = [(f"{at}", *point) for at, points in enumerate(tracks) for point in points]
    columns = [[row[at] for row in rows] for at in range(4)]
    t = [10.0 * each + 1.7e9 for each in columns[3]]
    data = Places.of(
        columns[0], np.array(columns[1], float), np.array(columns[2], float), t, Projection(True, 10, middle)
    )
    with contextlib.suppress(Infeasible, BadParameter):
        release = run(Project(name="any", k=k, algorithm=ALGORITHMS.get(name)()), {PLACES: data})
        assert all(promise.holds for promise in release.promises)


def test_metres_leave_only_as_csv(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile):
        export(leaving(NeverWalkAlone(), places(is_degrees=False)), tmp_path / "out.gpx")


def test_code_that_makes_regions_of_too_few_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cloaking, "hilbert_buckets", lambda x, y, k, spots: np.arange(len(x)) // 2)
    with pytest.raises(PromiseBroken):
        leaving(HilbertCloak())


def test_regions_that_move_after_they_were_made_release_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Quadtree.run
    monkeypatch.setattr(Quadtree, "run", lambda *args: replace(honest(*args), box=honest(*args).box + 5000.0))
    with pytest.raises(PromiseBroken):
        leaving(Quadtree())


def test_code_that_moves_tracks_apart_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trajectories, "move_to_disc", lambda true, delta: true)
    with pytest.raises(PromiseBroken):
        leaving(NeverWalkAlone())
    with pytest.raises(PromiseBroken):
        leaving(NeverWalkAlone(delta=5.0))


def test_code_that_groups_too_few_tracks_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        trajectories, "cluster_trajectories", lambda there, *rest: ([[at] for at in range(len(there))], [])
    )
    with pytest.raises(PromiseBroken):
        leaving(NeverWalkAlone())


@pytest.mark.parametrize("way", [CLOAK, TRACKS])
def test_a_release_whose_rows_change_before_they_leave_is_refused(way: str, tmp_path: Path) -> None:
    ready = leaving(WAYS[way])
    last = ready.release.published.rows[-1]
    changed = (*ready.release.published.rows[:-1], (*last[:-1], f"{float(last[-1]) + 1:.6f}"))
    wrong = replace(ready.release, published=replace(ready.release.published, rows=changed))
    with pytest.raises(PromiseBroken):
        export(ReleaseCandidate(wrong, Safeguards()), tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [HilbertCloak, Quadtree, Casper])
@pytest.mark.parametrize("k", [2, 5, 20])
def test_the_file_alone_proves_every_region(kind: type[Algorithm], k: int) -> None:
    random = np.random.default_rng(2)
    data = Places.of([f"{at:03}" for at in range(300)], random.exponential(900, 300), random.exponential(900, 300))
    box = kind().run(data, PlaceDemands(k), SILENT).box[0]  # type: ignore[union-attr]
    rows = [[str(each) for each in row] for row in box.tolist()]
    assert count_regions(["x_min", "y_min", "x_max", "y_max"], rows, k, None).sure >= k


def test_a_region_the_file_does_not_prove_is_found(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    data = Places.of([f"{at:03}" for at in range(300)], random.exponential(900, 300), random.exponential(900, 300))
    path = export(leaving(Casper(), data, 5), tmp_path / "out.csv").path
    assert verify_release(path).holds
    head, *rows = (line.split(",") for line in path.read_text(encoding="utf-8").splitlines())
    written = {"way": CLOAK, "k": 5, "latitude": None, "head": head}
    assert count_independently(written, rows, {}).holds["region-k"]
    alone = [*rows[0][:-4], "1.0", "1.0", "1.5", "1.5"]
    assert not count_independently(written, [alone, *rows[1:]], {}).holds["region-k"]


def test_a_second_release_of_the_same_places_is_refused_without_a_reason(tmp_path: Path) -> None:
    make_key(tmp_path / "key")
    guards = read_safeguards(str(tmp_path / "key"), str(tmp_path / "ledger.sqlite"))
    data = places()
    first = ReleaseCandidate(run(Project(k=4, algorithm=NeverWalkAlone()), {PLACES: data}), guards)
    export(first, tmp_path / "one.csv")
    for name in ("same.csv", "same.geojson", "once_more.geojson"):
        export(first, tmp_path / name)
        assert first.others() == 0
    second = ReleaseCandidate(run(Project(k=6, algorithm=NeverWalkAlone()), {PLACES: data}), guards)
    with pytest.raises(NotReady):
        export(second, tmp_path / "two.csv")
    export(second.with_reason("asked for"), tmp_path / "two.csv")


def test_a_way_that_needs_times_says_so() -> None:
    bare = Places.of(["a", "b"], [0.0, 1.0], [0.0, 1.0])
    with pytest.raises(BadParameter):
        run(Project(k=1, algorithm=NeverWalkAlone()), {PLACES: bare})
    with pytest.raises(Infeasible):
        run(Project(k=3, algorithm=HilbertCloak()), {PLACES: bare})


def test_the_recount_counts_users_surely_inside_and_truly_inside() -> None:
    head = ["x_min", "y_min", "x_max", "y_max"]
    rows = [["0", "0", "10", "10"], ["0", "0", "5", "5"], ["0", "0", "5", "5"]]
    found = count_regions(head, rows, 2, None)
    assert (found.users, found.regions, found.senders, found.sure) == (3, 2, 1, 2)
    assert found.reciprocal == pytest.approx(2 / 3)
    assert fewest_inside(head, rows, [[(1.0, 1.0), (2.0, 2.0), (9.0, 9.0)]]) == 2
    with pytest.raises(ValueError, match=r"^$"):
        count_regions(head, [["5", "0", "1", "9"]], 1, None)


@pytest.mark.parametrize("box", [(-1, 2, 5, 5), (2, -1, 5, 5), (2, 2, 11, 5), (2, 2, 5, 11)])
def test_nobody_is_surely_in_a_region_whose_own_sticks_out_of_it_on_one_side(box: tuple[int, ...]) -> None:
    head, large = ["x_min", "y_min", "x_max", "y_max"], ["0", "0", "10", "10"]
    assert count_regions(head, [large, *[["2", "2", "5", "5"]] * 2], 2, None).sure == 2
    assert count_regions(head, [large, *[[str(edge) for edge in box]] * 2], 2, None).sure == 1


def test_the_recount_believes_no_class_that_is_not_the_same() -> None:
    rows = [["1", "1", "0", "5", "5"], ["2", "1", "0", "5", "5"], ["3", "1", "0", "5", "5.1"]]
    found = count_trajectories(rows, 0.0, None)
    assert (found.tracks, found.smallest) == (3, 1)
    assert found.widest == pytest.approx(0.1)
    assert count_trajectories(rows, 1.0, None).smallest == 3
    with pytest.raises(ValueError, match=r"^$"):
        count_trajectories([["1", "1", "0", "5", "5"], ["1", "2", "0", "5", "5"]], 0.0, None)
    with pytest.raises(ValueError, match=r"^$"):
        count_trajectories([["1", "1", "0", "5", "5"], ["2", "1", "7", "5", "5"]], 0.0, None)


def test_the_recount_finds_regions_inside_others_across_the_antimeridian() -> None:
    head = ["lon_min", "lat_min", "lon_max", "lat_max"]
    for inner in (["-180", "0.2", "-179.95", "0.8"], ["179.92", "0.2", "179.95", "0.8"]):
        rows = [["179.9", "0", "-179.9", "1"], inner, inner]
        assert count_regions(head, rows, 2, 0.0).sure == 2
    assert count_regions(head, [rows[0], *([["-179.8", "0.2", "-179.7", "0.8"]] * 2)], 2, 0.0).sure == 1


def _walks(path: Path) -> Path:
    data = places()
    lon, lat = data.projection.degrees(data.x, data.y)
    rows = [
        f"{data.names[track]},{t:.0f},{x:.6f},{y:.6f}"
        for track, t, x, y in zip(data.track_of, data.t, lon, lat, strict=True)
    ]
    path.write_text("\n".join(["user,time,lon,lat", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("call", "keys"),
    [
        (
            ["cloak", "--k", "5", "--method", "hilbert"],
            ["users", "smallest_region", "reciprocal", "median_side_m", "p90_side_m"],
        ),
        (
            ["cloak", "--k", "5", "--method", "quadtree"],
            ["users", "smallest_region", "reciprocal", "median_side_m", "p90_side_m"],
        ),
        (["tracks", "--k", "3", "--time", "absolute"], ["tracks", "lost", "smallest_class", "mean_displacement_m"]),
    ],
)
def test_the_command_tells_its_numbers(
    call: list[str], keys: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _walks(tmp_path / "walks.csv")
    out = tmp_path / "out.csv"
    assert main(["places", call[0], str(file), *call[1:], "-o", str(out), "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert set(keys) <= set(told)
    assert told.get("smallest_region", told.get("smallest_class")) >= int(call[2])
    assert main(["verify", str(out)]) == 0


def test_the_command_refuses_what_a_method_does_not_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _walks(tmp_path / "walks.csv")
    base = ["places", "cloak", str(file), "-o", str(tmp_path / "o.csv")]
    assert main([*base, "--method", "temporal", "--queries", "3"]) == 2
    assert main([*base, "--k", "0"]) == 2
    assert main([*base, "--k", "2000"]) == 1
    assert main([*base, "--read", "zone"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_run_has_no_field_that_is_an_identifier() -> None:
    release = leaving(NeverWalkAlone()).release
    assert release.published.head == ("track", "class", "elapsed", "lon", "lat")
    assert {row[0] for row in release.published.rows} == {str(n + 1) for n in range(release.measured["published"])}


def test_differences_are_told_in_words(tmp_path: Path) -> None:
    exported = export(leaving(HilbertCloak()), tmp_path / "out.csv")
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    told["numbers"]["fewest_senders"] += 1
    told["sha256"] = certificate_digest(told)
    exported.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert verify_release(exported.path).differences == ("numbers.fewest_senders is 4, the certificate says 5.",)


def test_what_was_measured_must_be_what_was_counted() -> None:
    release = leaving(HilbertCloak()).release
    found = IndependentCount({"fewest_senders": 4, "p90_side_m": 90.0}, {"region-k": 4, "reciprocal-k": 4},
                    {"region-k": True, "reciprocal-k": True})  # fmt: skip
    worth = [replace(promise, value=4) for promise in release.promises]
    told = {"fewest_senders": 4, "p90_side_m": 90.0, "smallest_region": 4}
    assert agrees(found, told, worth)
    assert not agrees(found, told | {"fewest_senders": 5}, worth)
    assert not agrees(found, told | {"p90_side_m": 89.0}, worth)
    assert not agrees(found, told | {"smallest_region": 5}, worth)
    assert not agrees(found, told, [replace(worth[0], value=5), worth[1]])
    assert not agrees(found, told, [worth[0], replace(worth[1], holds=False)])


def test_a_method_that_measures_another_thing_than_the_recount_releases_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = running.measure_tiles
    monkeypatch.setattr(running, "measure_tiles", lambda made: honest(made) | {"smallest_support": 1000})
    with pytest.raises(PromiseBroken, match="contradicts"):
        leaving(TileGeneralisation(delete=0.5))


def test_the_file_bounds_how_many_are_in_the_emptiest_region() -> None:
    head = ["x_min", "y_min", "x_max", "y_max"]
    rows = [["0", "0", "10", "10"], ["0", "0", "5", "5"], ["0", "0", "5", "5"], ["5", "5", "9", "9"],
            ["20", "0", "30", "9"]]  # fmt: skip
    found = count_regions(head, rows, 2, None)
    assert (found.sure, found.possible) == (1, 1)
    assert count_regions(head, rows[:4], 2, None).possible == 4
    across = [["179.9", "0", "-179.9", "1"], ["-180", "0", "-179.95", "1"]]
    assert count_regions(["lon_min", "lat_min", "lon_max", "lat_max"], across, 2, 0.0).possible == 2


def test_a_file_of_another_kind_is_found_in_one_sentence(tmp_path: Path) -> None:
    path = export(leaving(HilbertCloak()), tmp_path / "out.csv").path
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    assert verify_release(path).differences == (
        "The file's checksum (SHA-256) is another one.",
        "The files are not the places the certificate speaks of.",
    )


def test_with_the_inside_copy_the_losses_are_measured(tmp_path: Path) -> None:
    exported = export(leaving(NeverWalkAlone(trim=40.0)), tmp_path / "out.csv")
    assert not [name for name in verify_release(exported.path).not_measured if name.startswith(("loss", "checks.lost"))]
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    told["loss"]["displacement_m"] -= 10
    told["sha256"] = certificate_digest(told)
    exported.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert [each for each in verify_release(exported.path).differences if each.startswith("loss.displacement_m is")]
    exported.inside.unlink()
    assert "loss.displacement_m" in verify_release(exported.path).not_measured
