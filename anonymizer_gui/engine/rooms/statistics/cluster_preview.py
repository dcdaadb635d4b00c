"""Clusters seen ahead: points that are made up, the centres before and after noise, and the loss for some epsilons."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.rooms.statistics.clustering import Floats, nearest, of_cells
from anonymizer_gui.engine.rooms.statistics.preview import USUAL_ROWS, possible
from anonymizer_gui.engine.rooms.statistics.project import Asked, Project
from anonymizer_gui.engine.rooms.statistics.questions.tables.k_means import KMeans

EPSILONS = tuple(Fraction(text) for text in ("0.03", "0.1", "0.3", "1", "3", "10"))
_DRAWS = 3


@dataclass(frozen=True, slots=True, eq=False)
class ClustersAhead:
    """Made-up points and centres in the units of the columns; losses are mean squared distances between -1 and 1."""

    names: tuple[str, ...]
    points: Floats
    before: Floats
    """The centres that would be found without noise."""
    after: Floats
    """Those of one possible release."""
    losses: tuple[tuple[float, float], ...]
    """Epsilon and mean loss."""
    best: float
    alone: float
    """The loss of a single centre."""
    seed: int


def clusters_ahead(
    asked: Asked, project: Project, epsilon: Fraction, seed: int, progress: Progress = SILENT
) -> ClustersAhead:
    """Cluster made-up points with the noise of the plan; raises BadParameter when the question cannot be asked."""
    question = asked.question
    if not isinstance(question, KMeans):
        raise TypeError("Only clusters have centres.")
    points = question.made_up_points(project.rows or USUAL_ROWS)
    before, _ = of_cells(points, np.ones(len(points)), question.clusters)
    losses = []
    for at, tried in enumerate((*EPSILONS, epsilon)):
        progress(at / (len(EPSILONS) + 1), "Drawing possible releases")
        drawn = possible(asked, project, tried, seed=seed, releases=_DRAWS).draws
        found = [question.centres_of(told.values) for told in drawn]
        losses.append((float(tried), float(np.mean([_loss(points, centres) for centres in found]))))
    alone = float(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean())
    own = [question.in_units(part) for part in (points, before, found[0])]
    return ClustersAhead(
        question.features, own[0], own[1], own[2], tuple(losses[:-1]), _loss(points, before), alone, seed
    )


def _loss(points: Floats, centres: Floats) -> float:
    away = points - centres[nearest(points, centres)]
    return float((away * away).sum(axis=1).mean())
