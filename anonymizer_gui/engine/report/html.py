"""The report as one self-contained page, rendered from the certificate and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from anonymizer_gui.engine.params import Json

_STYLE = """
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #1c2733; }
h1 { font-size: 1.7em; } h2 { font-size: 1.2em; margin-top: 1.6em; }
table { border-collapse: collapse; } td, th { padding: 4px 12px 4px 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #8896a5; } .bad { color: #a3210f; } .good { color: #1b6b34; } .small { color: #53606d; }
"""
_BAR = "&#9608;"
_BAR_WIDTH = 40


def render(certificate: Mapping[str, Json]) -> str:
    """Render a certificate as HTML that a browser and a page printer both understand."""
    sections = [
        ("Result", _result(certificate)),
        ("Goals", _goals(certificate["goals"])),
        ("Source", _pairs(certificate["source"])),
        ("Columns", _columns(certificate["columns"])),
        ("Hierarchies", _hierarchies(certificate["hierarchies"])),
        ("How it was made", _method(certificate)),
        ("Sizes of the classes", _histogram(certificate["class_sizes"])),
        ("Loss per column", _bars(certificate["loss_per_column"])),
        ("Suppressed records", _sentence(certificate["suppression"])),
        ("Other releases", _items(certificate["meetings"], "Not compared with other releases.")),
        ("Warnings", _items(certificate["warnings"], "None.")),
        ("Released against the rules", _override(certificate["override"])),
        ("Attacks on the method", _sentence(certificate["attacks"])),
        ("Versions", _pairs(certificate["program"])),
    ]
    body = "\n".join(f"<h2>{title}</h2>\n{content}" for title, content in sections if content)
    title = f"Release report: {escape(str(certificate['release']['file']))}"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n{body}\n</body></html>\n"
    )


def _result(certificate: Mapping[str, Json]) -> str:
    numbers, release = certificate["numbers"], certificate["release"]
    rows = {
        "Records released": f"{numbers['rows']:,}",
        "Records suppressed": f"{numbers['suppressed']:,}",
        "Equivalence classes": f"{numbers['classes']:,}",
        "k (smallest class)": numbers["k"],
        **{f"l ({kind})": value for kind, value in numbers["l"].items()},
        **{f"t ({kind})": value for kind, value in numbers["t"].items()},
        "LM per record (0 to 1)": numbers["lm"],
        "LM in all": numbers["lm_total"],
        "MD": numbers["md"],
        "SHA-256 of the release": release["sha256"],
    }
    return _pairs({name: value for name, value in rows.items() if value is not None})


def _goals(goals: Sequence[Mapping[str, Json]]) -> str:
    rows = []
    for goal in goals:
        state = (
            '<span class="good">&#10003; met</span>' if goal["holds"] else '<span class="bad">&#10007; not met</span>'
        )
        rows.append([escape(goal["title"]), escape(goal["sentence"]), escape(number(goal["value"])), state])
    return _table(["Goal", "What must hold", "Achieved", ""], rows) if rows else "<p>No goal was set.</p>"


def _columns(columns: Sequence[Mapping[str, Json]]) -> str:
    return _table(
        ["Column", "Role", "Type", "In the release"],
        [[escape(c["name"]), escape(c["role"]), escape(c["type"]), escape(c["published"])] for c in columns],
    )


def _hierarchies(hierarchies: Mapping[str, Mapping[str, Json]]) -> str:
    rows = [
        [escape(name), f"{h['leaves']:,}", str(h["height"]), f'<span class="small">{escape(h["sha256"])}</span>']
        for name, h in hierarchies.items()
    ]
    return _table(["Column", "Values", "Levels", "SHA-256"], rows) if rows else ""


def _method(certificate: Mapping[str, Json]) -> str:
    recipe = certificate["recipe"]
    return _pairs(
        {
            "Algorithm": recipe["algorithm"],
            **{f"Parameter {name}": value for name, value in recipe["parameters"].items()},
            "Suppression limit": f"{recipe['suppression']:.2%}",
            "Column weights": ", ".join(f"{name} {weight:.3g}" for name, weight in recipe["weights"].items()),
            "Seed": recipe["seed"],
            "Order of the rows": recipe["row_order"],
        }
    )


def _histogram(sizes: Sequence[Sequence[int]]) -> str:
    return _bars({f"{low:,} to {high:,} records" if low < high else f"{low:,} records": n for low, high, n in sizes})


def _bars(values: Mapping[str, float]) -> str:
    largest = max([abs(value) for value in values.values()], default=0) or 1
    rows = [
        [escape(name), f'<span class="small">{_BAR * round(_BAR_WIDTH * value / largest)}</span>', number(value)]
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
    return _table([], [[escape(str(name)), escape(number(value))] for name, value in pairs.items()])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "<tr>" + "".join(f"<th>{title}</th>" for title in head) + "</tr>" if head else ""
    return (
        "<table>" + top + "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows) + "</table>"
    )


def number(value: Json) -> str:
    """Write a number for people: whole ones whole, others with four significant digits."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) or float(value).is_integer() else f"{value:,.4g}"
