"""The numbers of a run, measured on what was made: sizes of regions and classes, what was lost, what it cost."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES, TRACKS
from anonymizer_gui.engine.rooms.places.cloaking.regions import SIDE_QUANTILE, Regions
from anonymizer_gui.engine.rooms.places.mixing.mixed import Mixed
from anonymizer_gui.engine.rooms.places.tiles.tiled import Tiled
from anonymizer_gui.engine.rooms.places.tracks.grouped import Grouped

KEYS: Mapping[str, tuple[str, ...]] = {
    CLOAK: ("users", "smallest_region", "reciprocal", "median_side_m", "p90_side_m"),
    MIX: (
        "tracks",
        "zones",
        "passages",
        "swapped",
        "smallest_mix",
        "nominal",
        "effective_timing",
        "effective",
        "linked",
    ),
    TILES: ("people", "visits", "deleted", "ncp", "kinds", "kinds_left", "smallest_support"),
    TRACKS: ("tracks", "lost", "smallest_class", "mean_displacement_m"),
}
"""What the command line prints of each way."""


def regions_measured(made: Regions, k: int) -> dict[str, Json]:
    """Measure regions."""
    sides = made.sides
    waits = made.waits if made.waits is not None else np.zeros(0)
    return {
        "users": made.people or made.n_users,
        "answers": made.n_users,
        "queries": made.n_queries,
        "regions": int(made.region_of.max()) + 1 if made.n_users else 0,
        "smallest_region": int(made.inside.min()) if made.n_users else 0,
        "fewest_senders": int(made.senders.min()) if made.n_users else 0,
        "reciprocal": made.reciprocal(k),
        "median_side_m": float(np.median(sides)) if len(sides) else 0.0,
        "p90_side_m": float(np.quantile(sides, SIDE_QUANTILE)) if len(sides) else 0.0,
        "single_spots": int((made.spots < 2).sum()),
        "median_wait_s": float(np.median(waits)) if len(waits) else 0.0,
        "p90_wait_s": float(np.quantile(waits, SIDE_QUANTILE)) if len(waits) else 0.0,
        "withheld": made.withheld,
    }


def tracks_measured(made: Grouped) -> dict[str, Json]:
    """Measure classes of tracks."""
    apart = made.displacements
    return {
        "tracks": made.n_tracks,
        "published": made.n_kept,
        "lost": len(made.lost),
        "lost_why": dict(sorted(Counter(made.lost.values()).items())),
        "classes": len(made.classes),
        "smallest_class": made.smallest,
        "points": sum(each.shown.shape[0] * each.shown.shape[1] for each in made.classes),
        "cut": made.cut,
        "step_s": made.step,
        "mean_displacement_m": made.mean_displacement,
        "p90_displacement_m": float(np.quantile(apart, SIDE_QUANTILE)) if len(apart) else 0.0,
    }


def mix_measured(made: Mixed) -> dict[str, Json]:
    """Measure mixing: nominal and effective sets, and what is linked nevertheless."""
    sizes = made.mean_sizes()
    kept = sum(high - low for _track, low, high in made.legs)
    return {
        "tracks": len(made.places),
        "zones": len(made.zones),
        "passages": len(made.passages),
        "swapped": made.swapped,
        "alone": made.alone,
        "pseudonyms": len(set(made.pseudonym)),
        "mixes": len(made.attacked),
        "smallest_mix": min((len(each.members) for each in made.attacked), default=0),
        "nominal": sizes["nominal"],
        "effective_timing": sizes["timing"],
        "effective": sizes["both"],
        "below_k": made.below(made.k),
        "linked": made.linked,
        "points": kept,
        "silent": made.places.n_points - kept,
    }


def tiles_measured(made: Tiled, smallest: int) -> dict[str, Json]:
    """Measure tiles and slots; the smallest support is what the recount found."""
    return {
        "people": len(made.sets),
        "left_out": made.people - len(made.sets),
        "visits": made.visits,
        "published": len(made.published),
        "deleted": made.deleted,
        "ncp": made.loss,
        "kinds": made.kinds,
        "kinds_left": made.kinds_left,
        "smallest_support": smallest,
    }
