"""A finished run: what may be published of places, and what was measured on it; never changed afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES
from anonymizer_gui.engine.rooms.places.project import Project
from anonymizer_gui.engine.rooms.places.publishing import Published

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.places.algorithms.contract import Made


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A finished run. `places` is the original and `made` knows it, too: pages compare them, nothing of it leaves."""

    id: str
    name: str
    project: Project
    places: Places
    made: "Made"
    published: Published
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
