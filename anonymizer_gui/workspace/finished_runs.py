"""The finished runs of a document: in order, one selected, some pinned."""

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.project import Project
    from anonymizer_gui.engine.rooms.microdata.release import Release


class Shelf:
    """Keeps releases; none of them ever changes, a renamed one is put in the old one's place."""

    def __init__(self) -> None:
        self.releases: tuple[Release, ...] = ()
        self.selected: Release | None = None
        self.exported: tuple[tuple[Release, Project], ...] = ()
        self._pinned: tuple[Release, ...] = ()
        self._tried: tuple[tuple[Release, Project], ...] = ()

    def add(self, release: "Release", tried_from: "Project | None" = None) -> None:
        """Append a finished run and select it; one of several tried together comes with what they started from.

        A name that another run has already gets a number.
        """
        release = self._named_apart(release)
        self.releases = (*self.releases, release)
        self.selected = release
        if tried_from is not None:
            self._tried = (*self._tried, (release, tried_from))

    def _named_apart(self, release: "Release") -> "Release":
        taken = {other.name for other in self.releases}
        if release.name not in taken:
            return release
        number = next(number for number in itertools.count(2) if f"{release.name} ({number})" not in taken)
        return replace(release, name=f"{release.name} ({number})")

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
        self._tried = tuple((renamed if kept is release else kept, began) for kept, began in self._tried)
        self.exported = tuple((renamed if kept is release else kept, then) for kept, then in self.exported)
        self.selected = renamed if self.selected is release else self.selected

    def pin(self, release: "Release", pinned: bool) -> None:
        """Keep a run at hand, or not any more."""
        others = tuple(kept for kept in self._pinned if kept is not release)
        self._pinned = (*others, release) if pinned else others

    def is_pinned(self, release: "Release") -> bool:
        """Tell whether a run is pinned."""
        return any(kept is release for kept in self._pinned)

    def settings_together(self, release: "Release") -> "tuple[Project, ...]":
        """Give the settings of a run, then those of all that was tried with it and what they started from."""
        began = next((began for kept, began in self._tried if kept is release), None)
        if began is None:
            return (release.project,)
        return release.project, began, *(kept.project for kept, other in self._tried if other is began)
