"""What a run would lose, before a release is made of it: the method alone, without the recount."""

from dataclasses import dataclass

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.rooms.baskets.placing import placed
from anonymizer_gui.engine.rooms.baskets.project import Project
from anonymizer_gui.engine.rooms.baskets.promises.contract import together
from anonymizer_gui.engine.rooms.baskets.rules import Rules
from anonymizer_gui.engine.sets.encoding import DELETED


@dataclass(frozen=True, slots=True)
class Ahead:
    """Loss, values left and deletions of a run; a problem where it cannot be run."""

    ncp: float = 1.0
    values_left: int = 0
    deleted: int = 0
    problem: AnonymizerError | None = None


def look_ahead(baskets: Baskets, project: Project, rules: Rules | None, progress: Progress = SILENT) -> Ahead:
    """Run the method of a project, and say what is lost."""
    try:
        if project.algorithm is None:
            raise BadParameter("No algorithm is chosen.", "Choose one, such as aa-r.")
        data = placed(baskets, project, rules)
        recoding = project.algorithm.run(data, together(project.goals), progress)
    except AnonymizerError as error:
        return Ahead(problem=error)
    return Ahead(recoding.loss(data), len(set(recoding.became.tolist()) - {DELETED}), recoding.deleted())
