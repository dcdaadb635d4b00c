"""The finished runs of a document: in order, one selected, some pinned."""

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonymizer_gui.engine.release import Release


class Shelf:
    """Keeps releases; none of them ever changes, a renamed one is put in the old one's place."""

    def __init__(self) -> None:
        self.releases: tuple[Release, ...] = ()
        self.selected: Release | None = None
        self._pinned: tuple[Release, ...] = ()

    def add(self, release: "Release") -> None:
        """Append a finished run and select it."""
        self.releases = (*self.releases, release)
        self.selected = release

    def remove(self, release: "Release") -> None:
        """Forget a finished run; the newest one is selected instead."""
        self.releases = tuple(kept for kept in self.releases if kept is not release)
        self.pin(release, False)
        if self.selected is release:
            self.selected = self.releases[-1] if self.releases else None

    def rename(self, release: "Release", name: str) -> None:
        """Put the run under another name in the place of the old one."""
        renamed = replace(release, name=name)
        self.releases = tuple(renamed if kept is release else kept for kept in self.releases)
        self._pinned = tuple(renamed if kept is release else kept for kept in self._pinned)
        self.selected = renamed if self.selected is release else self.selected

    def pin(self, release: "Release", pinned: bool) -> None:
        """Keep a run at hand, or not any more."""
        others = tuple(kept for kept in self._pinned if kept is not release)
        self._pinned = (*others, release) if pinned else others

    def is_pinned(self, release: "Release") -> bool:
        """Tell whether a run is pinned."""
        return any(kept is release for kept in self._pinned)
