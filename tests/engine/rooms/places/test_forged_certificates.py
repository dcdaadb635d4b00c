"""Certificates of every kind of released places, forged entry by entry: regions, tracks, mixes, tiles."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.places.algorithms.cloaking import Casper, HilbertCloak, Quadtree, TemporalCloaking
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.places.algorithms.mix_zones import BY_TRAFFIC, MixZones
from anonymizer_gui.engine.rooms.places.algorithms.trajectories import ABSOLUTE, NeverWalkAlone, TileGeneralisation
from anonymizer_gui.engine.rooms.places.project import PLACES, Project
from anonymizer_gui.engine.storage.sources import Source
from tests.contract.forged_certificates import (
    Published,
    publish,
    unseen_changes,
    unseen_drops,
    unseen_forgeries,
    unseen_removals,
)

MANY = 1000
REGIONS: dict[str, Any] = {"region-k": {"k": MANY}}
MIXES: dict[str, Any] = {"mix-k": {"k": MANY}, "silent": {}}
KINDS: dict[str, tuple[Algorithm, dict[str, Any]]] = {
    "hilbert": (HilbertCloak(), REGIONS | {"reciprocal-k": {"k": MANY}}),
    "hilbert asked thrice": (HilbertCloak(queries=3), REGIONS | {"reciprocal-k": {"k": MANY}}),
    "quadtree": (Quadtree(), REGIONS),
    "casper": (Casper(), REGIONS),
    "temporal": (TemporalCloaking(side=2000.0, clock=600.0), REGIONS | {"reciprocal-k": {"k": MANY}}),
    "same tracks": (NeverWalkAlone(time=ABSOLUTE), {"track-k": {"k": MANY}}),
    "near tracks": (NeverWalkAlone(delta=400.0), {"track-k": {"k": MANY, "delta": 1.0}}),
    "mix": (MixZones(zones=1, radius=200.0, window=600.0, trim=0.0), MIXES),
    "mix by traffic": (MixZones(zones=1, radius=200.0, window=600.0, trim=0.0, sizes=BY_TRAFFIC), MIXES),
    "tiles": (TileGeneralisation(known=1, delete=0.5, tile=1000.0), {"visits-k": {"k": MANY, "m": 3}}),
}
ANYWHERE = {
    "source": "a name",
    "recipe.parameters": "settings that leave no trace",
    "written.latitude": "it is bounded by the file",
    "checks.ledger": "the ledger is not published",
}
ALLOWED: dict[str, dict[str, str]] = {
    "cloak": {
        "numbers.smallest_region": "positions are not published",
        "promises.region-k.value": "positions are not published",
        "checks.spots": "positions are not published",
    },
    "tracks": {
        "loss.lost": "lost tracks are not in the file",
        "loss.displacement_m": "true places are not published",
        "checks.lost": "lost tracks are not in the file",
    },
    "mix": {
        "written.zones": "where nothing is published, nothing shows where it would be",
        "loss.effective": "true tracks are not published",
        "loss.linked": "true tracks are not published",
        "checks.effective": "true tracks are not published",
        "checks.linked": "true tracks are not published",
    },
    "tiles": {"loss.deleted": "deleted visits are not in the file", "loss.ncp": "true places are not published"},
}
NEVER_FREE = {"delta", "known", "queries", "time"}
"""Parameters that the files or promises show."""


def walks(folder: Path) -> Source:
    """Let twelve people cross one bridge in four groups, and go on in different directions."""
    random, rows = np.random.default_rng(3), []
    for at in range(12):
        slope = (at % 4 - 1.5) / 2
        for step in range(25):
            far = (step - 12) * 60.0 + float(random.uniform(-9, 9))
            x, y = 11.0 + far / 74_600, 48.0 + slope * max(far, 0.0) / 111_200 + at % 3 * 0.0002
            rows.append(f"p{at:02},2024-05-01T08:{step + at // 3:02}:{at * 3:02}Z,{x:.6f},{y:.6f}")
    place = folder / "walks.csv"
    place.write_text("\n".join(["person,time,lon,lat", *rows]) + "\n", encoding="utf-8")
    return Source(str(place))


@pytest.fixture(scope="module", params=list(KINDS))
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """Export the walks by one of the ways."""
    folder = tmp_path_factory.mktemp("forged")
    algorithm, forged = KINDS[request.param]
    source = room_of("places").read(PLACES, walks(folder), SILENT).source
    allowed = ANYWHERE | ALLOWED[algorithm.way]
    project = Project(name="walks", source=source, k=3, algorithm=algorithm)
    return publish(project, "out.geojson", folder, allowed, forged)


def test_an_untouched_certificate_holds(published: Published) -> None:
    result = published.sealed(published.told)
    assert result is not None
    assert result.differences == ()
    free = [name.removeprefix("recipe.parameters.") for name in result.not_measured if name.startswith("recipe.")]
    assert not NEVER_FREE & set(free)


def test_every_entry_changed_is_found_or_named(published: Published) -> None:
    assert unseen_changes(published) == []


def test_every_entry_taken_out_is_found_or_named(published: Published) -> None:
    assert unseen_removals(published) == []


def test_a_dropped_promise_is_found(published: Published) -> None:
    assert unseen_drops(published) == []


def test_a_stronger_promise_told_everywhere_alike_is_found(published: Published) -> None:
    assert set(published.forged) == {promise["name"] for promise in published.told["promises"]}
    assert unseen_forgeries(published) == []


def test_every_way_is_among_the_kinds() -> None:
    assert {type(algorithm).name for algorithm, _forged in KINDS.values()} == set(ALGORITHMS.names())


@pytest.mark.parametrize("value", [2, MANY])
def test_a_number_of_users_that_no_such_file_has_is_found(tmp_path: Path, value: int) -> None:
    source = room_of("places").read(PLACES, walks(tmp_path), SILENT).source
    project = Project(name="walks", source=source, k=3, algorithm=HilbertCloak())
    sent = publish(project, "out.csv", tmp_path, {}, {})
    told = sent.told | {"numbers": sent.told["numbers"] | {"smallest_region": value}}
    result = sent.sealed(told)
    assert result is not None
    assert [each for each in result.differences if "numbers.smallest_region" in each]
    first = sent.told["promises"][0] | {"value": value}
    result = sent.sealed(sent.told | {"promises": [first, *sent.told["promises"][1:]]})
    assert result is not None
    assert [each for each in result.differences if "promises.region-k.value" in each]


def test_without_positions_the_emptiest_region_is_only_bounded(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    x, y = 11.0 + random.exponential(0.01, 80), 48.0 + random.exponential(0.01, 80)
    rows = [f"p{at:02},{lon:.6f},{lat:.6f}" for at, (lon, lat) in enumerate(zip(x, y, strict=True))]
    (tmp_path / "people.csv").write_text("\n".join(["person,lon,lat", *rows]) + "\n", encoding="utf-8")
    source = room_of("places").read(PLACES, Source(str(tmp_path / "people.csv")), SILENT).source
    sent = publish(Project(name="people", source=source, k=5, algorithm=Quadtree()), "out.csv", tmp_path, {}, {})
    for name, change in (
        ("numbers.smallest_region", lambda value: {"numbers": sent.told["numbers"] | {"smallest_region": value}}),
        ("promises.region-k.value", lambda value: {"promises": [sent.told["promises"][0] | {"value": value}]}),
    ):
        honest = sent.sealed(sent.told)
        assert honest is not None
        assert honest.holds
        assert "positions are not published" in honest.not_measured[name]
        for value in (4, 81, MANY):
            result = sent.sealed(sent.told | change(value))
            assert result is not None
            assert [each for each in result.differences if name in each]


@pytest.mark.parametrize("latitude", [70.0, -40.0])
def test_a_latitude_that_cannot_be_the_middle_is_found(tmp_path: Path, latitude: float) -> None:
    source = room_of("places").read(PLACES, walks(tmp_path), SILENT).source
    sent = publish(
        Project(name="walks", source=source, k=3, algorithm=NeverWalkAlone(delta=400.0)), "out.csv", tmp_path, {}, {}
    )
    result = sent.sealed(sent.told | {"written": sent.told["written"] | {"latitude": latitude}})
    assert result is not None
    assert [each for each in result.differences if "written.latitude" in each]
