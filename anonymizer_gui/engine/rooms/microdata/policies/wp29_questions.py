"""The three questions of the European regulators, answered with figures of the release.

Article 29 Data Protection Working Party, Opinion 05/2014 on Anonymisation Techniques (WP216): singling out,
linkability, inference. The figures are counted from what is published; whether they are enough is for people to say.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.policies.contract import (
    PolicyView,
    highest_risk,
    known_items,
    smallest_match,
)

SOURCE = "Article 29 Working Party, Opinion 05/2014 on Anonymisation Techniques (WP216)"


@dataclass(frozen=True, slots=True)
class Question:
    """One question, its figures, and sentences that answer it."""

    name: str
    title: Message
    figures: Mapping[str, Json]
    sentences: tuple[Message, ...]

    def told(self) -> dict[str, Json]:
        """Give it as the certificate tells it."""
        return {
            "name": self.name,
            "question": self.title,
            "figures": dict(self.figures),
            "answer": list(self.sentences),
        }


def three_questions(shown: PolicyView, alone: int) -> tuple[Question, ...]:
    """Answer from the numbers of a release; `alone` counts the rows that are alone in all columns together."""
    return _singled_out(shown, alone), _linked(shown), _inferred(shown)


def _singled_out(shown: PolicyView, alone: int) -> Question:
    numbers = shown.numbers
    unique, k, rows, items = numbers["risk"]["unique_rows"], numbers["k"], numbers["rows"], known_items(numbers)
    by_others = message("Nobody is alone by the quasi-identifiers; the smallest class has {k}.", k=k)
    if items:
        by_others = message(
            "Whoever knows a class and up to {m:item|items} is left with {fewest:record|records} at the least; the "
            "smallest class has {k}.",
            m=items,
            fewest=smallest_match(numbers),
            k=k,
        )
    elif unique:
        by_others = message("{rows:record is|records are} alone by the quasi-identifiers.", rows=unique)
    by_all = message(
        "By all published columns together {alone:,} of {rows:record|records} {alone:~is|are} alone: whoever knows "
        "sensitive values beforehand finds them.",
        alone=alone,
        rows=rows,
    )
    figures = {"smallest_class": k, "alone_by_quasi_identifiers": unique, "alone_by_all_columns": alone, "rows": rows}
    figures |= {"fewest_with_items": smallest_match(numbers)} if items else {}
    return Question("singling-out", message("Can somebody still be singled out?"), figures, (by_others, by_all))


def _linked(shown: PolicyView) -> Question:
    risk, items, highest = shown.numbers["risk"], known_items(shown.numbers), highest_risk(shown.numbers)
    codes = [column.name for column, _ in shown.published() if column.pseudonym]
    figures = {
        "highest_chance": highest,
        **({} if items else {"average_chance": risk["average"]}),
        "pseudonyms": len(codes),
        "pseudonyms_link_releases": bool(codes) and shown.linkable,
    }
    chance = message(
        "Somebody with a list of names and quasi-identifiers links a record rightly with a chance of at most "
        "{highest:.2%}, on average {average:.2%}.",
        highest=highest,
        average=risk["average"],
    )
    if items:
        chance = message(
            "Somebody with a list of names, quasi-identifiers and up to {m:item|items} of each person links a record "
            "rightly with a chance of at most {highest:.2%}.",
            m=items,
            highest=highest,
        )
    return Question(
        "linkability", message("Can records about one person be linked?"), figures, (chance, _by_codes(shown, codes))
    )


def _by_codes(shown: PolicyView, codes: list[str]) -> Message:
    if codes and shown.linkable:
        return message("Pseudonyms link the records of one person, in other releases with the same key too.")
    if codes:
        return message("Pseudonyms link the records of one person within this release.")
    return message("No pseudonym links records.")


def _inferred(shown: PolicyView) -> Question:
    names = [column.name for column in shown.of_role(Role.SA) if column.name in shown.numbers["per_sensitive"]]
    numbers, figures = shown.numbers, {}
    for name in names:
        figures[name] = {
            "fewest_values": numbers["per_sensitive"][name]["l"]["distinct"],
            "largest_share": numbers["largest_share"][name],
            "largest_share_of_all": _largest_of_all(shown, name),
        }
    return Question(
        "inference",
        message("Can something be inferred about a person?"),
        figures,
        tuple(_about(name, figures[name]) for name in names) or (message("No column is marked as sensitive."),),
    )


def _about(name: str, figures: Mapping[str, Json]) -> Message:
    return message(
        "“{column}”: at least {values:value|values} in every class; the most frequent one has up to {share:.1%} of a "
        "class and {all:.1%} of all records.",
        column=name,
        values=int(figures["fewest_values"] or 0),
        share=figures["largest_share"],
        all=figures["largest_share_of_all"],
    )


def _largest_of_all(shown: PolicyView, name: str) -> float:
    cells = next((cells for column, cells in shown.published() if column.name == name), {})
    return float(max(cells.values(), default=0) / max(shown.numbers["rows"], 1))


def compare_figures(told: Json, found: tuple[Question, ...]) -> Iterator[str]:
    """Name the questions whose figures a certificate tells otherwise."""
    by_name = {entry["name"]: entry["figures"] for entry in told}
    for question in found:
        if not _alike(by_name.get(question.name), dict(question.figures)):
            yield question.name


def _alike(one: Json, other: Json) -> bool:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_alike(one[name], other[name]) for name in one)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= 1e-6 * max(1.0, abs(other))
    return bool(one == other)
