"""A class while it grows: the structure its records share, and which vertex of each stands where."""

from dataclasses import dataclass, field

from anonymizer_gui.engine.rooms.trees.patterns_pool import Pool

Groups = dict[int, "list[Position]"]


@dataclass(slots=True, eq=False)
class Position:
    """One place of the shared structure: the vertex of every record there, its pattern, and the places below."""

    pattern: int
    vertices: list[int]
    below: Groups = field(default_factory=dict)


def position_of(pool: Pool, found: dict[int, int], vertex: int) -> Position:
    """Give the structure of one record."""
    below: Groups = {}
    for child in pool.held.children[vertex]:
        below.setdefault(int(pool.held.trees.branch_of[child]), []).append(position_of(pool, found, child))
    return Position(found[vertex], [vertex], below)


def joined(pool: Pool, shared: Position, other: Position) -> None:
    """Let a record join: labels become what both have in common, children without a partner go."""
    size = len(shared.vertices)
    labels = pool.joined(shared.pattern, other.pattern)
    shared.vertices += other.vertices
    for branch in list(shared.below):
        mine, theirs = shared.below[branch], other.below.get(branch, [])
        pairs = pool.pairs([each.pattern for each in mine], [each.pattern for each in theirs], size)
        for at, partner in pairs:
            joined(pool, mine[at], theirs[partner])
        shared.below[branch] = [mine[at] for at, _ in pairs]
        if not pairs:
            del shared.below[branch]
    shared.pattern = renumbered(pool, shared, labels)


def renumbered(pool: Pool, shared: Position, labels: tuple[int, ...] | None = None) -> int:
    """Give the number of the pattern as it is now."""
    kids = tuple(
        (branch, tuple(sorted(each.pattern for each in some))) for branch, some in sorted(shared.below.items()) if some
    )
    own = pool.labels[shared.pattern] if labels is None else labels
    return pool.number(pool.branch[shared.pattern], own, kids)
