"""A project as JSON: everything that is decided, in the order a person would read it."""

from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.projects.entries import plain_json, registered_json
from anonymizer_gui.engine.rooms.microdata.kept_trees import tree_json
from anonymizer_gui.engine.rooms.microdata.project import Project


def to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources, in the order a person would read it.

    Hierarchies that are not used stay out: their leaves are values of columns that are removed or of no role.
    """
    rules = {"rules": {name: registered_json(rule) for name, rule in project.rules.items()}} if project.rules else {}
    return {
        "columns": [
            {"name": c.name, "type": c.type.value, "format": c.format, "role": c.role.value}
            for c in project.schema.columns
        ],
        "goals": [registered_json(goal) for goal in project.goals],
        "algorithm": registered_json(project.algorithm) if project.algorithm is not None else None,
        "suppression": project.suppression,
        "limit_covers_emptied": project.limit_covers_emptied,
        "weights": dict(project.weights),
        "bounds": {name: list(bounds) for name, bounds in project.bounds.items()},
        "uneven": project.uneven,
        "seed": project.seed,
        "publishing": plain_json(project.publishing),
        "acknowledged": list(project.acknowledged),
        "hierarchies": {name: tree_json(tree) for name, tree in project.saved_hierarchies().items()},
        **rules,
    }
