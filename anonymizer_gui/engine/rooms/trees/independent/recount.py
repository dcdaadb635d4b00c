"""Files, classes, patterns and promises once more."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT, Progress

_DEEPEST = 100


class _Spelt(str):
    """A number as it stands in the file."""

    __slots__ = ()


@dataclass(slots=True)
class ReleasedVertex:
    """A vertex of a released record: its path, its labels by path, and the vertices below it."""

    path: str
    labels: list[tuple[str, str]]
    below: "list[ReleasedVertex]" = field(default_factory=list)
    apart: "list[ReleasedVertex]" = field(default_factory=list)
    """What hangs on the record itself and was taken from elsewhere."""


def read_release(content: bytes, told: Mapping[str, Any]) -> list[ReleasedVertex]:
    """Read all records; `told` says the format, the entry or root around them, and the paths of all labels.

    Raises ValueError for what is not such a file.
    """
    names = frozenset(told["labels"])
    if told["format"] == "xml":
        return [_element(each, each.tag, names, told) for each in _root(content, told)]
    found = [_vertex(each, "", names, told["detached"], 0) for each in _values(content, told)]
    if any(node is None for node in found):
        raise ValueError
    return [node for node in found if node is not None]


def _values(content: bytes, told: Mapping[str, Any]) -> Iterator[Any]:
    text = content.decode(told["encoding"])
    if told["format"] == "lines":
        yield from (_loads(line) for line in text.split("\n") if line)
        return
    whole = _loads(text)
    if told["entry"]:
        if not isinstance(whole, dict) or list(whole) != [told["entry"]]:
            raise ValueError
        whole = whole[told["entry"]]
    if not isinstance(whole, list):
        raise ValueError
    yield from whole


def _loads(text: str) -> Any:
    return json.loads(text, parse_int=_Spelt, parse_float=_Spelt, parse_constant=_refuse, object_pairs_hook=_distinct)


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError
    return dict(pairs)


def _told(value: Any) -> str:
    """Give a scalar as a text that tells its type, too: whoever reads the file sees both."""
    if isinstance(value, _Spelt):
        return f"number {value}"
    return f"text {value}" if isinstance(value, str) else json.dumps(value)


@lru_cache(maxsize=1 << 16)
def _step(path: str, name: str) -> str:
    quoted = not name or any(mark in name for mark in '.[]"')
    step = f"[{json.dumps(name)}]" if quoted else name
    return f"{path}.{step}" if path else step


def _vertex(value: Any, path: str, names: frozenset[str], detached: str, depth: int) -> ReleasedVertex:
    if depth > _DEEPEST:
        raise ValueError
    node = ReleasedVertex(path, [])
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == detached and detached:
                node.apart += [_one_apart(each, names, detached, depth) for each in inner]
            else:
                _take(node, inner, _step(path, name), names, detached, depth)
    elif isinstance(value, list):
        _take(node, value, path, names, detached, depth)
    else:
        _label(node, path or "$", value, names)
    return node


def _take(node: ReleasedVertex, inner: Any, path: str, names: frozenset[str], detached: str, depth: int) -> None:
    if isinstance(inner, list):
        node.below += [_vertex(each, f"{path}[]", names, detached, depth + 1) for each in inner]
    elif isinstance(inner, dict):
        node.below.append(_vertex(inner, path, names, detached, depth + 1))
    else:
        _label(node, path, inner, names)


def _label(node: ReleasedVertex, path: str, value: Any, names: frozenset[str]) -> None:
    """Take a label; one that nobody told of would never have been looked at."""
    if path not in names:
        raise ValueError
    node.labels.append((path, _told(value)))


def _one_apart(entry: Any, names: frozenset[str], detached: str, depth: int) -> ReleasedVertex:
    """Take a vertex that stands under its old path."""
    ((path, inner),) = entry.items()
    value = inner[0] if isinstance(inner, list) and len(inner) == 1 else inner
    return _vertex(value, path, names, detached, depth + 1)


def _root(content: bytes, told: Mapping[str, Any]) -> Any:
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    try:
        root = fromstring(content, forbid_dtd=True)
    except (ParseError, DefusedXmlException, LookupError):
        raise ValueError from None
    _shorten(root, told["prefixes"])
    if root.tag != told["entry"] or dict(root.attrib) != told["attributes"]:
        raise ValueError
    return root


def _shorten(root: Any, prefixes: Mapping[str, str]) -> None:
    """Write names with their prefixes, as the paths are written; a comment or instruction has none."""
    for found in root.iter():
        found.tag = _short(found.tag, prefixes)
        for name in list(found.attrib):
            found.attrib[_short(name, prefixes)] = found.attrib.pop(name)


def _short(name: Any, prefixes: Mapping[str, str]) -> str:
    if not isinstance(name, str):
        raise ValueError
    address, _, local = name[1:].partition("}") if name.startswith("{") else ("", "", name)
    prefix = prefixes.get(address, "") if address else ""
    return f"{prefix}:{local}" if prefix else local


def _element(found: Any, path: str, names: frozenset[str], told: Mapping[str, Any], depth: int = 0) -> ReleasedVertex:
    if depth > _DEEPEST:
        raise ValueError
    node = ReleasedVertex(path, [])
    for name, value in found.attrib.items():
        _label(node, f"{path}/@{name}", value, names)
    if found.text and found.text.strip():
        _label(node, f"{path}/text()", found.text, names)
    for child in found:
        inner = f"{path}/{child.tag}"
        if child.tag == told["detached"] and told["detached"]:
            node.apart.append(_element(child[0], child.attrib["path"], names, told, depth + 1))
        elif inner in names and not len(child) and not child.attrib:
            _label(node, inner, child.text or "", names)
        else:
            node.below.append(_element(child, inner, names, told, depth + 1))
        if child.tail and child.tail.strip():
            _label(node.below[-1], f"{inner}/tail()", child.tail, names)
    return node


Shape = tuple[Any, ...]

Place = tuple[Shape, ...]

_OFTEN = 500


def structure_of(node: ReleasedVertex, known: frozenset[str]) -> Shape:
    """Give what somebody who knows all quasi-identifiers sees of a vertex and all below it; order says nothing."""
    labels = tuple(sorted(label for label in node.labels if label[0] in known))
    below = tuple(sorted((structure_of(each, known) for each in node.below), key=repr))
    apart = tuple(sorted((structure_of(each, known) for each in node.apart), key=repr))
    return (node.path, labels, below, apart)


def smallest_class(records: Sequence[ReleasedVertex], known: frozenset[str], progress: Progress = SILENT) -> int:
    """Give how many records the smallest class of equal structure has; 0 when there is none."""
    return min(Counter(_shapes(records, known, progress)).values(), default=0)


def _shapes(records: Sequence[ReleasedVertex], known: frozenset[str], progress: Progress) -> Iterator[Shape]:
    for at, record in enumerate(records):
        if at % _OFTEN == 0:
            progress(at / len(records), "Counting again")
        yield structure_of(record, known)


def fewest_values(
    records: Sequence[ReleasedVertex], known: frozenset[str], sensitive: frozenset[str], progress: Progress = SILENT
) -> int | None:
    """Give the fewest values of a sensitive path at any place of any class; nothing where there is no value at all.

    A place is the way from the record to a vertex, each step as it can be seen. What is missing is no value.
    """
    seen: dict[tuple[Place, str], set[str]] = {}
    for at, record in enumerate(records):
        if at % _OFTEN == 0:
            progress(at / len(records), "Counting again")
        for place, node in _places(record, (), known):
            for path, value in node.labels:
                if path in sensitive and is_value(value):
                    seen.setdefault((place, path), set()).add(value)
    return min(map(len, seen.values()), default=None)


def is_value(told: str) -> bool:
    """Tell whether there is a value: null, an empty text and one that says it is missing are none."""
    return told not in ("null", "text (missing)") and told.strip() != "text"


def _places(node: ReleasedVertex, above: Place, known: frozenset[str]) -> Iterator[tuple[Place, ReleasedVertex]]:
    place = (*above, structure_of(node, known))
    yield place, node
    for each in (*node.below, *node.apart):
        yield from _places(each, place, known)


def vertices(records: Iterable[ReleasedVertex], around: frozenset[str]) -> int:
    """Count the vertices of records, without those around them."""
    return sum(
        (node.path not in around) + vertices(node.below, around) + vertices(node.apart, around) for node in records
    )


def cut_off(records: Iterable[ReleasedVertex]) -> int:
    """Count the vertices that were taken apart."""
    return sum(len(node.apart) + cut_off(node.below) + cut_off(node.apart) for node in records)


def smallest_support(
    records: Sequence[ReleasedVertex], told: Mapping[str, Any], m: int, n: int, progress: Progress = SILENT
) -> int:
    """Give the fewest records that fit any pattern of up to m labels and n relations that one fits."""
    known, spine = frozenset(told["known"]), frozenset(told["spine"])
    alone: Counter[tuple[int, ...]] = Counter()
    linked: Counter[Any] = Counter()
    numbers: dict[tuple[str, str], int] = {}
    for at, record in enumerate(records):
        if at % _OFTEN == 0:
            progress(at / len(records), "Counting again")
        labels = list(labels_of(record, (), known, spine, numbers))
        names = sorted({name for name, _ in labels})
        for size in range(1, m + 1):
            alone.update(combinations(names, size))
        if n and m > 1:
            linked.update(_linked_pairs(labels))
        if n and m > 2:
            linked.update(pattern for pattern in patterns_of(labels, m, n) if len(pattern[0]) > 2 and pattern[1])
    return min([*alone.values(), *linked.values()], default=0)


def _linked_pairs(labels: "Sequence[Label]") -> set[tuple[int, int]]:
    """List the pairs of labels that stand in one vertex, or one above the other: all that share a way to the record."""
    held: dict[int, list[int]] = {}
    for name, own in labels:
        if own:
            held.setdefault(own[-1], []).append(name)
    pairs = set()
    for name, own in labels:
        for vertex in own:
            for other in held.get(vertex, ()):
                if other != name:
                    pairs.add((name, other) if name < other else (other, name))
    return pairs


Label = tuple[int, tuple[int, ...]]
"""The number of a label, and the vertices above it and its own; none where it stands at the record itself."""


def labels_of(
    node: ReleasedVertex,
    above: tuple[int, ...],
    known: frozenset[str],
    spine: frozenset[str],
    numbers: dict[tuple[str, str], int],
) -> Iterator[Label]:
    """Walk the labels of some paths, each numbered as it is first seen."""
    is_record = not above and node.path in spine
    own = () if is_record else (*above, id(node))
    for label in node.labels:
        if label[0] in known:
            yield numbers.setdefault(label, len(numbers)), own
    for each in node.below:
        yield from labels_of(each, own, known, spine, numbers)
    for each in node.apart:
        yield from labels_of(each, (), known, frozenset(), numbers)


def patterns_of(labels: Sequence[Label], m: int, n: int) -> set[Any]:
    """List all patterns of one record: some labels, and which of them are known to stand in or above each other."""
    found: set[Any] = set()
    ordered = sorted(labels)
    for size in range(1, m + 1):
        for some in combinations(ordered, size):
            names = tuple(name for name, _ in some)
            if len(set(names)) < size:
                continue
            found.add((names, ()))
            links = [pair for pair in combinations(range(size), 2) if is_link(some[pair[0]][1], some[pair[1]][1])]
            for many in range(1, min(n, len(links)) + 1):
                found.update((names, chosen) for chosen in combinations(links, many))
    return found


def is_link(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Tell whether two labels below the record stand in one vertex, or one above the other."""
    if not one or not other:
        return False
    return one[-1] in other or other[-1] in one


