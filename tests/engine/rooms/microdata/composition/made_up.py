"""Small releases of made-up people, and a brute force that tries every way in which their values may lie."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.composition.published_view import PublishedView, published_view

Class = str
Person = str


@dataclass(frozen=True)
class World:
    """Who has which value, and who is in which class of which release."""

    value: Mapping[Person, str]
    releases: tuple[Mapping[Person, Class], ...]

    def shown(self, *goals: Sequence[Mapping[str, Any]]) -> list[PublishedView]:
        """Give the releases; goals[i] are those of release i."""
        promised = [*goals, *([()] * (len(self.releases) - len(goals)))]
        return [
            release(f"R{number}", [(who, of, self.value[who]) for who, of in classes.items()], *mine)
            for number, (classes, mine) in enumerate(zip(self.releases, promised, strict=True))
        ]

    def ways(self) -> list[dict[Person, str]]:
        """Give every way in which the values may lie, given who is in which class and all counts."""
        people = sorted(set().union(*self.releases))
        published = [self._counts(self.value, classes) for classes in self.releases]
        found = []
        for values in product(sorted(set(self.value.values())), repeat=len(people)):
            way = dict(zip(people, values, strict=True))
            if all(self._counts(way, of) == known for of, known in zip(self.releases, published, strict=True)):
                found.append(way)
        return found

    def cell(self, person: Person) -> set[Person]:
        """Give everybody who is in the same classes."""
        signature = [classes.get(person) for classes in self.releases]
        everybody = set().union(*self.releases)
        return {who for who in everybody if [classes.get(who) for classes in self.releases] == signature}

    @staticmethod
    def _counts(values: Mapping[Person, str], classes: Mapping[Person, Class]) -> Counter[tuple[Class, str]]:
        return Counter((of, values[who]) for who, of in classes.items())


def release(name: str, rows: Sequence[tuple[Person, Class, str]], *goals: Mapping[str, Any]) -> PublishedView:
    """Make a release of one quasi-identifier and one sensitive column."""
    table = Table.from_rows(["class", "illness"], [row[1:] for row in rows])
    keys = np.array([who.encode() for who, _, _ in rows], dtype="S16")
    return replace(published_view(name, table, ["class"], ["illness"], keys), goals=tuple(goals))


def goal(model: str, **parameters: Any) -> Mapping[str, Any]:
    """Write a goal as plain data."""
    return {"model": model, "parameters": parameters}


@st.composite
def worlds(draw: st.DrawFn, *, releases: int = 3, people: int = 7, values: int = 3) -> World:
    """Draw overlapping people, each in some of the releases."""
    names = [f"p{number}" for number in range(draw(st.integers(2, people)))]
    labels = [f"v{number}" for number in range(values)]
    value = {name: draw(st.sampled_from(labels)) for name in names}
    n_classes = draw(st.integers(1, 3))
    classes = st.sampled_from(["", *(f"c{number}" for number in range(n_classes))])
    drawn = [{name: draw(classes) for name in names} for _ in range(draw(st.integers(2, releases)))]
    kept = [{name: of for name, of in one.items() if of} for one in drawn]
    used = tuple(one for one in kept if one)
    return World(value, used if len(used) > 1 else ({names[0]: "c0"}, {names[0]: "c0"}))
