"""The report as one page, rendered from the certificate alone: what every room shares, and its own sections."""

from collections.abc import Mapping, Sequence
from html import escape

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Bars, Pairs, Rows, Section, Sentences, room_of

_STYLE = """
body { font-family: "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; font-size: 10pt; color: #1c2733;
       max-width: 56em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 18pt; color: #143d6b; margin-bottom: 2px; } h2 { font-size: 12pt; color: #143d6b; margin-top: 18px; }
table { border-collapse: collapse; } td, th { padding: 3px 14px 3px 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #8896a5; color: #53606d; } .bad { color: #a3210f; } .good { color: #1b6b34; }
.small { color: #53606d; } .bar { color: #4b7bb5; white-space: nowrap; font-size: 8pt; }
.code { font-family: "DejaVu Sans Mono", Consolas, monospace; font-size: 7.5pt; }
"""
_BAR = "&#9608;"
_BAR_WIDTH = 24
_WHOLE_FROM = 1000  # beyond, four digits would be written as powers of ten
_DIGEST_LENGTH = 64


def render_report(certificate: Mapping[str, Json]) -> str:
    """Render a certificate as HTML that a browser and a page printer both understand."""
    result, *others = room_of(str(certificate["room"])).sections(certificate)
    sections = [
        (result.title, _parts(result)),
        ("Released against the rules", _override(certificate["override"])),
        ("Goals", _promises(certificate["promises"])),
        ("What the goals stop and what they leave open", _words(certificate["promises"])),
        ("Checks", _checks(certificate["checks"])),
        *((section.title, _parts(section)) for section in others),
        ("Versions", _pairs(certificate["program"])),
    ]
    body = "\n".join(f"<h2>{escape(title)}</h2>\n{content}" for title, content in sections if content)
    title = f"Release report: {escape(str(certificate['release']['file']))}"
    made = f'<p class="small">Made on {escape(str(certificate["release"]["created"]))}</p>'
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n{made}\n{body}\n</body></html>\n"
    )


def _parts(section: Section) -> str:
    return "\n".join(filter(None, map(_part, section.parts)))


def _part(part: Pairs | Rows | Bars | Sentences) -> str:
    match part:
        case Pairs(values):
            return _pairs(values)
        case Rows(head, rows):
            return _table(head, [[_value(cell) for cell in row] for row in rows]) if rows else ""
        case Bars(values, largest):
            return _bars(values, largest)
        case Sentences(texts):
            return _sentences(texts)


def _checks(checks: Sequence[Mapping[str, Json]]) -> str:
    rows = [[_state(c["holds"], "", ""), escape(c["title"]), escape(c["sentence"])] for c in checks]
    return _table([], rows)


def _state(holds: bool, good: str, bad: str) -> str:
    return f'<span class="good">&#10003; {good}</span>' if holds else f'<span class="bad">&#10007; {bad}</span>'


def _kept(goal: Mapping[str, Json]) -> str:
    """Say whether a goal is met; what is met by estimate only gets no mark that proves it."""
    is_estimate = goal["holds"] and goal.get("is_estimate")
    return (
        '<span class="small">met by estimate, not proven</span>'
        if is_estimate
        else _state(goal["holds"], "met", "not met")
    )


def _promises(goals: Sequence[Mapping[str, Json]]) -> str:
    rows = [[escape(g["title"]), escape(g["sentence"]), escape(number_text(g["value"])), _kept(g)] for g in goals]
    return _table(["Goal", "What must hold", "Achieved", ""], rows) if rows else "<p>No goal was set.</p>"


def _words(goals: Sequence[Mapping[str, Json]]) -> str:
    """Say of each goal once what help and window say of it."""
    about = {goal["title"]: goal for goal in goals}
    return "\n".join(
        f"<p><b>{escape(title)}</b>: {escape(goal['formula'])}</p>\n"
        f"<p>Stops: {escape(goal['stops'])}</p>\n<p>Leaves open: {escape(goal['leaves_open'])}</p>\n"
        f'<p class="small">{escape(goal["reference"])}</p>'
        for title, goal in about.items()
    )


def _bars(values: Mapping[str, float], largest: float = 0) -> str:
    longest = largest or max([abs(value) for value in values.values()], default=0) or 1
    rows = [
        [escape(name), number_text(value), f'<span class="bar">{_BAR * round(_BAR_WIDTH * value / longest)}</span>']
        for name, value in values.items()
    ]
    return _table([], rows) if rows else ""


def _override(override: Mapping[str, Json] | None) -> str:
    if override is None:
        return ""
    reasons = "".join(f"<li>{escape(sentence)}</li>" for sentence in override["failed"])
    return f'<ul class="bad">{reasons}</ul><p>Reason given: {escape(override["reason"])}</p>'


def _sentences(texts: Sequence[str]) -> str:
    if len(texts) == 1:
        return f"<p>{escape(texts[0])}</p>" if texts[0] else ""
    listed = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>{listed}</ul>" if listed else ""


def _pairs(pairs: Mapping[str, Json]) -> str:
    return _table([], [[escape(str(name)), _value(value)] for name, value in pairs.items()])


def _value(value: Json) -> str:
    text = number_text(value)
    return _code(text) if len(text) == _DIGEST_LENGTH and text.isalnum() else escape(text)


def _code(digest: str) -> str:
    return f'<span class="code">{escape(digest)}</span>'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "<tr>" + "".join(f"<th>{escape(title)}</th>" for title in head) + "</tr>" if head else ""
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table cellspacing="0">{top}{lines}</table>'


def number_text(value: Json) -> str:
    """Write a value for people: whole numbers whole, others with four significant digits, lists as they are read."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {number_text(item)}" for name, item in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(number_text(item) for item in value) or "none"
    if not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int) or float(value).is_integer() or abs(value) >= _WHOLE_FROM:
        return f"{round(value):,}"
    return f"{value:,.4g}"
