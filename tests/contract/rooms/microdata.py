"""A hospital with planted values: names, a row that must be suppressed, and places the hierarchies lift."""

from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.microdata.project import POPULATION, TABLE, Publishing
from anonymizer_gui.engine.storage.sources import Source
from tests.canaries import PEOPLE, SUPPRESSED, UNUSED, canary_project, canary_table
from tests.contract.room_samples import RoomSample

LEAVES = ("13050", "13051", "13052", "13053")


def sample(folder: Path) -> RoomSample:
    """Give a project that uses every entry: pseudonyms, weights, bounds, hierarchies, a population."""
    write_table(canary_table(), folder / "hospital.csv")
    write_table(canary_table(), folder / "town.csv")
    room = room_of("microdata")
    places = {TABLE: folder / "hospital.csv", POPULATION: folder / "town.csv"}
    sources = {role: room.read(role, Source(str(path)), SILENT).source for role, path in places.items()}
    project = canary_project(weights={"age": 2.0}, publishing=Publishing(pseudonyms=(("name", "keyed"),)))
    return RoomSample(
        project.with_sources(sources),
        "out.csv",
        hidden=(*PEOPLE, *SUPPRESSED, *LEAVES, UNUSED),
        only_released=("@Heart", "+Asthma"),
    )


_SOURCE, _TREES = "about the source, which is not published", "the hierarchies are not published"
_SEARCH, _LEDGER = "a setting of the search leaves no trace", "the ledger is not published"
NOT_MEASURED: dict[str, str] = {
    **dict.fromkeys(("source", "population", "prepared"), _SOURCE),
    "columns.*.type": "types say how the source was read",
    "columns.*.format": "formats say how the source was read",
    "hierarchies": _TREES,
    "levels.*.levels": _TREES,
    **{
        f"recipe.{name}": _SEARCH
        for name in (
            *("algorithm", "title", "parameters", "suppression", "limit_covers_emptied", "weights", "bounds", "uneven"),
            *("seed", "suppressed_as_stars", "row_order", "linkable", "left_out", "public_values"),
        )
    },
    **dict.fromkeys(("tried", "made_by", "attacks", "numbers.md"), _SEARCH),
    **dict.fromkeys(
        ("numbers.lm", "numbers.lm_total", "numbers.lm_columns", "loss_per_column"), "the inside copy has it"
    ),
    **dict.fromkeys(("meetings", "ledger", "checks.meetings"), _LEDGER),
    **dict.fromkeys(("checks.identifiers", "checks.hierarchies"), _SOURCE),
    "checks.others": "somebody has agreed, or not",
    **{
        f"attacks_run.{name}.{figure}": "the population is not published"
        for name in ("journalist", "marketer", "uniqueness")
        for figure in ("value", "hit")
    },
}
"""Entries of the certificate that no file can confirm, with the reason."""
FORGED: dict[str, dict[str, Any]] = {"k": {"k": 21}, "l": {"l": 5}}
"""A stronger value of a parameter of every promise, which a forger would like to be believed."""
