"""Baskets of a shop with planted items: rare ones that only their groups may show, and the names of customers."""

import csv
import json
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.baskets.algorithms.apriori import AprioriWithoutRoot
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import KmAnonymity, LDiversity
from anonymizer_gui.engine.rooms.baskets.project import TABLE, Project
from anonymizer_gui.engine.storage.sources import Source
from tests.contract.room_samples import RoomSample

RARE = ("Quinoasecret", "Xylitolsecret", "Yuzusecret")
CUSTOMERS = ("Zacharias Canary", "Wilhelmina Canary")
TREE = {"*": {"Food": ["@Bread", "Milk", "Quinoasecret", "Yuzusecret"], "Sweets": ["Honey", "Xylitolsecret"]}}


def sample(folder: Path) -> RoomSample:
    """Give a project that uses every entry: two promises, a sensitive column, a tree, another layout."""
    usual = [["@Bread", "Milk"], ["Milk", "Honey"], ["@Bread", "Honey"], ["@Bread", "Milk", "Honey"]]
    held = [usual[at % 4] for at in range(24)]
    rows = [(f"{CUSTOMERS[at % 2]} {at}", items, "+card" if at % 3 else "cash") for at, items in enumerate(held)]
    rows += [(f"{CUSTOMERS[0]} x{at}", [item, "Milk"], "cash") for at, item in enumerate(RARE)]
    with (folder / "shop.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["customer", "items", "paid"])
        writer.writerows((name, "|".join(items), paid) for name, items, paid in rows)
    options = {"layout": "column", "separator": "|", "item_column": "items"}
    source = room_of("baskets").read(TABLE, Source(str(folder / "shop.csv"), options=options), SILENT).source
    project = Project(
        name="shop",
        source=source,
        goals=(KmAnonymity(k=3, m=2), LDiversity(sensitive="paid", l=2, m=1)),
        algorithm=AprioriWithoutRoot(delete=0.2),
        hierarchies={"items": Hierarchy.from_nested(json.loads(json.dumps(TREE)))},
        layout="long",
        seed=7,
    )
    return RoomSample(project, "out.csv", hidden=(*RARE, *CUSTOMERS), only_released=("+card",))


NOT_MEASURED: dict[str, str] = {
    "checks.meetings": "it needs the ledger",
    "notes": "what the method did to the source",
    "numbers.deleted": "it needs the number of items before, which is in the inside copy",
    "numbers.ncp": "it needs the tree of items and the source; the inside copy has it",
    "recipe.algorithm": "several methods may give the same baskets",
    "recipe.parameters": "several settings may give the same baskets",
    "recipe.seed": "versions of numpy may shuffle differently",
    "source": "the name of a file that is not published",
}
"""Entries of the certificate that no file can confirm, with the reason."""
FORGED: dict[str, dict[str, Any]] = {"km": {"k": 500, "m": 3}, "l": {"l": 40, "m": 3}}
"""A stronger value of a parameter of every promise, which a forger would like to be believed."""
