"""The words of a certificate about its promises, compared with what this version says of the same goals."""

from collections.abc import Iterator, Mapping

from anonymizer_gui import __version__
from anonymizer_gui.engine.params import Json, from_json
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS
from anonymizer_gui.engine.words import Sentence, say

_WORDS = ("title", "stops", "leaves_open", "formula")


def other_words(told: Mapping[str, Json]) -> Iterator[Sentence]:
    """Tell the promises whose words are not those of their goal; certificates of other versions may word it otherwise.

    Raises BadParameter when a goal has parameters it cannot have.
    """
    if told["program"]["anonymizer"] != __version__ or "documents" not in told["release"]:
        return
    for promise, counted in zip(told["promises"], told["numbers"]["goals"], strict=True):
        goal = from_json(PRIVACY_MODELS.get(promise["name"]), promise["parameters"])
        words = {name: getattr(goal, name) for name in _WORDS}
        is_about_people = told["numbers"].get("people") is not None
        sentence = goal.sentence_about_people() if is_about_people else goal.sentence()
        words |= {"sentence": sentence, "reference": goal.source, "is_estimate": goal.is_estimate}
        if {name: promise.get(name, False) for name in words} != words:
            yield say("What is said of the goal {goal} is not what it means.", goal=promise["name"])
        same = {"model": promise["name"], **{name: promise[name] for name in ("parameters", "value", "holds")}}
        if same != counted:
            yield say("The goal {goal} is told in two ways.", goal=promise["name"])
    failed = [f"{check['title']}: {check['sentence']}" for check in told["checks"] if not check["holds"]]
    if not set((told["override"] or {"failed": []})["failed"]) <= set(failed):
        yield say("The checks that were overridden are not among those that failed.")
