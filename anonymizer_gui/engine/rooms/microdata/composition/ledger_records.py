"""What the ledger keeps of a table, written, read, and attacked with."""

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.params import to_json as params_json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.normalisation import fold_text
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Role, Table
from anonymizer_gui.engine.releases.ledger.chain import Entry, key_check
from anonymizer_gui.engine.releases.ledger.releases import FORMAT_3_PART as EARLIER
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.rooms.microdata.composition.attack import CompositionResult, attack_composition
from anonymizer_gui.engine.rooms.microdata.composition.published_view import (
    KEY_BYTES,
    Ints,
    Keys,
    LinkedRows,
    PublishedView,
    ValueCombinations,
    ValueOrder,
    published_view,
)
from anonymizer_gui.engine.rooms.microdata.models.reference_distribution import describe_sensitive_attribute
from anonymizer_gui.engine.rooms.microdata.project import Project

_PEOPLE_AT_ONCE = 1 << 16


def person_keys(identifiers: Table, key: bytes, progress: Progress = SILENT) -> Keys:
    """Give every row a keyed hash of its identifiers; equal people get equal keys, however their names are written.

    Capital letters and white space make no other person. A row without any identifier gets an empty key: nobody can
    be matched by what is missing. Raises BadParameter without an identifying column.
    """
    return _hashed_keys(identifiers, key, fold_text, progress)


def person_keys_v1(identifiers: Table, key: bytes, progress: Progress = SILENT) -> Keys:
    """Give the keys as the version before made them: another capital letter was another person."""
    return _hashed_keys(identifiers, key, str, progress)


def _hashed_keys(identifiers: Table, key: bytes, written: Callable[[str], str], progress: Progress) -> Keys:
    if not identifiers.columns:
        raise BadParameter(
            "People can be matched across releases only by an identifying column.",
            "Mark the column that identifies a person as an identifier.",
        )
    people = classes_of(identifiers, identifiers.names)
    hashes = np.zeros(len(people), dtype=f"S{KEY_BYTES}")
    for start in range(0, len(people), _PEOPLE_AT_ONCE):
        progress(start / len(people), "Looking for people who were released before")
        some = people.first_rows[start : start + _PEOPLE_AT_ONCE]
        parts = [np.asarray(column.labels, dtype=object)[column.codes[some]] for column in identifiers.columns]
        hashes[start : start + len(some)] = [_key(texts, key, written) for texts in zip(*parts, strict=True)]
    return hashes[people.ids]


def _key(texts: Sequence[str], key: bytes, written: Callable[[str], str]) -> bytes:
    if all(text == MISSING for text in texts):
        return b""
    # No hash may end in a zero byte: fixed-length texts lose it, and an empty key means nobody.
    told = "\0".join(text if text == MISSING else written(text) for text in texts)
    return hmac.digest(key, told.encode(), "sha256")[: KEY_BYTES - 1] + b"\1"


_DESCRIPTION = "table"

_NUMBERS = np.dtype("<i4")


def record_parts(shown: PublishedView, aliases: Mapping[bytes, bytes]) -> dict[str, bytes]:
    """Write what is kept; `aliases` gives for keys of the version before those that stand for them now."""
    described: dict[str, Json] = {
        "key_check": shown.key_check,
        "matched_by": list(shown.matched_by),
        "goals": [dict(goal) for goal in shown.goals],
        "columns": [
            {"name": name, "labels": list(labels)}
            for values in shown.values
            for name, labels in zip(values.columns, values.labels, strict=True)
        ],
        "orders": {name: [order.rank, order.parents, order.leaves] for name, order in shown.orders.items()},
        "links": list(shown.links),
    }
    parts = {
        _DESCRIPTION: json.dumps(described).encode(),
        "people": shown.keys.astype(f"S{KEY_BYTES}").tobytes(),
        "classes": _blob(shown.classes),
        "aliases": np.array(sorted(aliases.items()), dtype=f"S{KEY_BYTES}").tobytes(),
    }
    for values in shown.values:
        counts = np.zeros_like(values.classes) if values.counts is None else values.counts
        parts["held"] = _blob(np.concatenate([values.classes, counts, *values.codes]))
    for number, linked in enumerate(shown.links.values()):
        parts[f"marks{number}"] = linked.marks.astype(f"S{KEY_BYTES}").tobytes()
        parts[f"rows{number}"] = _blob(np.concatenate([linked.classes, linked.entries]))
    return parts


