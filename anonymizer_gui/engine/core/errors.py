"""Errors that speak to people; where a fault happened."""

import sys
import traceback

from anonymizer_gui.engine.core.messages import join_messages

# What comes from an installer takes up no packages.
_NOT_IN_THE_BUNDLE = "The installer leaves it out to stay small; the program as a Python package has it."


class AnonymizerError(Exception):
    """A mistake or an obstacle the user can do something about."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class BadParameter(AnonymizerError):
    """A parameter has a value that its declaration does not allow."""


class UnreadableFile(AnonymizerError):
    """A file cannot be read; the place is given where it is known."""

    def __init__(self, message: str, hint: str = "", line: int | None = None, column: str = "") -> None:
        super().__init__(message, hint)
        self.line = line
        self.column = column


class UnwritableFile(AnonymizerError):
    """A file cannot be written; what was there before is untouched."""


class MissingExtra(UnreadableFile):
    """An optional package is needed; the hint names the extra to install, and where, when this is a closed bundle."""

    def __init__(self, message: str, hint: str = "") -> None:
        is_bundle = getattr(sys, "frozen", False)
        super().__init__(message, join_messages(_NOT_IN_THE_BUNDLE, hint) if is_bundle else hint)


class BadHierarchy(AnonymizerError):
    """A hierarchy edit or file would not give a tree that can be used."""


class NoPlace(BadHierarchy):
    """Values of a column have no place in its hierarchy."""

    def __init__(self, message: str, hint: str = "", column: str = "") -> None:
        super().__init__(message, hint)
        self.column = column


class BadProject(AnonymizerError):
    """A project file is damaged, foreign, too new, or contradicts itself."""


class Infeasible(AnonymizerError):
    """The goals cannot be reached; says which, where, and the nearest setting that works."""

    def __init__(self, message: str, hint: str = "", goal: str = "", nearest: str = "") -> None:
        super().__init__(message, hint)
        self.goal = goal
        self.nearest = nearest


class ResourcesExceeded(AnonymizerError):
    """A run would need more than there is; it was not started, and may be tried anyway."""


class NotEnoughMemory(ResourcesExceeded):
    """A run would need more memory than there is."""


class TakesTooLong(ResourcesExceeded):
    """A run would need more time than anybody waits unasked."""


class IncompleteExport(AnonymizerError):
    """The release has left; something that should lie beside it could not be written."""


class PromiseBroken(AnonymizerError):
    """A result does not hold what it promised: our fault, never the user's; nothing is released."""


class Cancelled(Exception):
    """The user asked to stop; raised from a progress call."""


class CancelledAtCost(Cancelled):
    """The user asked to stop, and what was done until then counts: the message says what it cost."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def fault_location(error: BaseException) -> str:
    """Give the type of an error and the places in the code.

    The text of the error and the values of variables are left out: they may hold cells of the table.
    """
    lines = [f"{type(error).__name__} at:"]
    lines += [f"  {_place(frame)}" for frame in traceback.extract_tb(error.__traceback__)]
    cause = error.__cause__ or error.__context__
    return "\n".join(lines) + (f"\ncaused by {type(cause).__name__}" if cause else "")


def _place(frame: traceback.FrameSummary) -> str:
    path = frame.filename.replace("\\", "/")
    _, inside, tail = path.rpartition("/anonymizer_gui/")
    shown = f"anonymizer_gui/{tail}" if inside else path.rpartition("/")[2]
    return f"{shown}:{frame.lineno} {frame.name}"
