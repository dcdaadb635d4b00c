"""How a project about baskets begins: two known items, five baskets, and a tree by the alphabet until there is one."""

from pathlib import Path

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.room import NewProject
from anonymizer_gui.engine.rooms.baskets.algorithms.aa_r import AaR
from anonymizer_gui.engine.rooms.baskets.project import Project
from anonymizer_gui.engine.rooms.baskets.promises.few_items import FewItems
from anonymizer_gui.engine.rooms.baskets.trees.alphabetical import Alphabetical
from anonymizer_gui.engine.rooms.baskets.trees.contract import build
from anonymizer_gui.engine.storage.sources import Source


def begin(source: Source, baskets: Baskets, progress: Progress) -> NewProject:
    """Start a project with the usual promise and method."""
    tree = build(Alphabetical(), baskets, progress)
    note = message(
        "The tree of items is by the alphabet so far: bring your own, or compare several on the Protect page."
    )
    project = Project(
        name=Path(source.path).stem,
        source=source,
        goals=(FewItems(),),
        algorithm=AaR(),
        hierarchies={ITEMS: tree},
    )
    return NewProject(project, (note,))
