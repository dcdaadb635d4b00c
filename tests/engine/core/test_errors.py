"""Errors speak to people: what is wrong, and the way out."""

import pytest

from anonymizer_gui.engine.core import errors
from anonymizer_gui.engine.core.errors import AnonymizerError, Cancelled, Infeasible, MissingExtra, UnreadableFile


def test_an_error_reads_as_message_and_hint() -> None:
    assert str(AnonymizerError("It is broken.", "Mend it.")) == "It is broken. Mend it."
    assert str(AnonymizerError("It is broken.")) == "It is broken."


@pytest.mark.parametrize(
    "kind", [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, AnonymizerError)]
)
def test_every_error_carries_message_and_hint(kind: type[AnonymizerError]) -> None:
    error = kind("It is broken.", "Mend it.")
    assert (error.message, error.hint) == ("It is broken.", "Mend it.")


def test_a_place_in_a_file_goes_with_the_error() -> None:
    error = UnreadableFile("Odd.", line=3, column="age")
    assert (error.line, error.column) == (3, "age")
    assert issubclass(MissingExtra, UnreadableFile)


def test_what_cannot_be_reached_names_goal_and_nearest_setting() -> None:
    error = Infeasible("No.", goal="k-anonymity", nearest="k = 3")
    assert (error.goal, error.nearest) == ("k-anonymity", "k = 3")


def test_stopping_is_no_mistake() -> None:
    assert not issubclass(Cancelled, AnonymizerError)
