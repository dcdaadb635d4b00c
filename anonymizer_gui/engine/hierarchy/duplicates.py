"""Labels that stand twice in a hierarchy file: refused with line and reason, and repaired with one call."""

from functools import cached_property

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import Message, as_message, join_messages, message
from anonymizer_gui.engine.hierarchy.sketch import Duplicate, Mention, Sketch
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_LISTED = 10
_HINT = "Keep one of the places, or repair the file: values keep their first place, groups get names of their own."


class DoubleLabels(BadHierarchy):
    """A file in which labels stand twice: says where, and can be repaired.

    >>> error = DoubleLabels(Sketch("f", ["*", "x", "a", "y", "b", "a"], [-1, 0, 1, 0, 3, 3], [1, 1, 1, 2, 2, 3]))
    >>> error.message
    'f, line 3: “a” has two parents, “x” (line 1) and “y”.'
    >>> error.repaired().leaf_labels
    ('a', 'b')
    """

    def __init__(self, sketch: Sketch) -> None:
        clashes = [_clash(sketch, label, nodes) for label, nodes in sketch.clashes.items()]
        clashes += [_repetition(sketch, mention) for mention in sketch.mentions]
        (line, reason), *others = sorted(clashes)
        super().__init__(at_line(sketch.name, line, join_messages(reason, _more([at for at, _ in others]))), _HINT)
        self._sketch = sketch

    @cached_property
    def duplicates(self) -> tuple[Duplicate, ...]:
        """The labels that stand twice, in the order of the file."""
        return tuple(self._sketch.duplicate(label) for label in self._sketch.doubles())

    def repaired(self) -> Hierarchy:
        """Make the tree all the same.

        A value keeps its first place. Groups of the same path become one, a group directly in a group of the same
        name goes up in it. Other groups of the same name get a number, and those named like a value `(group)`.
        Groups left without values disappear; a value `*` is no value where `*` is the root.
        """
        return self._sketch.thinned().renamed().tree()


def settle(sketch: Sketch) -> Hierarchy:
    """Give the tree; raises DoubleLabels when a label stands for two sets of values."""
    if sketch.mentions or sketch.clashes:
        raise DoubleLabels(sketch)
    return sketch.tree()


def _clash(sketch: Sketch, label: str, nodes: list[int]) -> tuple[int, str]:
    """Give the line and the reason of a label's second place."""
    home, *others = nodes
    second = next((node for node in others if not sketch.are_one(home, node)), others[0])
    *_, parent = sketch.groups_above(second)
    if parent != label:
        return sketch.lines[second], _two_parents(sketch, label, home, parent)
    if sketch.is_group[second]:
        return sketch.lines[second], message("“{label}” stands in a group of the same name.", label=label)
    return sketch.lines[second], message("“{label}” is a value and also the group of other values.", label=label)


def _repetition(sketch: Sketch, mention: Mention) -> tuple[int, str]:
    label, parent = sketch.labels[mention.node], sketch.labels[mention.parent]
    if sketch.groups_above(mention.node)[-1:] == (parent,):
        return mention.line, message("“{label}” stands twice in the same group.", label=label)
    return mention.line, _two_parents(sketch, label, mention.node, parent)


def _two_parents(sketch: Sketch, label: str, home: int, second: str) -> str:
    groups = sketch.groups_above(home)
    if not groups:
        return message("“{label}” is the root and stands under “{group}” too.", label=label, group=second)
    return message(
        "“{label}” has two parents, “{one}” (line {line}) and “{two}”."
        if sketch.lines[home]
        else "“{label}” has two parents, “{one}” and “{two}”.",
        label=label,
        one=groups[-1],
        line=sketch.lines[home],
        two=second,
    )


def _more(lines: list[int]) -> str:
    """Count the other labels in a sentence of their own, with the first lines."""
    if not lines:
        return ""
    if not lines[0]:
        return message("And {count:more label stands|more labels stand} twice.", count=len(lines))
    return message(
        "And {count:more label stands|more labels stand} twice ({count:~line|lines} {lines}).",
        count=len(lines),
        lines=[*lines[:_LISTED], *(["..."] if len(lines) > _LISTED else [])],
    )


def at_line(name: str, line: int, reason: str) -> Message:
    """Say what is wrong in a line of a file; without a line, only what is wrong."""
    about = as_message(reason)
    return message("{name}, line {line}: {reason}", name=name, line=line, reason=about) if line else about
