"""Proposes a role for every path of labels, each with its reason; nothing is applied unless a project begins."""

import re
from dataclasses import dataclass, replace

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.suggestions import suggest_columns
from anonymizer_gui.engine.data.tables.table import MISSING, ColumnType, Role, Table
from anonymizer_gui.engine.data.trees.trees import TAIL, TEXT, Leaf, Trees
from anonymizer_gui.engine.rooms.trees.project import PathSchema
from anonymizer_gui.engine.rooms.trees.roles import OF_COLUMN, PathRole

_JUDGED = re.compile(r"grade|score|mark|gpa|rating|evaluat|price|cost|amount|paid|fee|result|note$", re.IGNORECASE)
_FREE = re.compile(r"comment|remark|note|text|description|message", re.IGNORECASE)
_LONG = 40


@dataclass(frozen=True, slots=True)
class PathSuggestion:
    """What a path seems to be, and why."""

    schema: PathSchema
    reason: str


def suggestions_for(trees: Trees, progress: Progress = SILENT) -> tuple[PathSuggestion, ...]:
    """Propose the role and the type of every path, in order."""
    found = []
    for at, leaf in enumerate(trees.leaves):
        progress(at / len(trees.leaves), message("Looking at “{name}”", name=leaf.path))
        found.append(_suggested(leaf, trees))
    return tuple(found)


def _suggested(leaf: Leaf, trees: Trees) -> PathSuggestion:
    name = leaf.name.lstrip("@") if leaf.name not in ("", TEXT, TAIL) else trees.branches[leaf.branch].name
    column = replace(leaf.column, name=name.rpartition(":")[2] or leaf.path)
    told = suggest_columns(Table((column,)))[0]
    labels = [label for label in leaf.column.labels if label != MISSING]
    length = sum(map(len, labels)) / max(len(labels), 1)
    role, reason = OF_COLUMN[told.role], told.reason
    if role is PathRole.PUBLIC or (role is PathRole.IDENTIFIER and length > _LONG):
        if length > _LONG or (_FREE.search(name) and told.type is ColumnType.TEXT):
            role, reason = PathRole.REMOVE, message("This is free text, which may name anybody.")
        elif told.role is Role.OTHER:
            role, reason = _by_meaning(name)
    return PathSuggestion(PathSchema(leaf.path, role, told.type, told.format), reason)


def _by_meaning(name: str) -> tuple[PathRole, str]:
    if _JUDGED.search(name):
        return PathRole.SENSITIVE, message("The name speaks of a judgement or of money: people may not want it known.")
    return PathRole.QUASI, message("Others may know what somebody did or has; a few of these can point to one person.")
