"""The report as one self-contained page, rendered from the certificate and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from anonymizer_gui.engine.params import Json

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
_DIGEST_LENGTH = 64


def render(certificate: Mapping[str, Json]) -> str:
    """Render a certificate as HTML that a browser and a page printer both understand."""
    sections = [
        ("Result", _result(certificate)),
        ("Released against the rules", _override(certificate["override"])),
        ("Goals", _goals(certificate["goals"])),
        ("What the goals stop and what they leave open", _words(certificate["goals"])),
        ("Checks", _checks(certificate["checks"])),
        ("Source", _source(certificate)),
        ("Columns", _columns(certificate["columns"])),
        ("Hierarchies", _hierarchies(certificate["hierarchies"])),
        ("How it was made", _method(certificate["recipe"])),
        ("How it was published", _publishing(certificate["recipe"])),
        ("Sizes of the classes", _histogram(certificate["class_sizes"])),
        ("Loss per column (LM, 0 to 1)", _bars(certificate["loss_per_column"], largest=1)),
        ("Suppressed records", _sentence(certificate["suppression"])),
        ("Other releases", _items(certificate["meetings"], "Compared with no earlier release.")),
        ("Warnings", _items(certificate["warnings"], "None.")),
        ("Attacks on the method", _sentence(certificate["attacks"])),
        ("Versions", _pairs(certificate["program"])),
    ]
    body = "\n".join(f"<h2>{title}</h2>\n{content}" for title, content in sections if content)
    title = f"Release report: {escape(str(certificate['release']['file']))}"
    made = f'<p class="small">Made on {escape(str(certificate["release"]["created"]))}</p>'
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n{made}\n{body}\n</body></html>\n"
    )


def _result(certificate: Mapping[str, Json]) -> str:
    numbers, release = certificate["numbers"], certificate["release"]
    rows = {
        "Records released": numbers["rows"],
        "Records suppressed": numbers["suppressed"],
        "Equivalence classes": numbers["classes"],
        "k (smallest class)": numbers["k"],
        **{f"l ({kind})": value for kind, value in numbers["l"].items()},
        **{f"t ({kind.replace('_', ' ')})": value for kind, value in numbers["t"].items()},
        "LM per record (0 to 1)": numbers["lm"],
        "LM in all": numbers["lm_total"],
        "MD": numbers["md"],
        "SHA-256 of the release": release["sha256"],
        "SHA-256 of the certificate": certificate["sha256"],
    }
    return _pairs({name: value for name, value in rows.items() if value is not None})


def _source(certificate: Mapping[str, Json]) -> str:
    source, population = certificate["source"], certificate["population"]
    rows = {"File": source["file"], "SHA-256": source["sha256"], "Records": source["rows"]}
    if population is not None:
        rows |= {"Population": population["file"], "SHA-256 of the population": population["sha256"]}
    return _pairs({name: value for name, value in rows.items() if value != ""})


def _checks(checks: Sequence[Mapping[str, Json]]) -> str:
    rows = [[_state(c["holds"], "", ""), escape(c["title"]), escape(c["sentence"])] for c in checks]
    return _table([], rows)


def _state(holds: bool, good: str, bad: str) -> str:
    return f'<span class="good">&#10003; {good}</span>' if holds else f'<span class="bad">&#10007; {bad}</span>'


def _goals(goals: Sequence[Mapping[str, Json]]) -> str:
    rows = [
        [escape(g["title"]), escape(g["sentence"]), escape(number(g["value"])), _state(g["holds"], "met", "not met")]
        for g in goals
    ]
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


def _columns(columns: Sequence[Mapping[str, Json]]) -> str:
    return _table(
        ["Column", "Role", "Type", "In the release"],
        [[escape(c["name"]), escape(c["role"]), escape(c["type"]), escape(c["published"])] for c in columns],
    )


def _hierarchies(hierarchies: Mapping[str, Mapping[str, Json]]) -> str:
    rows = [[escape(name), f"{h['leaves']:,}", str(h["height"]), _code(h["sha256"])] for name, h in hierarchies.items()]
    return _table(["Column", "Values", "Levels", "SHA-256"], rows) if rows else ""


def _method(recipe: Mapping[str, Json]) -> str:
    bounds = {name: f"level {low} to {high}" for name, (low, high) in recipe["bounds"].items()}
    return _pairs(
        {
            "Algorithm": recipe["title"],
            **{f"Parameter {name.replace('_', ' ')}": value for name, value in recipe["parameters"].items()},
            "Suppression limit": f"{recipe['suppression']:.2%}",
            "Column weights": {name: f"{weight:.3g}" for name, weight in recipe["weights"].items()},
            "Level bounds": bounds,
            "Levels of uneven hierarchies": recipe["uneven"],
            "Seed": recipe["seed"],
        }
    )


def _publishing(recipe: Mapping[str, Json]) -> str:
    return _pairs(
        {
            "Order of the rows": recipe["row_order"],
            "Suppressed records": "as * where the goals allow it" if recipe["suppressed_as_stars"] else "left out",
            "Pseudonyms": dict(recipe["pseudonyms"]),
            "Pseudonyms link to other releases": recipe["linkable"],
            "Formulas disarmed": recipe["escape_formulas"],
            "Missing cells": f"written as {recipe['missing_token']}" if recipe["missing_token"] else "empty",
        }
    )


def _histogram(sizes: Sequence[Sequence[int]]) -> str:
    return _bars({f"{low:,} to {high:,} records" if low < high else f"{low:,} records": n for low, high, n in sizes})


def _bars(values: Mapping[str, float], largest: float = 0) -> str:
    longest = largest or max([abs(value) for value in values.values()], default=0) or 1
    rows = [
        [escape(name), number(value), f'<span class="bar">{_BAR * round(_BAR_WIDTH * value / longest)}</span>']
        for name, value in values.items()
    ]
    return _table([], rows) if rows else ""


def _override(override: Mapping[str, Json] | None) -> str:
    if override is None:
        return ""
    reasons = "".join(f"<li>{escape(sentence)}</li>" for sentence in override["failed"])
    return f'<ul class="bad">{reasons}</ul><p>Reason given: {escape(override["reason"])}</p>'


def _items(items: Iterable[str], otherwise: str) -> str:
    listed = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f"<ul>{listed}</ul>" if listed else f"<p>{otherwise}</p>"


def _sentence(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def _pairs(pairs: Mapping[str, Json]) -> str:
    return _table([], [[escape(str(name)), _value(value)] for name, value in pairs.items()])


def _value(value: Json) -> str:
    text = number(value)
    return _code(text) if len(text) == _DIGEST_LENGTH and text.isalnum() else escape(text)


def _code(digest: str) -> str:
    return f'<span class="code">{escape(digest)}</span>'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "<tr>" + "".join(f"<th>{title}</th>" for title in head) + "</tr>" if head else ""
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table cellspacing="0">{top}{lines}</table>'


def number(value: Json) -> str:
    """Write a value for people: whole numbers whole, others with four significant digits, lists as they are read."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {number(item)}" for name, item in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(number(item) for item in value) or "none"
    if not isinstance(value, int | float):
        return str(value)
    return f"{int(value):,}" if isinstance(value, int) or float(value).is_integer() else f"{value:,.4g}"
