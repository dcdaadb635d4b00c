"""The release and its measured numbers."""

import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.places.places import FULL_TURN, Floats, Places, Projection
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES, TRACKS
from anonymizer_gui.engine.rooms.places.cloaking import SIDE_QUANTILE, CloakedRegions
from anonymizer_gui.engine.rooms.places.mix_zones import MixedTrajectories
from anonymizer_gui.engine.rooms.places.output_format import PublishedTables
from anonymizer_gui.engine.rooms.places.project import Project
from anonymizer_gui.engine.rooms.places.trajectories import TiledVisits, TrajectoryClasses
from anonymizer_gui.engine.sets.support import count_support, distinct_pairs

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.places.algorithms.contract import ProtectedPlaces


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


def measure_regions(made: CloakedRegions) -> dict[str, Json]:
    """Measure who is in regions and who waits."""
    waits = made.waits if made.waits is not None else np.zeros(0)
    return {
        "users": made.people or made.n_users,
        "answers": made.n_users,
        "queries": made.n_queries,
        "smallest_region": int(made.inside.min()) if made.n_users else 0,
        "single_spots": int((made.spots < 2).sum()),
        "median_wait_s": float(np.median(waits)) if len(waits) else 0.0,
        "p90_wait_s": float(np.quantile(waits, SIDE_QUANTILE)) if len(waits) else 0.0,
        "withheld": made.withheld,
    }


def regions_as_written(published: PublishedTables, projection: Projection, k: int) -> dict[str, Json]:
    """Measure regions as they are written: those whose edges are rounded to the same are one."""
    at = published.head.index("query") if "query" in published.head else None
    sent = Counter(row if at is None else row[:at] for row in published.rows if at is None or row[at] == "1")
    sides = _sides(published, projection)
    return {
        "regions": len(sent),
        "fewest_senders": min(sent.values(), default=0),
        "reciprocal": sum(many for many in sent.values() if many >= k) / sent.total() if sent else 1.0,
        "median_side_m": float(np.median(sides)) if len(sides) else 0.0,
        "p90_side_m": float(np.quantile(sides, SIDE_QUANTILE)) if len(sides) else 0.0,
    }


def _sides(published: PublishedTables, projection: Projection) -> Floats:
    """Give the side of a square as large as each written region, in metres."""
    first = next(at for at, name in enumerate(published.head) if name.endswith("_min"))
    cells = np.array([row[first : first + 4] for row in published.rows], dtype=float).reshape(-1, 4)
    wide, high = cells[:, 2] - cells[:, 0], cells[:, 3] - cells[:, 1]
    if projection.is_degrees:
        scale = projection.metres_per_degree()
        wide, high = wide % FULL_TURN * scale[0], high * scale[1]
    found: Floats = np.sqrt(wide * high)
    return found


def measure_trajectories(made: TrajectoryClasses, published: PublishedTables) -> dict[str, Json]:
    """Measure classes of tracks; where tracks of a class are the same, all that are written the same are one class."""
    apart = made.displacements
    sizes = [len(each.tracks) for each in made.classes] if made.delta else list(_alike(published).values())
    return {
        "tracks": made.n_tracks,
        "published": made.n_kept,
        "lost": len(made.lost),
        "lost_why": dict(sorted(Counter(made.lost.values()).items())),
        "classes": len(sizes),
        "smallest_class": min(sizes, default=0),
        "points": sum(each.shown.shape[0] * each.shown.shape[1] for each in made.classes),
        "cut": made.cut,
        "step_s": made.step,
        "mean_displacement_m": made.mean_displacement,
        "p90_displacement_m": float(np.quantile(apart, SIDE_QUANTILE)) if len(apart) else 0.0,
    }


def _alike(published: PublishedTables) -> Counter[tuple[tuple[str, ...], ...]]:
    """Count the tracks that are written the same."""
    tracks = itertools.groupby(published.rows, key=lambda row: row[0])
    return Counter(tuple(row[2:] for row in rows) for _number, rows in tracks)


def measure_mixing(made: MixedTrajectories) -> dict[str, Json]:
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


def measure_tiles(made: TiledVisits) -> dict[str, Json]:
    """Measure tiles and slots."""
    return {
        "people": len(made.sets),
        "left_out": made.people - len(made.sets),
        "visits": made.visits,
        "published": len(made.published),
        "deleted": made.deleted,
        "ncp": made.loss,
        "kinds": made.kinds,
        "kinds_left": made.kinds_left,
        "smallest_support": _fewest_sharing(made),
    }


def _fewest_sharing(made: TiledVisits) -> int:
    """Count the fewest people who share any few tiles and slots that somebody has; 0 when nobody has any."""
    person, node = made.published[:, 0], made.published[:, 1]
    held = distinct_pairs(person, node.astype(np.int32), made.people, len(made.nodes))
    found = [count_support(held, size, SILENT)[1] for size in range(1, made.known + 1)]
    return min((int(counts.min()) for counts in found if len(counts)), default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished run. `places` is the original and `made` knows it, too: pages compare them, nothing of it leaves."""

    id: str
    name: str
    project: Project
    places: Places
    made: "ProtectedPlaces"
    published: PublishedTables
    measured: Mapping[str, Json]
    unique: Mapping[str, list[float]]
    """The uniqueness curve before and after; nothing for regions."""
    promises: tuple[Promise, ...]
    notes: tuple[str, ...]
    seconds: Mapping[str, float]
    version: str
    created: str

    def sentence(self) -> str:
        """Say in a few words what was made."""
        found = self.measured
        if self.project.way == CLOAK:
            return message(
                "{users:user|users} in {regions:region|regions}, half of them smaller than {side:,.0f} m, "
                "{share:.0%} reciprocal",
                users=found["users"], regions=found["regions"], side=found["median_side_m"], share=found["reciprocal"],
            )  # fmt: skip
        if self.project.way == TILES:
            return message(
                "{visits:visit|visits} of {people:person|people} as tiles and slots, {share:.1%} deleted, loss "
                "{ncp:.2f}, any few of them shared by {k}",
                visits=found["published"], people=found["people"], share=found["deleted"] / max(found["visits"], 1),
                ncp=found["ncp"], k=found["smallest_support"],
            )  # fmt: skip
        if self.project.way == MIX:
            return message(
                "{tracks:track|tracks} under {names:pseudonym|pseudonyms}, {zones:zone|zones}, sets of {nominal:.1f} "
                "worth {effective:.1f}, {share:.0%} linked",
                tracks=found["tracks"], names=found["pseudonyms"], zones=found["zones"], nominal=found["nominal"],
                effective=found["effective"], share=found["linked"],
            )  # fmt: skip
        return message(
            "{tracks:track|tracks} in {classes:class|classes} of at least {k}, {lost} lost, moved by {metres:,.0f} m "
            "on average",
            tracks=found["published"], classes=found["classes"], k=found["smallest_class"], lost=found["lost"],
            metres=found["mean_displacement_m"],
        )  # fmt: skip

    def to_json(self) -> dict[str, Json]:
        """Give the numbers of the run as the command line prints them."""
        return {
            **self.measured,
            "unique": {name: list(shares) for name, shares in self.unique.items()},
            "way": self.project.way,
            "k": self.project.k,
            "algorithm": self.project.algorithm.name,
            "parameters": params_json(self.project.algorithm),
            "seconds": dict(self.seconds),
            "seed": self.project.seed,
            "version": self.version,
            "notes": list(self.notes),
        }