def view_of_record(entry: Entry) -> PublishedView:
    """Read back what was kept of a table; raises ValueError, KeyError or TypeError for what no table is."""
    parts = entry.parts or {}
    found = _earlier(entry, parts) if EARLIER in parts else _current(entry, parts)
    _refuse_nonsense(found)
    return found


def _current(entry: Entry, parts: Mapping[str, bytes]) -> PublishedView:
    told = json.loads(parts[_DESCRIPTION])
    names, labels = tuple(c["name"] for c in told["columns"]), tuple(tuple(c["labels"]) for c in told["columns"])
    held = _numbers(parts["held"]).reshape(2 + len(names), -1) if names else None
    values = () if held is None else (ValueCombinations(names, labels, held[0], tuple(held[2:]), held[1]),)
    links = {}
    for number, name in enumerate(told["links"]):
        classes, entries = _numbers(parts[f"rows{number}"]).reshape(2, -1)
        links[name] = LinkedRows(_keys(parts[f"marks{number}"]), classes, entries)
    return PublishedView(
        entry.name,
        _keys(parts["people"]),
        _numbers(parts["classes"]),
        values,
        tuple(told["goals"]),
        told["key_check"],
        tuple(told["matched_by"]),
        {name: ValueOrder(*(tuple(part) for part in order)) for name, order in told["orders"].items()},
        links,
    )


def _refuse_nonsense(shown: PublishedView) -> None:
    """Raise ValueError for numbers no table gives: they would take memory without end, or point nowhere."""
    rows = [len(shown.classes), *(len(values.classes) for values in shown.values)]
    numbers = [(shown.classes, sum(rows))]
    for values in shown.values:
        numbers += [(values.classes, sum(rows)), *zip(values.codes, map(len, values.labels), strict=True)]
        if values.counts is not None and (values.counts < 0).any():
            raise ValueError
    for linked in shown.links.values():
        numbers += [(linked.classes, sum(rows)), (linked.entries, len(shown.values[0].classes) if shown.values else 0)]
        if len(linked.marks) != len(linked.classes):
            raise ValueError
    if len(shown.keys) != len(shown.classes) or any(((part < 0) | (part >= most)).any() for part, most in numbers):
        raise ValueError


def key_aliases(entry: Entry) -> Mapping[bytes, bytes]:
    """Give for keys of the version before those that stand for them now, as far as the entry knows."""
    found = _keys((entry.parts or {}).get("aliases", b"")).reshape(-1, 2)
    return dict(found.tolist())


def is_case_sensitive(entry: Entry) -> bool:
    """Tell whether people were still told apart by capital letters and white space."""
    return EARLIER in (entry.parts or {})


def renamed_keys(shown: PublishedView, aliases: Mapping[bytes, bytes]) -> PublishedView:
    """Give people of the version before the keys they have now, where those are known."""
    keys = [aliases.get(key, key) for key in shown.keys.tolist()]
    return replace(shown, keys=np.array(keys, dtype=f"S{KEY_BYTES}"))


def _earlier(entry: Entry, parts: Mapping[str, bytes]) -> PublishedView:
    """Read what the version before kept: which values classes hold, without counts; goals stand with the figures."""
    told = json.loads(parts[EARLIER])
    values = []
    for number, column in enumerate(told["columns"]):
        classes, codes = _numbers(parts[f"classes{number}"]), _numbers(parts[f"values{number}"])
        values.append(ValueCombinations((column["name"],), (tuple(column["labels"]),), classes, (codes,), None))
    goals = tuple({"model": goal["model"], "parameters": goal["parameters"]} for goal in entry.figures.get("goals", ()))
    people, classes = _keys(parts["people"]), _numbers(parts["classes"])
    return PublishedView(
        entry.name, people, classes, tuple(values), goals, told["key_check"], tuple(told["matched_by"])
    )


def _keys(content: bytes) -> Keys:
    return np.frombuffer(content, dtype=f"S{KEY_BYTES}")


def _blob(numbers: Ints) -> bytes:
    return numbers.astype(_NUMBERS).tobytes()


def _numbers(content: bytes) -> Ints:
    return np.frombuffer(content, dtype=_NUMBERS).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class NewRelease:
    """A new release, and the keys its people had in the version before where those were others."""

    shown: PublishedView
    aliases: Mapping[bytes, bytes]


