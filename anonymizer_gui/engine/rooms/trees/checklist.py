"""The checklist of nested records before they leave."""

from collections.abc import Sequence

from anonymizer_gui.engine.core.messages import message, quote
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.suggestions import why_identifying
from anonymizer_gui.engine.data.tables.table import MISSING, ColumnType
from anonymizer_gui.engine.room import Check, Finding, Promise
from anonymizer_gui.engine.rooms.trees.algorithms.contract import DIVERSITY, LEFT_OPEN
from anonymizer_gui.engine.rooms.trees.encoding import PathRole
from anonymizer_gui.engine.rooms.trees.release import Release

IDENTIFIERS, SENSITIVE = "No identifier leaves", "Sensitive labels protected"
PUBLIC, AROUND = "Public labels point to nobody", "What stands around the records"
MEETINGS = "Earlier releases of the same records"
_SHORTEST = 3
_MOST = 50


def checklist(release: Release, earlier: int) -> tuple[Check, ...]:
    """Give every line of the checklist; `earlier` counts other releases of the same records in the ledger."""
    sensitive = [leaf.path for leaf in release.held.sensitive]
    return (
        *kept_promises(release.promises),
        _identifiers(release),
        unprotected(release.promises, sensitive),
        _public(release),
        around([name for name, _ in release.form.attributes]),
        _again(earlier),
    )


def kept_promises(promises: Sequence[Promise]) -> tuple[Check, ...]:
    """Give the lines about promises."""
    return tuple(
        Check(promise.name, promise.title, promise.holds, _verdict(promise), is_promise=True) for promise in promises
    )


def lines_of(promises: Sequence[Promise]) -> list[dict[str, Json]]:
    """Say which lines a checklist has, whatever was found: name and title."""
    own = {"identifiers": IDENTIFIERS, "sensitive": SENSITIVE, "public": PUBLIC, "around": AROUND, "meetings": MEETINGS}
    titles = {promise.name: promise.title for promise in promises} | own
    return [{"name": name, "title": title} for name, title in titles.items()]


def _verdict(promise: Promise) -> str:
    if promise.holds:
        return message("Counted again: {value:,}; {words}.", value=int(promise.value), words=promise.sentence)
    return message("It does not hold: {value:,} was counted.", value=int(promise.value))


def _identifiers(release: Release) -> Check:
    """Find values of identifiers in labels that leave as they are, however deep they hang."""
    title, held = IDENTIFIERS, release.held
    secret = {
        label.casefold()
        for path in release.project.of_role(PathRole.IDENTIFIER)
        if path in held.trees.leaf_of
        for label in held.trees.leaf_of[path].column.labels
        if label != MISSING and len(label) >= _SHORTEST and not label.replace(".", "").isdigit()
    }
    found = [
        Finding(message("“{path}” holds the value of an identifier.", path=leaf.path), leaf.path)
        for leaf in (*held.sensitive, *held.public)
        if any(label.casefold() in secret for label in leaf.column.labels)
    ]
    if found:
        sentence = message("Values of identifiers leave in {paths}.", paths=quote([each.place for each in found]))
        return Check("identifiers", title, False, sentence, findings=tuple(found[:_MOST]))
    return Check("identifiers", title, True, "No label that leaves as it is has the value of an identifier.")


def unprotected(promises: Sequence[Promise], sensitive: Sequence[str]) -> Check:
    """Warn of sensitive paths that no promise is about."""
    is_promised = any(promise.name in (DIVERSITY, LEFT_OPEN) for promise in promises)
    if sensitive and not is_promised:
        sentence = message("No promise is about {columns}: set l to 2 or more.", columns=quote(sensitive))
        return Check("sensitive", SENSITIVE, False, sentence, blocks=False)
    return Check("sensitive", SENSITIVE, True, "Every sensitive path is protected, or there is none.")


def _public(release: Release) -> Check:
    """Warn of public labels that point to somebody by themselves."""
    title = PUBLIC
    types = {each.path: each.type for each in release.project.paths}
    telling = [
        leaf.path
        for leaf in release.held.public
        if why_identifying(leaf.column, types.get(leaf.path, ColumnType.CATEGORY))
    ]
    if telling:
        sentence = message("{columns} leave unchanged and seem to point to one person.", columns=quote(telling))
        return Check("public", title, False, sentence)
    return Check("public", title, True, "No public label seems to point to one person by itself.")


def around(names: Sequence[str]) -> Check:
    """Warn of attributes of the element around the records, which nobody gave a role."""
    if names:
        sentence = message("{names} around the records leave as they are.", names=quote(names))
        return Check("around", AROUND, False, sentence, blocks=False)
    return Check("around", AROUND, True, "Nothing stands around the records that could tell of them.")


def _again(earlier: int) -> Check:
    title = MEETINGS
    if earlier:
        sentence = message(
            "The ledger knows {earlier:release|releases} of the same records; seen beside this one they may tell more.",
            earlier=earlier,
        )
        return Check("meetings", title, False, sentence, blocks=False)
    return Check("meetings", title, True, "The ledger knows of no other one, or none is used.")
