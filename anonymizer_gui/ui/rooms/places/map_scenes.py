"""Maps of places, regions and tracks, made of layers."""

from collections.abc import Sequence

import numpy as np

from anonymizer_gui.engine.data.places.places import Floats, Places
from anonymizer_gui.engine.data.places.roads import Roads
from anonymizer_gui.engine.rooms.places.cloaking import CloakedRegions
from anonymizer_gui.engine.rooms.places.mix_zones import MixedTrajectories
from anonymizer_gui.engine.rooms.places.project import PLACES, ROADS
from anonymizer_gui.engine.rooms.places.trajectories import TiledVisits, TrajectoryClasses
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.places.map_view import BOXES, DOTS, LINES, RINGS, MapLayer, MapScene
from anonymizer_gui.workspace.document import Document

_MANY = 2000


def roads_of(document: Document) -> tuple[MapLayer, ...]:
    """Give the roads below everything, where there are any."""
    roads: Roads | None = document.files.get(ROADS)
    places: Places | None = document.files.get(PLACES)
    if roads is None or places is None:
        return ()
    pieces = roads.in_metres(places.projection)
    starts = list(range(0, 2 * len(pieces) + 1, 2))
    return (MapLayer(LINES, pieces.reshape(-1, 2), "line", 1.5, starts=starts),)


def points_of(places: Places) -> MapLayer:
    """Give every track as a line, or every point where tracks have hardly more than one."""
    at = np.column_stack([places.x, places.y])
    if places.n_points > 2 * len(places) and places.has_time:
        opacity = 0.7 if len(places) < _MANY else 0.35
        return MapLayer(LINES, at, "series_1", 1.0, opacity, starts=places.starts.tolist())
    return MapLayer(DOTS, at, "series_1", 4.0, 0.8)


def data_scene(document: Document, places: Places) -> MapScene:
    """Show what there is."""
    title = tr("Map of {points:point|points} of {tracks:track|tracks}", points=places.n_points, tracks=len(places))
    return MapScene(title, (*roads_of(document), points_of(places)))


def regions_scene(document: Document, made: CloakedRegions, k: int, user: int | None, query: int = 0) -> MapScene:
    """Show regions and users: those whom fewer than k share their region with are red; one may be looked at."""
    at = np.column_stack([made.x[query], made.y[query]])
    is_exposed = made.senders < k
    kinds = np.unique(made.box[query], axis=0)
    layers = [
        *roads_of(document),
        MapLayer(BOXES, kinds, "muted", 1.0, 0.6 if len(kinds) < _MANY else 0.3),
        MapLayer(DOTS, at[~is_exposed], "series_1", 5.0, 0.9),
        MapLayer(DOTS, at[is_exposed], "bad", 6.0, 1.0),
    ]
    if user is not None:
        same = made.region_of == made.region_of[user]
        layers += [
            MapLayer(BOXES, made.box[query, user][None], "series_2", 3.0),
            MapLayer(DOTS, at[same], "series_2", 8.0),
            MapLayer(DOTS, at[user][None], "bad", 12.0),
        ]
    return MapScene(tr("Map of regions; users in a region that fewer than k send are red"), layers)


def trajectories_scene(document: Document, places: Places, made: TrajectoryClasses, chosen: int | None) -> MapScene:
    """Show tracks before, pale, and after, a colour per class; or one class with the tracks it was made of."""
    if chosen is None:
        shown = [each.shown[0] for each in made.classes]
        after = _joined(shown, range(len(shown)), 2.5)
        before = MapLayer(LINES, np.column_stack([places.x, places.y]), "muted", 0.8, 0.25, places.starts.tolist())
        return MapScene(tr("Tracks before, pale, and after"), (*roads_of(document), before, after))
    one = made.classes[chosen]
    true = _joined(list(one.true), [0] * len(one.tracks), 1.2, opacity=0.8)
    after = _joined(list(one.shown), [1] * len(one.tracks), 3.5)
    return MapScene(
        tr("One class: the tracks it was made of, and what is published"), (*roads_of(document), true, after)
    )


def _joined(lines: Sequence[Floats], shades: Sequence[int], width: float, opacity: float = 0.9) -> MapLayer:
    sizes = [len(line) for line in lines]
    starts = [0, *np.cumsum(sizes).tolist()]
    at = np.concatenate(lines) if lines else np.empty((0, 2))
    return MapLayer(LINES, at, width=width, opacity=opacity, starts=starts, shades=list(shades))


def mix_zones_scene(document: Document, made: MixedTrajectories) -> MapScene:
    """Show zones and the legs between them, a colour per pseudonym."""
    lines = [_leg(made, leg) for leg in range(len(made.legs))]
    legs = _joined(lines, made.pseudonym, 1.2, 0.8)
    return MapScene(
        tr("Map of zones and tracks; the colour is the pseudonym"), (*roads_of(document), legs, zones_layer(made))
    )


def zones_layer(made: MixedTrajectories, chosen: int | None = None) -> MapLayer:
    """Give the zones, or one of them."""
    return MapLayer(RINGS, made.zones if chosen is None else made.zones[chosen][None], "series_3", 2.0, 0.35)


def passage_scene(
    document: Document, made: MixedTrajectories, passage: int, exits: Sequence[tuple[int, float]]
) -> MapScene:
    """Show one passage as an attacker sees it: the way in, and every way out, the likelier the thicker."""
    one = made.passages[passage]
    layers = [*roads_of(document), zones_layer(made, one.zone)]
    for leg, chance in exits:
        width = 1.0 + 7.0 * chance
        color = "bad" if leg == one.after else "series_1"
        layers.append(MapLayer(LINES, _leg(made, leg), color, width, 0.3 + 0.7 * chance, starts=[0]))
    layers.append(MapLayer(LINES, _leg(made, one.before), "series_2", 3.0, starts=[0]))
    return MapScene(
        tr("One passage: the way in, and the ways out, the likelier the thicker; the true one is red"), layers
    )


def _leg(made: MixedTrajectories, leg: int) -> Floats:
    _track, low, high = made.legs[leg]
    return np.column_stack([made.places.x[low:high], made.places.y[low:high]])


def tiles_scene(document: Document, made: TiledVisits) -> MapScene:
    """Show the tiles that are told, whatever their time."""
    boxes = np.array(sorted({made.box(node) for nodes in made.sets for node in nodes})).reshape(-1, 4)
    return MapScene(
        tr("Map of the tiles that are told"), (*roads_of(document), MapLayer(BOXES, boxes, "series_1", 1.5, 0.8))
    )
