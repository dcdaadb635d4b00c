"""What a document tells to have changed: things of its own by a `Change`, what a project declares by its name there."""

from enum import StrEnum


class Change(StrEnum):
    """Things of a document beside the fields of its project and the roles of its files, which rooms declare."""

    EVERYTHING = "*"
    """Whatever there is: a page shows itself for the first time, or in other colours or another language."""
    RELEASES = "releases"
    """Which releases there are, their names and pins."""
    RESULTS = "results"
    """Which release is selected."""
    EXPORTED = "exported"
    CHECKS = "checks"
    """How the checklist of a release stands."""
    SAFEGUARDS = "safeguards"
    PATH = "path"
    DIRTY = "dirty"
    """Whether there are changes that are not saved."""
    ANSWERS = "answers"
    """Something that was asked for in the background is known now."""
    POINTED = "pointed"
    """A part of the data is to be shown."""


Changes = frozenset[str]
"""What changed at once: each a `Change`, the name of a field of the project, or the role of a file."""
