"""The checklist of a graph before it leaves."""

from collections.abc import Iterable, Sequence

from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.room import Check, Finding, Promise
from anonymizer_gui.engine.rooms.graphs.release import Release

_MOST = 50


def checklist(release: Release, earlier: int) -> tuple[Check, ...]:
    """Give every line of the checklist."""
    project, after = release.project, release.after
    return (
        *promise_checks(release.promises),
        _names(release),
        unprotected(project.columns(Role.SA), project.l),
        neighbours(after.unique["h2"]),
        certain_ties(after.certain_edges),
        unchanged(project.columns(Role.OTHER)),
        _again(earlier),
    )


def promise_checks(promises: Iterable[Promise]) -> tuple[Check, ...]:
    """Give a line for every promise."""
    return tuple(
        Check(promise.name, promise.title, promise.holds, promise.sentence, is_promise=True) for promise in promises
    )


def _names(release: Release) -> Check:
    """Find names of people in cells that leave."""
    names = {name.casefold() for name in release.people.graph.names if not name.isdigit()}
    found = [
        Finding(message("“{column}” holds the name of a person of the graph.", column=column), column)
        for at, column in enumerate(release.published.head[1:], start=1)
        if any(row[at].casefold() in names for row in release.published.nodes)
    ]
    sentence: Message | str = "No cell that leaves is the name of a person of the graph."
    if found:
        sentence = message("Names of people leave in {columns}.", columns=quote([each.place for each in found]))
    return Check("names", "No names leave", not found, sentence, findings=tuple(found[:_MOST]))


def unprotected(sensitive: Sequence[str], l: int) -> Check:  # noqa: E741
    """Warn of sensitive columns that no promise is about."""
    open_columns = tuple(sensitive) if l <= 1 else ()
    title = "Sensitive columns protected"
    if open_columns:
        sentence = message("No promise is about {columns}: set l to 2 or more.", columns=quote(open_columns))
        return Check("sensitive", title, False, sentence, blocks=False)
    return Check("sensitive", title, True, "Every sensitive column is protected, or there is none.")


def neighbours(share: float) -> Check:
    """Warn of people who are found by the ties of their neighbours."""
    title = "Nobody found by their neighbours' ties"
    sentence = message("Whoever knows how many ties the neighbours have finds {share:.1%} of the people.", share=share)
    return Check("neighbours", title, share == 0, sentence, blocks=False)


def certain_ties(share: float) -> Check:
    """Warn of ties that are certain to whoever knows where two people belong."""
    sentence = message(
        "{share:.1%} of the ties are between sets of people who are all tied to each other.", share=share
    )
    return Check("ties", "No tie is certain", share == 0, sentence, blocks=False)


def unchanged(others: Sequence[str]) -> Check:
    """Warn of columns that leave as they are."""
    title = "Nothing leaves unlooked at"
    if others:
        return Check("others", title, False, message("{columns} leave unchanged.", columns=quote(others)), blocks=False)
    return Check("others", title, True, "Every column that leaves is generalised or sensitive.")


def _again(earlier: int) -> Check:
    """Refuse a second, different release of one graph: who compares both may find people."""
    title = "No other release of this graph"
    if earlier:
        sentence = message(
            "The ledger knows {earlier:other release|other releases} of this graph; compared, they may tell more.",
            earlier=earlier,
        )
        return Check("ledger", title, False, sentence)
    return Check("ledger", title, True, "The ledger knows no other release of this graph, or none is used.")
