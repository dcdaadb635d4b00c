"""Places from files: layouts, columns, units, times, and what is odd or cannot be read."""

import contextlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, UnreadableFile
from anonymizer_gui.engine.data.places.layout import PlaceOptions, likelihood, sniff_options
from anonymizer_gui.engine.data.places.places import Places, Projection
from anonymizer_gui.engine.data.places.reading import PlacesReadReport, read_places
from anonymizer_gui.engine.data.places.roads import read_roads

GPX = """<?xml version="1.0"?>
<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="x">
<trk><name>Ada</name><trkseg>
<trkpt lat="48.0" lon="11.0"><time>2024-05-01T08:00:00Z</time></trkpt>
<trkpt lat="48.001" lon="11.0"><time>2024-05-01T08:01:00Z</time></trkpt>
</trkseg></trk><trk><name>empty</name></trk></gpx>
"""


def read(path: Path, text: str, **changes: object) -> tuple[Places, PlacesReadReport]:
    path.write_text(text, encoding="utf-8")
    options = sniff_options(path)
    for name, value in changes.items():
        options = PlaceOptions(**{**{field: getattr(options, field) for field in options.__slots__}, name: value})
    return read_places(path, options)


def test_columns_are_recognised_by_their_names_and_degrees_become_metres(tmp_path: Path) -> None:
    places, found = read(
        tmp_path / "a.csv", "user,time,lat,lon\nb,2024-05-01T08:00:00Z,48,11\na,2024-05-01T08:00:00Z,48,11.01\n"
    )
    assert places.names == ("a", "b")
    assert places.x[0] - places.x[1] == pytest.approx(744, abs=1)
    assert places.projection.is_degrees
    assert "“lon”" in found.problems[0]


def test_a_file_without_a_head_is_read_by_its_cells(tmp_path: Path) -> None:
    rows = "".join(f"{user}\t2010-10-12T00:2{user}:28Z\t40.{user}438845\t-73.7{user}28\t23261\n" for user in range(3))
    options = sniff_options(_written(tmp_path / "checkins.tsv", rows))
    assert (options.y, options.x, options.time, options.track) == ("column 3", "column 4", "column 2", "column 1")
    assert likelihood(tmp_path / "checkins.tsv", rows.encode()) >= 0.8


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_column_of_points_is_a_track_per_line(tmp_path: Path) -> None:
    lines = ("[[-8.6,41.1],[-8.61,41.1]]", "[]", "[[-8.6]]")
    text = "TRIP_ID,TIMESTAMP,POLYLINE\n" + "".join(f'{n + 1},1372636858,"{line}"\n' for n, line in enumerate(lines))
    places, found = read(tmp_path / "porto.csv", text)
    assert places.names == ("1",)
    assert np.diff(places.t).tolist() == [15.0]
    assert found.empty == 1
    assert found.bad.first == (4,)


