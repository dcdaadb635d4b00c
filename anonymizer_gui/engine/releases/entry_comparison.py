"""Entries of a certificate compared with what was measured: which of them differ, and which were compared at all."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Near

Place = tuple[str | int, ...]
"""Where an entry is: the keys and indices that lead to it."""
_CLOSE = 1e-6


class Comparison:
    """The entries of a certificate that were measured, and what differs; expected entries are added part by part."""

    def __init__(self, certificate: Mapping[str, Json], *, is_strict: bool) -> None:
        """Start with nothing measured; unless it is strict, the certificate may lack entries that are expected."""
        self.differences: list[Message] = []
        self._certificate = certificate
        self._is_strict = is_strict
        self._measured: set[Place] = set()

    def mark(self, *names: str) -> None:
        """Take entries as measured that somebody else compared, by dotted names."""
        wanted = [name.split(".") for name in names]
        for place in leaves(self._certificate):
            spelt = name_of(self._certificate, place).split(".")
            if any(_begins(spelt, name) for name in wanted):
                self._measured.add(place)

    def compare(self, expected: Mapping[Any, Any]) -> None:
        """Compare entries, shaped as the certificate is as far as they are known.

        Raises ValueError where the certificate has an entry of another type, such as a number as text.
        """
        if expected:
            self._nested(expected, self._certificate, ())

    def labelled(self, reasons: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, str], str]:
        """Give the measured entries, those not measured with the reason of each, and the first without a reason."""
        labels = {
            place: None if place in self._measured else _reason(name_of(self._certificate, place), reasons)
            for place in leaves(self._certificate)
        }
        unknown = [place for place, label in labels.items() if label is None and place not in self._measured]
        names = dict(_collapsed(self._certificate, self._certificate, labels))
        return (
            tuple(name for name, label in names.items() if label is None),
            {name: label for name, label in names.items() if label is not None},
            name_of(self._certificate, unknown[0]) if unknown else "",
        )

    def _nested(self, expected: Any, written: Any, place: Place) -> None:
        if isinstance(expected, Mapping) and expected:
            self._entries(expected, written, place)
        elif isinstance(expected, list | tuple) and expected:
            if not isinstance(written, list):
                raise ValueError("entries of another type")
            if len(written) != len(expected):
                self._differ(place, len(written), len(expected))
            for at, (inner, own) in enumerate(zip(expected, written, strict=False)):
                self._nested(inner, own, (*place, at))
        else:
            self._leaf(expected, written, place)

    def _entries(self, expected: Mapping[Any, Any], written: Any, place: Place) -> None:
        """Compare entries by name; the parts of a list may be given by their places."""
        names = range(len(written)) if isinstance(written, list) else written
        if not isinstance(names, range | dict):
            raise ValueError("entries of another type")
        for name, inner in expected.items():
            if name in names:
                self._nested(inner, written[name], (*place, name))
            elif self._is_strict:
                self._differ((*place, name), message("missing"), inner)

    def _leaf(self, expected: Any, written: Json, place: Place) -> None:
        self._measured.update(leaves(written, place))
        value = expected.value if isinstance(expected, Near) else expected
        if _kind(value) != _kind(written) and None not in (value, written):
            raise ValueError("an entry of another type")
        if not _is_same(expected, written):
            self._differ(place, written, value)

    def _differ(self, place: Place, written: Any, counted: Any) -> None:
        self.differences.append(
            message(
                "{entry} is {counted}, the certificate says {written}.",
                entry=name_of(self._certificate, place),
                counted=_shown(counted),
                written=_shown(written),
            )
        )


def leaves(entry: Any, place: Place = ()) -> Iterator[Place]:
    """Walk the entries that hold no others."""
    if not isinstance(entry, dict | list) or not entry:
        yield place
        return
    for name, value in entry.items() if isinstance(entry, dict) else enumerate(entry):
        yield from leaves(value, (*place, name))


def name_of(certificate: Any, place: Place) -> str:
    """Give the dotted name of an entry; a part of a list is called by its own name where it has one."""
    names, entry = [], certificate
    for step in place:
        try:
            entry = entry[step]
        except (LookupError, TypeError):
            entry = None
        own = entry.get("name") if isinstance(step, int) and isinstance(entry, dict) else None
        names.append(own if isinstance(own, str) and own else str(step))
    return ".".join(names)


def _begins(spelt: list[str], name: list[str]) -> bool:
    """Tell whether a name lies at or below another one, whose `*` stand for any part."""
    return len(name) <= len(spelt) and all(part in ("*", own) for part, own in zip(name, spelt, strict=False))


def _reason(name: str, reasons: Mapping[str, str]) -> str | None:
    """Give the reason of the longest name an entry lies at or below."""
    spelt = name.split(".")
    known = [reason for reason in reasons if not reason or _begins(spelt, reason.split("."))]
    return reasons[max(known, key=lambda reason: (reason.count(".") + bool(reason), reason))] if known else None


def _collapsed(
    certificate: Any, entry: Any, labels: Mapping[Place, str | None], place: Place = ()
) -> list[tuple[str, str | None]]:
    """Name entries with their label, an outer one for all its inner ones where they share it."""
    inner = entry.items() if isinstance(entry, dict) else enumerate(entry) if isinstance(entry, list) else ()
    names = [part for name, each in inner for part in _collapsed(certificate, each, labels, (*place, name))]
    own = {label for _, label in names} if names else {labels[place]}
    return [(name_of(certificate, place), own.pop())] if place and len(own) == 1 else names


def _kind(value: Any) -> type:
    if isinstance(value, bool):
        return bool
    if isinstance(value, int | float):
        return float
    return list if isinstance(value, tuple) else str if isinstance(value, str) else type(value)


def _is_same(expected: Any, written: Json) -> bool:
    """Compare two values; numbers may differ by rounding."""
    value, within = (expected.value, expected.within) if isinstance(expected, Near) else (expected, _CLOSE)
    if value is None or written is None or _kind(value) is not float:
        return bool((list(value) if isinstance(value, tuple) else value) == written)
    if math.isinf(value):
        return bool(value == written)
    relative = 0.0 if isinstance(expected, Near) else _CLOSE
    return math.isclose(value, written, rel_tol=relative, abs_tol=within)


def _shown(value: Any) -> object:
    """Give a value as a sentence shows it, cut where it is long."""
    value = value.value if isinstance(value, Near) else value
    if isinstance(value, Message):
        return value
    if value is None:
        return message("unknown")
    if isinstance(value, bool):
        return message("true") if value else message("false")
    if isinstance(value, int | float):
        return value
    text = str(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
