"""Named things found by walking their package; several asked one after the other."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Protocol, TypeVar

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import Progress


class Named(Protocol):
    """What everything registered has: a name for files and command line, a title and a summary for people."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]


E = TypeVar("E", bound=Named)


@dataclass(slots=True)
class Registry(Generic[E]):
    """The classes that keep one contract, discovered in one package on first use; each stands beside its contract."""

    sort: str
    package: str
    _entries: dict[str, type[E]] = field(default_factory=dict)
    _found: bool = False

    def register(self, entry: type[E]) -> type[E]:
        """Register a class that has `name`, `title` and `summary`; used as a decorator."""
        name = entry.name
        known = self._entries.get(name, entry)
        if (known.__module__, known.__qualname__) != (entry.__module__, entry.__qualname__):
            raise ValueError(f"Two {self.sort}s are called {name}.")
        self._entries[name] = entry
        return entry

    def get(self, name: str) -> type[E]:
        """Return the class of that name; raises BadParameter with the names there are."""
        self._discover()
        if name not in self._entries:
            raise BadParameter(
                message("There is no {sort} “{name}”.", sort=message(self.sort), name=name),
                message("There are: {known}.", known=self.names()),
            )
        return self._entries[name]

    def names(self) -> list[str]:
        """List the names, sorted."""
        self._discover()
        return sorted(self._entries)

    def __iter__(self) -> Iterator[type[E]]:
        """Walk the classes in the order of their names."""
        return iter([self._entries[name] for name in self.names()])

    def _discover(self) -> None:
        if self._found:
            return
        package = importlib.import_module(self.package)
        for module in pkgutil.walk_packages(package.__path__, self.package + "."):
            importlib.import_module(module.name)
        self._found = True


N = TypeVar("N", bound=Named)

R = TypeVar("R")


def try_each(
    declared: Sequence[N], measure: Callable[[N, Progress], R], progress: Progress
) -> dict[str, R | AnonymizerError]:
    """Give what was found under the name of each, or why it could not be measured."""
    found: dict[str, R | AnonymizerError] = {}
    for number, one in enumerate(declared):
        part = progress.sub(number / len(declared), (number + 1) / len(declared))
        try:
            found[one.name] = measure(one, part)
        except AnonymizerError as error:
            found[one.name] = error
    return found