def test_gpx_and_geojson_are_read(tmp_path: Path) -> None:
    places, found = read(tmp_path / "a.gpx", GPX)
    assert (len(places), places.n_points, found.empty) == (1, 2, 1)
    feature = {"type": "Feature", "properties": {"id": "z", "times": [0, 60]},
               "geometry": {"type": "LineString", "coordinates": [[11, 48], [11.001, 48]]}}  # fmt: skip
    told = json.dumps({"type": "FeatureCollection", "features": [feature]})
    places, _found = read(tmp_path / "a.geojson", told)
    assert (places.names, places.t.tolist()) == (("z",), [0.0, 60.0])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.gpx", "<!DOCTYPE x><gpx/>"),
        ("a.gpx", "<gpx"),
        ("a.geojson", "[1]"),
        ("a.geojson", '{"type": 1}'),
        ("b.gpx", GPX[:90]),
    ],
)
def test_what_is_no_track_is_refused_in_one_sentence(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(UnreadableFile) as told:
        read(tmp_path / name, content)
    assert "\n" not in told.value.message
    assert told.value.hint


def test_metres_stay_metres_and_numbers_may_be_seconds_or_milliseconds(tmp_path: Path) -> None:
    places, _found = read(tmp_path / "m.csv", "id,t,x,y\n1,0,10637,11391\n1,10,10797,11488\n")
    assert (places.x.tolist(), places.t.tolist(), places.projection.is_degrees) == ([10637, 10797], [0, 10], False)
    places, _found = read(tmp_path / "n.csv", "id,t,x,y\n1,1372636858000,1,1\n1,1372636859000,2,2\n")
    assert np.diff(places.t).tolist() == [1.0]


def test_a_time_without_a_zone_gets_the_one_that_is_stated_and_says_so(tmp_path: Path) -> None:
    text = "user,time,lat,lon\na,2024-07-01 08:00:00,48,11\n"
    utc, found = read(tmp_path / "z.csv", text)
    berlin, told = read(tmp_path / "z.csv", text, zone="Europe/Berlin")
    assert float(utc.t[0]) - float(berlin.t[0]) == 7200
    assert (found.zone, told.zone) == ("UTC", "Europe/Berlin")
    own, told = read(tmp_path / "z.csv", text.replace("08:00:00", "10:00:00+02:00"), zone="America/New_York")
    assert (float(own.t[0]), told.zone) == (float(utc.t[0]), "")


def test_another_format_of_times_can_be_stated(tmp_path: Path) -> None:
    text = "user,when,lat,lon\na,01.07.2024 08:00,48,11\na,x,48,11\n"
    places, found = read(tmp_path / "f.csv", text, time="when", time_format="%d.%m.%Y %H:%M")
    assert (float(places.t[0]), found.bad.total) == (1719820800.0, 1)
    with pytest.raises(BadParameter):
        read(tmp_path / "f.csv", text, time="when", zone="Atlantis")


def test_commas_and_days_that_come_first_are_read(tmp_path: Path) -> None:
    path = tmp_path / "punkte.csv"
    path.write_text("Nutzer;Breite;Länge;Zeitpunkt\na;52,5;13,4;03.02.2024 08:30\na;52,6;13,5;03.02.2024 08:31\n")
    places, _found = read_places(path, sniff_options(path))
    assert places.projection.is_degrees
    assert np.diff(places.t).tolist() == [60.0]
    assert places.t[0] == datetime(2024, 2, 3, 8, 30, tzinfo=UTC).timestamp()


def test_times_nobody_can_read_are_named(tmp_path: Path) -> None:
    """3/4 may be in March or in April: that is not guessed."""
    path = tmp_path / "points.csv"
    path.write_text("user,lat,lon,time\na,52.5,13.4,03/04/2024 08:30\n")
    with pytest.raises(BadParameter) as told:
        read_places(path, sniff_options(path))
    assert told.value.message == "No time of the file can be read."
    assert read_places(path, replace(sniff_options(path), time_format="%d/%m/%Y %H:%M"))[0].n_points == 1


def test_doubles_speeds_and_gaps_are_listed(tmp_path: Path) -> None:
    rows = [
        "u,t,x,y",
        *(f"a,{t},{t},0" for t in range(0, 100, 10)),
        "a,90,500,0",
        "a,100,9000,0",
        "a,90000,9000,0",
        "b,0,nan,1",
    ]
    places, found = read(tmp_path / "odd.csv", "\n".join(rows), track="u")
    assert (found.bad.first, dict(found.counts)) == ((15,), {"speed": 1, "gap": 1, "double": 1})
    assert [each.track for each in found.odd if each.sort == "double"] == ["a"]
    assert places.names == ("a",)


def test_a_person_may_have_several_tracks(tmp_path: Path) -> None:
    text = "trip,driver,t,x,y\n1,Z,0,0,0\n2,Z,0,5,5\n3,Y,0,9,9\n"
    places, _found = read(tmp_path / "p.csv", text, person="driver")
    assert places.person_of.tolist() == [1, 1, 0]
    assert places.n_people == 2


def test_the_antimeridian_is_no_border() -> None:
    projection = Projection.around(np.array([179.99, -179.99]), np.array([0.0, 0.0]))
    x, _y = projection.metres(np.array([179.99, -179.99]), np.array([0.0, 0.0]))
    assert abs(x[1] - x[0]) == pytest.approx(2224, abs=1)
    back, _lat = projection.degrees(x, np.zeros(2))
    assert back.tolist() == pytest.approx([179.99, -179.99])


@given(st.floats(-179.9, 179.9), st.floats(-80, 80), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_projecting_there_and_back_gives_the_same_place(lon: float, lat: float, east: float, north: float) -> None:
    there = np.array([lon, (lon + east + 180) % 360 - 180]), np.array([lat, lat + north])
    projection = Projection.around(*there)
    back = projection.degrees(*projection.metres(*there))
    assert np.allclose((back[0] - there[0] + 180) % 360 - 180, 0, atol=1e-9)
    assert np.allclose(back[1], there[1])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5), st.integers(0, 9)), max_size=12))
