"""The checklist of a graph before it leaves."""

from anonymizer_gui.engine.room import Check, Finding
from anonymizer_gui.engine.rooms.graphs.release import Release
from anonymizer_gui.engine.shapes.tables.table import Role
from anonymizer_gui.engine.words import Sentence, quoted, say

_MOST = 50


def checks_of(release: Release, earlier: int) -> tuple[Check, ...]:
    """Give every line of the checklist."""
    promised = tuple(
        Check(promise.name, promise.title, promise.holds, promise.sentence, is_promise=True)
        for promise in release.promises
    )
    return (
        *promised,
        _names(release),
        _unprotected(release),
        _neighbours(release),
        _ties(release),
        _others(release),
        _again(earlier),
    )


def _names(release: Release) -> Check:
    """Find names of people in cells that leave."""
    names = {name.casefold() for name in release.people.graph.names if not name.isdigit()}
    found = [
        Finding(say("“{column}” holds the name of a person of the graph.", column=column), column)
        for at, column in enumerate(release.published.head[1:], start=1)
        if any(row[at].casefold() in names for row in release.published.nodes)
    ]
    sentence: Sentence | str = "No cell that leaves is the name of a person of the graph."
    if found:
        sentence = say("Names of people leave in {columns}.", columns=quoted([each.place for each in found]))
    return Check("names", "No names leave", not found, sentence, findings=tuple(found[:_MOST]))


def _unprotected(release: Release) -> Check:
    """Warn of sensitive columns that no promise is about."""
    project = release.project
    open_columns = project.columns(Role.SA) if project.l <= 1 else ()
    title = "Sensitive columns protected"
    if open_columns:
        sentence = say("No promise is about {columns}: set l to 2 or more.", columns=quoted(open_columns))
        return Check("sensitive", title, False, sentence, blocks=False)
    return Check("sensitive", title, True, "Every sensitive column is protected, or there is none.")


def _neighbours(release: Release) -> Check:
    """Warn of people who are found by the ties of their neighbours."""
    share = release.after.unique["h2"]
    title = "Nobody found by their neighbours' ties"
    sentence = say("Whoever knows how many ties the neighbours have finds {share:.1%} of the people.", share=share)
    return Check("neighbours", title, share == 0, sentence, blocks=False)


def _ties(release: Release) -> Check:
    """Warn of ties that are certain to whoever knows where two people belong."""
    share = release.after.certain_edges
    sentence = say("{share:.1%} of the ties are between sets of people who are all tied to each other.", share=share)
    return Check("ties", "No tie is certain", share == 0, sentence, blocks=False)


def _others(release: Release) -> Check:
    """Warn of columns that leave as they are."""
    others = release.project.columns(Role.OTHER)
    title = "Nothing leaves unlooked at"
    if others:
        return Check("others", title, False, say("{columns} leave unchanged.", columns=quoted(others)), blocks=False)
    return Check("others", title, True, "Every column that leaves is generalised or sensitive.")


def _again(earlier: int) -> Check:
    """Refuse a second, different release of one graph: who compares both may find people."""
    title = "No other release of this graph"
    if earlier:
        sentence = say(
            "The ledger knows {earlier:other release|other releases} of this graph; compared, they may tell more.",
            earlier=earlier,
        )
        return Check("ledger", title, False, sentence)
    return Check("ledger", title, True, "The ledger knows no other release of this graph, or none is used.")
