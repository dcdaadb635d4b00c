"""A wrong call is answered with what is wrong, not with a screen of options."""

import pytest

from anonymizer_gui.cli import BAD_CALL, command_modules, main
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS


@pytest.mark.parametrize("call", [["anonymize"], ["measure", "t.csv"], ["verify", "--nonsense", "t.csv"], ["nonsense"]])
def test_a_wrong_call_is_told_in_two_lines(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(call) == BAD_CALL
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 2
    assert "--help` tells all options" in printed.err


def test_the_help_of_a_goal_names_the_value_it_has_when_not_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Smallest share in the table. (a number from 0 to 1; 0.0 when not given)" in told
    assert told.count("every sensitive column when not given") == sum(
        hasattr(model, "column") for model in PRIVACY_MODELS
    )


def test_the_help_names_the_tour(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "anonymizer-gui demo" in capsys.readouterr().out


def test_a_command_is_found_by_the_name_of_its_file() -> None:
    assert [module.NAME for module in command_modules()] == [
        module.__name__.split(".")[-1] for module in command_modules()
    ]
    assert [module.NAME for module in command_modules("verify")] == ["verify"]