Values = frozenset[str]


@dataclass(slots=True)
class SeenRecord:
    """A record: where each label stands that may be known, and every sensitive value with its vertex."""

    spots: dict[int, list[tuple[int, ...]]]
    secrets: list[tuple[str, str, tuple[int, ...]]]

    def values(self, path: str) -> Values:
        """Give all values of a path."""
        return frozenset(value for own, value, _ in self.secrets if own == path)

    def values_at(self, path: str, spots: Iterable[tuple[int, ...]]) -> Values:
        """Give the values of a path that stand in line with one of some vertices."""
        places = list(spots)
        return frozenset(
            value for own, value, way in self.secrets if own == path and any(is_link(way, spot) for spot in places)
        )


def fewest_possible_values(
    records: Sequence[ReleasedVertex], told: Mapping[str, Any], least: int, m: int, n: int, progress: Progress = SILENT
) -> int | None:
    """Give the fewest values of a sensitive path that any pattern leaves open, counted up to `least`.

    That many it takes until everybody who fits and has a value has one of them: in the record, or in line with a
    label of the pattern. Nothing where no record has a sensitive value.
    """
    numbers: dict[tuple[str, str], int] = {}
    seen, fits = list[SeenRecord](), dict[Any, list[int]]()
    for at, record in enumerate(records):
        if at % _OFTEN == 0:
            progress(0.3 * at / len(records), "Counting again")
        labels = list(labels_of(record, (), frozenset(told["known"]), frozenset(told["spine"]), numbers))
        seen.append(_seen(record, labels, told))
        for pattern in _patterns(labels, m, n):
            fits.setdefault(pattern, []).append(at)
    fewest = None
    for at, (pattern, owners) in enumerate(fits.items()):
        if at % _OFTEN == 0:
            progress(0.3 + 0.7 * at / len(fits), "Counting again")
        for path in told["sensitive"]:
            for answers in _answers([seen[owner] for owner in owners], pattern, path):
                fewest = _least_of(fewest, _until_all(answers, least))
    return fewest


