"""Writes trees in the form of their source: order of keys, types, attributes against elements, encoding."""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from json.encoder import encode_basestring as _quoted
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.data.trees.reading import vertex_to_json
from anonymizer_gui.engine.data.trees.trees import (
    JSON,
    LINES,
    SUFFIXES,
    TAIL,
    TEXT,
    XML,
    FileForm,
    Number,
    Scalar,
    Vertex,
)


def check_suffix(path: Path, form: FileForm) -> str:
    """Give the format a name asks for; raises UnwritableFile when trees of this form cannot leave so."""
    wanted = SUFFIXES.get(path.suffix.lower(), "")
    if not wanted or (wanted == XML) != form.is_xml:
        if form.is_xml:
            raise UnwritableFile("These records leave as they came, as XML.", "Let the name end in .xml.")
        raise UnwritableFile("These records leave as they came, as JSON.", "Let the name end in .json or .jsonl.")
    return wanted


def records_to_bytes(records: Sequence[Vertex], form: FileForm, kind: str = "") -> bytes:
    """Give the bytes of a file with these records; `kind` may say lines where the source was a list, and back."""
    if form.is_xml:
        return _encoded("".join(_xml(records, form)), form.encoding)
    lines = (kind or form.format) == LINES
    text = "".join(f"{json_text(record)}\n" for record in records) if lines else _json(records, form)
    return text.encode(form.encoding, "backslashreplace")  # half of a character is escaped in JSON, as it came


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding, "xmlcharrefreplace")
    except LookupError:
        return text.encode("utf-8", "xmlcharrefreplace")


def json_text(record: Vertex, indent: int | None = None) -> str:
    """Give one record as JSON; numbers as they were spelt."""
    out = io.StringIO()
    _write(vertex_to_json(record), indent, "\n", out)
    return out.getvalue()


def _json(records: Sequence[Vertex], form: FileForm) -> str:
    out, whole = io.StringIO(), [vertex_to_json(record) for record in records]
    _write({form.entry: whole} if form.entry else whole, form.indent, "\n", out)
    return out.getvalue() + "\n"


def _write(value: Any, indent: int | None, line: str, out: io.StringIO) -> None:
    """Write a value; `line` begins a line as far in as the value stands."""
    if isinstance(value, dict | list) and value:
        inner = line + " " * (indent or 0)
        is_object = isinstance(value, dict)
        items: Iterable[tuple[str, Any]] = value.items() if isinstance(value, dict) else (("", each) for each in value)
        mark = "{" if is_object else "["
        for name, item in items:
            out.write(mark if indent is None else mark + inner)
            if is_object:
                out.write(_quoted(name) + ": ")
            _write(item, indent, inner, out)
            mark = ", " if indent is None else ","
        out.write(("" if indent is None else line) + ("}" if is_object else "]"))
    elif isinstance(value, Number):
        out.write(value)
    else:
        out.write(_quoted(value) if isinstance(value, str) else json.dumps(value))


def _xml(records: Sequence[Vertex], form: FileForm) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="{form.encoding.upper()}"?>\n'
    declared = [
        (f"xmlns:{prefix}" if prefix else "xmlns", address)
        for address, prefix in form.prefixes.items()
        if prefix != "xml"
    ]
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in (*declared, *form.attributes))
    yield f"<{form.root}{attributes}>\n"
    for record in records:
        yield " " + element_text(record, record.tag, 1) + "\n"
    yield f"</{form.root}>\n"


def element_text(vertex: Vertex, tag: str, depth: int = 0) -> str:
    """Give an element; one that holds text is written without white space of ours, which would become part of it."""
    attributes = "".join(
        f" {name[1:]}={quoteattr(scalar_text(part))}"
        for name, part in vertex.parts
        if name.startswith("@") and _flat(part)
    )
    inner = [(name, part) for name, part in vertex.parts if not name.startswith("@") and name != TAIL]
    mixed = any(name == TEXT or (isinstance(part, Vertex) and _tail(part)) for name, part in inner)
    line = "" if mixed else "\n" + " " * (depth + 1)
    body = "".join(line + _inner(name, part, depth) for name, part in inner)
    if not inner:
        return f"<{tag}{attributes}/>"
    return f"<{tag}{attributes}>{body}{'' if mixed else line[:-1]}</{tag}>".removeprefix("\n")


def _inner(name: str, part: Scalar | Vertex | list[Vertex], depth: int) -> str:
    if isinstance(part, Vertex):
        return element_text(part, name, depth + 1) + escape(_tail(part))
    if isinstance(part, list):
        return "".join(element_text(each, name, depth + 1) for each in part)
    text = escape(scalar_text(part))
    if name == TEXT:
        return text
    return f"<{name}>{text}</{name}>" if text else f"<{name}/>"


def _flat(part: object) -> bool:
    return not isinstance(part, Vertex | list)


def _tail(vertex: Vertex) -> str:
    return next((scalar_text(part) for name, part in vertex.parts if name == TAIL), "")


def scalar_text(value: Any) -> str:
    """Give a scalar as a file shows it."""
    if value is None:
        return ""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def format_for(path: Path, form: FileForm) -> str:
    """Give the format of a release that is called so."""
    wanted = check_suffix(path, form)
    return wanted if wanted in (JSON, LINES) else XML
