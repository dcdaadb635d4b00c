"""Categories as somebody types them: one in each line, what is below another one begins with blanks."""

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_ROOT = "*"


def typed_hierarchy(text: str) -> Hierarchy:
    """Make a hierarchy of lines; raises BadHierarchy when there is none or one stands twice.

    >>> typed_hierarchy("low\\n  none\\n  basic\\nhigh").leaf_labels
    ('none', 'basic', 'high')
    """
    lines = [line.expandtabs(4) for line in text.splitlines() if line.strip()]
    if not lines:
        raise BadHierarchy("There is no category yet.", "Type one in each line.")
    depths: list[int] = []
    open_indents: list[int] = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        while open_indents and open_indents[-1] >= indent:
            open_indents.pop()
        open_indents.append(indent)
        depths.append(len(open_indents))
    return Hierarchy.from_depths([_ROOT, *(line.strip() for line in lines)], [0, *depths])