def _least_of(one: int | None, other: int | None) -> int | None:
    return min((each for each in (one, other) if each is not None), default=None)


def _seen(record: ReleasedVertex, labels: Sequence[Label], told: Mapping[str, Any]) -> SeenRecord:
    spots: dict[int, list[tuple[int, ...]]] = {}
    for name, way in labels:
        spots.setdefault(name, []).append(way)
    words: dict[tuple[str, str], int] = {}
    secrets = list(labels_of(record, (), frozenset(told["sensitive"]), frozenset(told["spine"]), words))
    named = {number: label for label, number in words.items()}
    return SeenRecord(spots, [(*named[number], way) for number, way in secrets if is_value(named[number][1])])


def _patterns(labels: Sequence[Label], m: int, n: int) -> Iterator[Any]:
    if n:
        yield from patterns_of(labels, m, n)
        return
    names = sorted({name for name, _ in labels})
    yield from ((some, ()) for size in range(1, m + 1) for some in combinations(names, size))


def _answers(records: Sequence[SeenRecord], pattern: Any, path: str) -> Iterator[list[Values]]:
    """Give what each of them answers: in all of the record, then at every label of the pattern."""
    yield [record.values(path) for record in records]
    for place in range(len(pattern[0])):
        yield [record.values_at(path, _spots(record, pattern, place)) for record in records]


