"""Names for columns: every column has one, and no two have the same."""

from collections.abc import Sequence

from anonymizer_gui.engine.shapes.tables.io.normalise import normalised


def repaired(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Name the nameless, number the repeated; the second part pairs each changed name with its new one.

    >>> repaired(["age", "", "age"])
    (('age', 'column 2', 'age (2)'), (('', 'column 2'), ('age', 'age (2)')))
    """
    clean = [" ".join(normalised(name).split()) or f"column {i}" for i, name in enumerate(names, 1)]
    taken = set(clean)
    times: dict[str, int] = {}
    result: list[str] = []
    for name in clean:
        times[name] = times.get(name, 0) + 1
        new = name
        while times[name] > 1 and new in taken:
            new = f"{name} ({times[name]})"
            times[name] += new in taken
        taken.add(new)
        result.append(new)
    return tuple(result), tuple((old, new) for old, new in zip(names, result, strict=True) if old != new)


def numbered(count: int) -> tuple[str, ...]:
    """Name columns that have no header."""
    return tuple(f"column {i}" for i in range(1, count + 1))