def test_points_stay_with_their_track_in_the_order_of_time(rows: list[tuple[str, int, int]]) -> None:
    places = Places.of(
        [r[0] for r in rows], [float(r[1]) for r in rows], [0.0] * len(rows), [float(r[2]) for r in rows]
    )
    assert sorted(
        zip(np.array(places.names, dtype=object)[places.track_of], places.t, places.x, strict=True)
    ) == sorted((r[0], float(r[2]), float(r[1])) for r in rows)
    assert all((np.diff(places.t[places.points(at)]) >= 0).all() for at in range(len(places)))
    people, _x, _y = places.latest()
    assert len(people) == len(places)
    half = places.take(list(range(0, len(places), 2)))
    assert half.names == places.names[::2]


def test_roads_are_read_from_lines_and_tables(tmp_path: Path) -> None:
    assert read_roads(_written(tmp_path / "r.csv", "a,b,c,d\n0,0,1,1\n")).pieces.tolist() == [[0, 0, 1, 1]]
    line = {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 0], [1, 1]]}}
    told = json.dumps({"type": "FeatureCollection", "features": [line]})
    roads = read_roads(_written(tmp_path / "r.geojson", told))
    assert len(roads.in_metres(Projection(True))) == 2
    with pytest.raises(UnreadableFile):
        read_roads(_written(tmp_path / "bad.csv", "a\nb\n"))


@given(st.text(alphabet='ab,;"\n[]{}1.5-<>', max_size=60))
def test_whatever_is_in_a_file_it_is_read_or_refused_as_an_obstacle(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = _written(tmp_path_factory.mktemp("any") / "any.csv", text)
    with contextlib.suppress(AnonymizerError):
        read_places(path, sniff_options(path))


@pytest.mark.parametrize("chosen", ["town_nodes.csv", "town_edges.csv"])
def test_roads_are_read_from_nodes_and_edges(tmp_path: Path, chosen: str) -> None:
    _written(tmp_path / "town_nodes.csv", "node,x,y\n7,0,0\n8,10,5\n9,20,5\n")
    _written(tmp_path / "town_edges.csv", "a,b,class,length\n7,8,6,11.2\n8,9,4,10.0\n")
    assert read_roads(tmp_path / chosen).pieces.tolist() == [[0, 0, 10, 5], [10, 5, 20, 5]]


def test_half_a_network_says_what_is_missing(tmp_path: Path) -> None:
    edges = _written(tmp_path / "town_edges.csv", "a,b\n7,8\n")
    with pytest.raises(UnreadableFile) as found:
        read_roads(edges)
    assert "town_nodes.csv" in found.value.hint
    _written(tmp_path / "town_nodes.csv", "node,x,y\n7,0,0\n")
    with pytest.raises(UnreadableFile, match="no roads"):
        read_roads(edges)


def test_the_roads_of_oldenburg_open_as_they_are(shared_data: Path) -> None:
    assert len(read_roads(shared_data / "oldenburg" / "oldenburg_edges.csv").pieces) == 7029