def _spots(record: SeenRecord, pattern: Any, place: int) -> list[tuple[int, ...]]:
    """Give where a label of a pattern may stand, so that its relations hold."""
    names, links = pattern
    if not links:
        return record.spots[names[place]]
    ways = product(*(record.spots[name] for name in names))
    return [way[place] for way in ways if all(is_link(way[one], way[other]) for one, other in links)]


def _until_all(answers: Sequence[Values], most: int) -> int | None:
    """Give how many values it takes until everybody has one of them, counted up to `most`; who has none is nobody."""
    various = [each for each in answers if each]
    if not various:
        return None
    if _apart(various, most):
        return most
    return next((size for size in range(1, most) if _covers(various, size)), most)


def _apart(answers: Sequence[Values], wanted: int) -> bool:
    """Tell whether so many answers were found of which no two share a value: each needs one of its own then."""
    taken: set[str] = set()
    for own in answers:
        if taken.isdisjoint(own):
            taken |= own
            wanted -= 1
            if not wanted:
                return True
    return False


def _covers(answers: Sequence[Values], size: int) -> bool:
    """Tell whether so many values reach everybody: one of them must be that of a fair share."""
    if not answers or not size:
        return not answers
    for value, count in Counter(value for own in answers for value in own).most_common():
        if count * size < len(answers):
            return False
        if _covers([own for own in answers if value not in own], size - 1):
            return True
    return False


def check_promise(
    records: Sequence[ReleasedVertex],
    told: Mapping[str, Any],
    name: str,
    parameters: Mapping[str, Any],
    progress: Progress = SILENT,
) -> tuple[int, bool]:
    """Give the figure of a promise, and whether it holds; raises ValueError for a promise nobody knows."""
    known = frozenset(told["known"])
    if name == "full":
        smallest = smallest_class(records, known, progress)
        return smallest, smallest >= parameters["k"]
    if name == "l":
        fewest = fewest_values(records, known, frozenset(told["sensitive"]), progress)
        return fewest or 0, fewest is None or fewest >= parameters["l"]
    if name == "few":
        support = smallest_support(records, told, parameters["m"], parameters["n"], progress)
        return support, support == 0 or support >= parameters["k"]
    if name == "few_l":
        least, m, n = (parameters[each] for each in ("l", "m", "n"))
        fewest = fewest_possible_values(records, told, least, m, n, progress)
        return fewest or 0, fewest is None or fewest >= parameters["l"]
    raise ValueError(name)
