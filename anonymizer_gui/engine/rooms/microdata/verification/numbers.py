"""Promises and numbers of a certificate, from the count of the release; every promise is composed anew."""

from collections.abc import Iterator
from typing import Any

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.rooms.microdata.measures import promise_of
from anonymizer_gui.engine.rooms.microdata.recount.recounting import RECURSIVE_C
from anonymizer_gui.engine.rooms.microdata.second_opinion import is_checked, numbers_of
from anonymizer_gui.engine.rooms.microdata.verification.certified import Certified

_ALWAYS_L = ("distinct", "entropy", "recursive")
_ALWAYS_T = ("variational", "kl", "emd")
_BY_TREE = "emd_hierarchical"
_OF_PEOPLE = ("k", "l", "largest_share", "risk")


def expected_promises(release: Certified) -> list[dict[str, Any]]:
    """Compose every promise anew; without value and verdict where the file alone does not tell them."""
    promises = []
    told = [promise["parameters"] for promise in release.told["promises"]]
    for goal, verdict, parameters in zip(release.project.goals, release.found.verdicts, told, strict=True):
        promise = promise_of(goal, verdict.value, bool(verdict.holds), about_people=release.counts_people).to_json()
        promise["parameters"] |= parameters  # the same, but lists may be in another order
        if not is_checked(verdict, release.found, release.told["numbers"]):
            del promise["value"], promise["holds"]
        promises.append(promise)
    return promises


def expected_numbers(release: Certified) -> dict[str, Any]:
    """Give the numbers that follow from the file, shaped as a certificate holds them; the loss is not among them."""
    found, numbers = release.found, numbers_of(release.found)
    rows = int(release.told["source"]["rows"])
    squares = sum(size * size * many for size, many in found.sizes.items())
    expected = {name: numbers[name] for name in ("rows", "classes", "emptied")}
    expected |= {
        **{name: numbers[name] for name in ("k", "l", "t", "per_sensitive", "largest_share", "risk")},
        "l": {**dict.fromkeys(_ALWAYS_L), **numbers["l"]},
        "t": {**dict.fromkeys(_ALWAYS_T), **numbers["t"]},
        "recursive_c": RECURSIVE_C,
        "average_class_size": found.rows / max(found.classes, 1),
        "discernibility": squares + release.left_out * rows,
        "goals": [_goal(promise) for promise in expected_promises(release)],
    }
    if found.exposed is not None:
        expected["exposed"] = {**found.exposed, "share": found.exposed["rows"] / max(found.rows, 1)}
    if release.counts_people:
        expected["per_sensitive"] = {name: {"t": both["t"]} for name, both in numbers["per_sensitive"].items()}
        expected = {name: number for name, number in expected.items() if name not in _OF_PEOPLE}
    if not _says_whom(release):
        expected["people"] = None
    if not _are_stars(release):
        expected["suppressed"] = release.left_out
    if release.is_current:
        expected |= {"missing_counts": False, "look_alikes_count_once": True}
    return expected


def not_counted(release: Certified) -> dict[str, str]:
    """Name the promises and numbers that the file alone does not tell, and what they are."""
    told = release.told["numbers"]
    reasons: dict[str, str] = {}
    people = message("figures that count people: the file does not say whom a row is about")
    if _says_whom(release):
        reasons["numbers.people"] = people
    if release.counts_people:
        reasons |= dict.fromkeys((*(f"numbers.{name}" for name in _OF_PEOPLE), "class_sizes"), people)
        reasons |= {f"numbers.per_sensitive.{name}.l": people for name in told["per_sensitive"]}
    if _are_stars(release):
        reasons["numbers.suppressed"] = message("the number of suppressed records among those with nothing left")
    for name in release.told["hierarchies"]:
        reasons[f"numbers.per_sensitive.{name}.t.{_BY_TREE}"] = _by_tree()
        reasons[f"numbers.t.{_BY_TREE}"] = _by_tree()
    for place, verdict in enumerate(release.found.verdicts):
        if not is_checked(verdict, release.found, told):
            reason = message("what goals reach that need more than the file")
            for name in ("value", "holds"):
                reasons[f"promises.{verdict.model}.{name}"] = reason
                reasons[f"numbers.goals.{place}.{name}"] = reason
    return reasons


def impossible(release: Certified) -> Iterator[Message]:
    """Tell what cannot be, where only a bound is known: people are at most as many as rows."""
    told, found = release.told["numbers"], release.found
    if release.counts_people:
        yield from _at_most("numbers.people", told["people"], found.rows)
        yield from _at_most("numbers.k", told["k"], found.k)
        for name, values in found.l.items():
            fewest = told["per_sensitive"][name]["l"]["distinct"]
            yield from _at_most(f"numbers.per_sensitive.{name}.l.distinct", fewest, values["distinct"])
    if _are_stars(release):
        yield from _at_most("numbers.suppressed", told["suppressed"], found.emptied)


def _at_most(entry: str, told: Json, most: float) -> Iterator[Message]:
    if told > most:
        yield message(
            "{entry} is at most {most}, the certificate says {written}.", entry=entry, most=most, written=told
        )


def _goal(promise: dict[str, Any]) -> dict[str, Any]:
    named = {"model": promise["name"], "parameters": promise["parameters"]}
    return named | {name: promise[name] for name in ("value", "holds") if name in promise}


def _says_whom(release: Certified) -> bool:
    """Tell whether some column says whom a record is about; earlier certificates do not tell."""
    return bool(release.project.person) or (not release.is_current and release.counts_people)


def _are_stars(release: Certified) -> bool:
    """Tell whether suppressed records may be among the published ones."""
    return not release.left_out and bool(release.told["recipe"]["suppressed_as_stars"])


def _by_tree() -> Message:
    return message("distances along unpublished hierarchies")
