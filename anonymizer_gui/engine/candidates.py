"""Several releases of one project side by side, one for each algorithm that suits the size of the table."""

from dataclasses import replace

from anonymizer_gui.engine.algorithms.auto import suitable
from anonymizer_gui.engine.anonymize import anonymize
from anonymizer_gui.engine.encoding import encode_table
from anonymizer_gui.engine.errors import Infeasible
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.project import Project
from anonymizer_gui.engine.release import Release
from anonymizer_gui.engine.table import Table


def candidates(
    table: Table, project: Project, progress: Progress = SILENT, population: Table | None = None
) -> tuple[Release, ...]:
    """Make a release with every suitable algorithm, the one that loses least first.

    Algorithms that do not reach the goals are left out; raises Infeasible when none does.
    """
    encoded = encode_table(table, project, population, progress.sub(0.0, 0.05))
    algorithms = suitable(len(encoded.tuples), project.goals)
    found: list[Release] = []
    refused: Infeasible | None = None
    for done, algorithm in enumerate(algorithms):
        start, stop = (0.05 + 0.95 * at / len(algorithms) for at in (done, done + 1))
        try:
            one = replace(project, algorithm=algorithm)
            found.append(anonymize(table, one, progress.sub(start, stop), population))
        except Infeasible as error:
            refused = refused or error
    if refused is not None and not found:
        raise refused
    return tuple(sorted(found, key=lambda release: release.measured.lm or 0.0))