def attack_with_ledger(
    ledger: ReleaseLedger, new: NewRelease, key: bytes, progress: Progress = SILENT
) -> CompositionResult:
    """Let a new release meet all that the ledger remembers; raises Tampered, UnreadableFile."""
    entries = _tables(ledger.read(key, progress.sub(0.0, 0.2)))
    aliases = dict(new.aliases)
    for entry in entries:
        aliases |= key_aliases(entry)
    return attack_composition(new.shown, _shown(ledger, entries, aliases), progress.sub(0.2, 1.0))


def ledger_parts(ledger: ReleaseLedger, new: NewRelease, key: bytes) -> dict[str, bytes]:
    """Give what the ledger will keep of a release; people whom older entries know by other keys are told with both."""
    older = [view_of_record(entry) for entry in _tables(ledger.read(key)) if is_case_sensitive(entry)]
    known = {person for shown in older for person in shown.keys.tolist()}
    return record_parts(new.shown, {old: now for old, now in new.aliases.items() if old in known})


def _tables(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.room == Project.room]


def _shown(ledger: ReleaseLedger, entries: Sequence[Entry], aliases: Mapping[bytes, bytes]) -> list[PublishedView]:
    """Read what was kept of earlier releases; raises UnreadableFile."""
    try:
        found = [(entry, view_of_record(entry)) for entry in entries]
    except (ValueError, KeyError, TypeError, IndexError):
        raise UnreadableFile(
            message("The ledger “{name}” cannot be used, it is damaged.", name=ledger.path.name),
            "Take a copy that is whole, or choose another file for the ledger.",
        ) from None
    return [renamed_keys(shown, aliases) if is_case_sensitive(entry) else shown for entry, shown in found]


def new_release_view(
    published: Table,
    rows: npt.NDArray[np.int64],
    original: Table,
    project: Project,
    key: bytes,
    progress: Progress = SILENT,
) -> NewRelease:
    """Take from a published table what the ledger will remember; `rows` gives the original row of each of its rows.

    Raises BadParameter without an identifying column.
    """
    # The order of the table's columns is no part of a person; a column that says whom a row is about says it alone.
    columns = [project.person] if project.person else sorted(project.schema.names(Role.EI))
    identifiers = original.select(columns).take(rows)
    keys = person_keys(identifiers, key, progress.sub(0.0, 0.5))
    exact = person_keys_v1(identifiers, key, progress.sub(0.5, 1.0))
    shown = published_view(
        project.name,
        published,
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        keys,
        _marks(published, project),
    )
    goals = tuple({"model": goal.name, "parameters": params_json(goal)} for goal in project.goals)
    matched_by = tuple(fold_text(name) for name in columns)
    told = replace(
        shown, goals=goals, key_check=key_check(key), matched_by=matched_by, orders=_orders(published, project)
    )
    other = exact != keys
    return NewRelease(told, dict(zip(exact[other].tolist(), keys[other].tolist(), strict=True)))


def _orders(published: Table, project: Project) -> Mapping[str, ValueOrder]:
    """Describe how far values are apart, for the columns of goals that measure by order or hierarchy."""
    orders = {}
    for name in project.schema.names(Role.SA):
        distances = {goal.distance for goal in project.goals if goal.needs_sensitive and goal.looks_at(name)}
        if distances & {"emd-ordered", "emd-hierarchical"}:
            column = published.column(name).compact()
            found = describe_sensitive_attribute(column, project.hierarchies.get(name), project.schema)
            order = ValueOrder(tuple(found.rank.tolist()))
            if "emd-hierarchical" in distances and found.hierarchy is not None and found.leaf is not None:
                tree = tuple(found.hierarchy.parents.tolist())
                order = replace(order, parents=tree, leaves=tuple(found.leaf.tolist()))
            orders[name] = order
    return orders


def _marks(published: Table, project: Project) -> dict[str, Keys]:
    """Mark the rows by pseudonyms that people keep from release to release."""
    if not project.publishing.linkable:
        return {}
    ways = dict(project.publishing.pseudonyms)
    return {f"{name} ({way})": _marked(published.column(name)) for name, way in ways.items() if name in published.names}


def _marked(column: Column) -> Keys:
    digests = [
        b"" if label == MISSING else hashlib.sha256(label.encode()).digest()[: KEY_BYTES - 1] + b"\1"
        for label in column.labels
    ]
    return np.array(digests, dtype=f"S{KEY_BYTES}")[column.codes]
