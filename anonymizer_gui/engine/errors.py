"""Errors that speak to people: one sentence, and a hint with the way out."""

import sys

from anonymizer_gui.engine.words import together

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
        super().__init__(message, together(_NOT_IN_THE_BUNDLE, hint) if is_bundle else hint)


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


class TooMuch(AnonymizerError):
    """A run would need more than there is; it was not started, and may be tried anyway."""


class NotEnoughMemory(TooMuch):
    """A run would need more memory than there is."""


class TakesTooLong(TooMuch):
    """A run would need more time than anybody waits unasked."""


class HasLeft(AnonymizerError):
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
