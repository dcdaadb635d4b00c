"""Goals and methods are told in the words of their cards and forms, never in those of the command line."""

from anonymizer_gui.engine.core.params import params_of
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import TopDown
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.ui.rooms.microdata.release_texts import goals_text, parameters_text


def test_goals_have_their_titles_and_labels() -> None:
    assert goals_text((KAnonymity(k=5), TCloseness(t=0.25))) == "k-anonymity: k = 5; t-closeness: t = 0.25"
    assert goals_text(()) == ""


def test_choices_are_told_in_their_words() -> None:
    told = goals_text((TCloseness(t=0.25, distance="kl", column="x"),))
    assert "= kl" not in told
    assert told.endswith("= x")


def test_only_what_is_not_as_usual_is_told_of_a_method() -> None:
    assert parameters_text(TopDown(split="lm-gain")) == ""
    told = parameters_text(BottomUp(stop="first-level"))
    assert told
    assert "first-level" not in told


def test_every_goal_and_method_is_told() -> None:
    for goal in PRIVACY_MODELS:
        told = goals_text((goal(),))
        assert told.startswith(goal.title)
        assert "param" not in told
    for method in ALGORITHMS:
        assert parameters_text(method()) == ""
        assert all(param.label for param in params_of(method))
