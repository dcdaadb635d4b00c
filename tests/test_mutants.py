"""The faults of `make mutants` still fit the program, and some of them are tried; the others take minutes."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.mutant_list import MODULES, MUTANTS
from tests.mutants import (
    ENOUGH,
    KILLED,
    LIVED,
    DoesNotApply,
    Mutant,
    Place,
    Workshop,
    exit_code,
    place_of,
    refuse_unknown_tests,
    run_all,
    tried,
)

CHEAP = ("a group moves into itself", "a value by itself loses something")
PLAIN = next(mutant for mutant in MUTANTS if mutant.name == CHEAP[0])
HARMLESS = replace(PLAIN, name="no fault", new="if not parent < node and parent <")


def why_not(mutant: Mutant) -> str:
    """Say why a mutant does not apply any more; nothing when it does."""
    try:
        refuse_unknown_tests(mutant)
        place_of(mutant)
    except DoesNotApply as reason:
        return str(reason)
    return ""


def test_every_mutant_still_applies() -> None:
    assert [reason for reason in map(why_not, MUTANTS) if reason] == []


def test_there_are_enough_mutants_and_no_two_are_the_same() -> None:
    assert len(MUTANTS) >= ENOUGH
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    assert len({place_of(mutant).text for mutant in MUTANTS}) == len(MUTANTS)
    assert set(MODULES.values()) == {mutant.module for mutant in MUTANTS}


@pytest.mark.parametrize(
    "changes",
    [
        {"old": "if node <= before <"},
        {"old": "parent"},
        {"new": "if node <= parent else <"},
        {"function": "move.inner"},
        {"tests": ("tests/engine/hierarchy/test_edits.py::test_of_nothing",)},
        {"tests": ("tests/engine/hierarchy/test_of_nothing.py::test_of_nothing",)},
    ],
    ids=["no such text", "a text that is there twice", "no Python", "no such function", "no such test", "no such file"],
)
def test_a_mutant_that_does_not_fit_is_told(changes: dict[str, str]) -> None:
    assert why_not(PLAIN) == ""
    assert why_not(replace(PLAIN, **changes))


def test_a_function_is_found_where_it_has_moved_to() -> None:
    assert place_of(replace(PLAIN, module="anonymizer_gui.engine.elsewhere")) == place_of(PLAIN)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Give one copy of the repository to all tests."""
    return Workshop(tmp_path_factory.mktemp("mutants"), 1)


@pytest.mark.parametrize("name", CHEAP)
def test_a_fault_is_found_by_its_tests(name: str, workshop: Workshop) -> None:
    assert tried(next(mutant for mutant in MUTANTS if mutant.name == name), workshop) == KILLED


def test_what_is_no_fault_lives(workshop: Workshop) -> None:
    assert tried(HARMLESS, workshop) == LIVED


class Oracle:
    """Knows without running anything that every fault is found, but what is no fault."""

    def __init__(self, are_green: bool = True) -> None:
        self.are_green = are_green

    def passes(self, tests: Sequence[str], *, place: Place | None = None) -> bool:
        """Compare the fault."""
        return self.are_green if place is None else place == place_of(HARMLESS)


def test_the_end_of_a_run_tells_how_many_were_killed(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = [PLAIN, HARMLESS, replace(PLAIN, name="moved", old="of another version")]
    assert run_all(chosen, Oracle(), enough=1) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[:2] == [f"{PLAIN.name}: killed", "no fault: LIVED"]
    assert told[2].startswith("moved: no longer applies: “of another version” is 0 times")
    assert told[3:] == ["mutants: 1 of 3 killed"]
    assert run_all(chosen[:2], Oracle(), enough=1) == 0
    assert run_all(chosen[:2], Oracle(), enough=2) == 1


def test_red_tests_kill_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_all([PLAIN], Oracle(are_green=False), enough=0) == 2
    assert "killed" not in capsys.readouterr().out


def test_a_run_is_good_when_enough_are_killed_and_all_of_them_apply() -> None:
    assert exit_code([KILLED, KILLED, LIVED], 2) == 0
    assert exit_code([KILLED, LIVED, LIVED], 2) == 1
    assert exit_code([KILLED, KILLED, "no longer applies: moved"], 2) == 1
