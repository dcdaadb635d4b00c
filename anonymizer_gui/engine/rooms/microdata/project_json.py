"""A project as JSON: everything that is decided, in the order a person would read it."""

from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.projects.entries import plain_json, registered_json
from anonymizer_gui.engine.rooms.microdata.project import Project

MADE_BY = "made_by"
"""The entry of a hierarchy that names its builder; earlier versions of the program do not look at it."""


def to_json(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources, in the order a person would read it.

    Hierarchies that are not used stay out: their leaves are values of columns that are removed or of no role.
    """
    rules = {"rules": {name: registered_json(rule) for name, rule in project.rules.items()}} if project.rules else {}
    policies = {"policies": [policy.to_json() for policy in project.policies]} if project.policies else {}
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
        "person": project.person,
        "sampling_weight": project.sampling_weight,
        "household": project.household,
        "hierarchies": {name: _tree(tree) for name, tree in project.saved_hierarchies().items()},
        **policies,
        **rules,
    }


def _tree(tree: Hierarchy) -> Json:
    told = json_tree.to_json(tree)
    return told if tree.made_by is None else {**told, MADE_BY: registered_json(tree.made_by)}
