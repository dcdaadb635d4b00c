"""How far a release is from the best: the loss below which no recoding with its hierarchies can be."""

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.normalisation import merge_homographs_in
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.search import Curve
from anonymizer_gui.engine.rooms.microdata.algorithms.least_loss import least_loss
from anonymizer_gui.engine.rooms.microdata.encoding import encode_table, goals_for
from anonymizer_gui.engine.rooms.microdata.recoding import RANGE
from anonymizer_gui.engine.rooms.microdata.release import Release


def how_far(release: Release, table: Table, population: Table | None, progress: Progress = SILENT) -> float | None:
    """Give the proven bound for the settings of a release; None where ranges of no hierarchy were published.

    None, too, where there are too many combinations to prove one, and where sets lose something besides. What the
    search of the release has proven counts as well, where that is more.
    """
    if (release.recoding.node == RANGE).any() or release.project.schema.sets:
        return None
    merged = merge_homographs_in(table, release.project.schema.names(Role.SA))
    encoded = encode_table(merged, release.project, population, progress.sub(0.0, 0.1))
    least = least_loss(encoded, goals_for(encoded, release.project, merged), progress.sub(0.1, 1.0))
    way = release.recoding.search
    known = way.bound if isinstance(way, Curve) else None
    return max((bound for bound in (least, known) if bound is not None), default=None)
