"""Help pages: written, generated, searched."""

import importlib
import importlib.util
import pkgutil
import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from anonymizer_gui.assets import changelog, resource_path
from anonymizer_gui.engine.core.params import Choice, params_of
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS
from anonymizer_gui.ui import rooms
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.room_view import all_views

_ADDRESS = re.compile(r"\[([^\]]+)\]\(https?://[^)]+\)")

FIRST = ("start", "rooms")

LAST = ("rules", "command_line", "python", "glossary", "privacy", "news")

GeneratedPages = dict[str, tuple[Callable[[], str], Callable[[], str]]]
"""Pages made of what things say of themselves: for each name, how to get its title and its text."""


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page: its title, and how to get its text as Markdown."""

    title: str
    read: Callable[[], str]


def help_pages(language: str) -> dict[str, HelpPage]:
    """List the pages by name, in the order of work; one that is not translated is in English.

    The pages of a room are named after its folder: `microdata/risk`.
    """
    composed = {**_COMPOSED, **{name: page for room in room_helps() for name, page in room.COMPOSED.items()}}
    pages = {name: HelpPage(title(), read) for name, (title, read) in composed.items()}
    for folder in ("en", language):
        for name, path in written_pages(folder).items():
            pages[name] = HelpPage(_title(path), partial(path.read_text, encoding="utf-8"))
    known = {name: place for place, name in enumerate(reading_order())}
    return {name: pages[name] for name in sorted(pages, key=lambda name: (known.get(name, len(known)), name))}


def reading_order() -> tuple[str, ...]:
    """Give the names of the pages in the order in which they are read: room by room between first and last."""
    return tuple(dict.fromkeys([*FIRST, *(name for room in room_helps() for name in room.ORDER), *LAST]))


def room_helps() -> list[ModuleType]:
    """Import the module `help` of every room that has one: `COMPOSED` are its composed pages, `ORDER` is its order."""
    names = [f"{rooms.__name__}.{found.name}" for found in pkgutil.iter_modules(rooms.__path__) if found.ispkg]
    return [importlib.import_module(f"{name}.help") for name in names if importlib.util.find_spec(f"{name}.help")]


def written_pages(language: str) -> dict[str, Path]:
    """Find the written pages of a language and its rooms by name."""
    try:
        folder = resource_path("help", language)
    except FileNotFoundError:
        return {}
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.md"))}


def page_of_link(link: str, name: str) -> str:
    """Give the name of the page a link leads to from the page of that name.

    >>> page_of_link("../glossary.md", "microdata/risk"), page_of_link("data.md", "microdata/risk")
    ('glossary', 'microdata/data')
    """
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), link)).removesuffix(".md")


def rules_page() -> str:
    """Describe every rule by which a hierarchy can be built."""
    intro = tr("Rules that build a hierarchy from the values of a column, with a preview on the page Hierarchies.")
    return generated_page(tr("Rules for hierarchies"), intro, BUILDERS)


def rooms_page() -> str:
    """Tell the rooms there are, each with what leaves it, its steps and its samples."""
    parts = [
        f"# {tr('Rooms')}",
        tr(
            "A room is one way from data to a release. A file that fits several asks in which it is to be opened; "
            "**File > In Another Room…** starts a project of another room about the same file."
        ),
    ]
    orders = {room.__name__.split(".")[-2]: room.ORDER for room in room_helps()}
    for view in all_views():
        steps = " · ".join(tr(page.title) for page in view.pages())
        samples = "\n".join(f"- *{_plain(tr(sample.title))}*: {_plain(tr(sample.words))}" for sample in view.samples)
        first = next((name for name in orders.get(view.name, ()) if "/" in name), "start")
        title = f"## [{_plain(tr(view.title))}]({first}.md)"
        parts += [title, _plain(tr(view.summary)), tr("Steps: {steps}", steps=steps), samples]
    return "\n\n".join(part for part in parts if part) + "\n"


def news_page() -> str:
    """Tell what changed; addresses are left out, for the program does not use the network."""
    return _ADDRESS.sub(r"\1", changelog())


_COMPOSED: GeneratedPages = {
    "rooms": (lambda: tr("Rooms"), rooms_page),
    "rules": (lambda: tr("Rules for hierarchies"), rules_page),
    "news": (lambda: tr("What’s New"), news_page),
}


def generated_page(
    title: str,
    intro: str,
    entries: Iterable[Any],
    facts: Iterable[tuple[str, str]] = (),
    *,
    formula: bool = False,
    source: str = "",
    option: bool = False,
) -> str:
    """Make a page of what the entries of a registry say of themselves.

    `facts` are their traits, each with the word for it; `formula` says whether they have one, `source` which trait
    names the paper, `option` whether they are an option of the command line.
    """
    parts = [f"# {title}", _plain(intro)]
    for entry in entries:
        parts += [f"## {_plain(tr(entry.title))}", _plain(tr(entry.summary))]
        known = [(name, getattr(entry, field)) for name, field in facts]
        lines = [f"- **{name}**: {_plain(tr(fact))}" for name, fact in known if fact]
        if formula:
            lines.append(f"- **{tr('Formula')}**: `{tr(entry.formula)}`")
        if source:
            lines.append(f"- **{tr('Source')}**: {_plain(getattr(entry, source))}")
        if option:
            lines.append(f"- **{tr('Command Line')}**: `--{entry.name}`")
        parts += ["\n".join(lines), _params(entry)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _params(entry: Any) -> str:
    """List what can be set, with the choices there are."""
    lines = []
    for param in params_of(entry):
        line = f"- *{_plain(tr(param.label))}*: {_plain(tr(param.help))}"
        if isinstance(param.kind, Choice):
            line += "".join(f"\n  - {_plain(tr(words))}" for words in param.kind.options.values())
        line += "".join(f"\n  - {value:g}: {_plain(source)}" for value, source in param.presets)
        lines.append(line)
    return "\n".join([tr("What can be set:"), "", *lines]) if lines else ""


def _plain(text: str) -> str:
    """Keep Markdown from reading signs of its own into a text."""
    for sign in "\\*_`[<":
        text = text.replace(sign, f"\\{sign}")
    return text


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").strip()


_SIGNS = re.compile(r"\[([^\]]+)\]\([^)]*\)|\\(.)|[*_`#|]")

_TITLE, _HEADING, _TEXT = 100, 10, 1

_MOST = 5
"""So many times a word counts on a page; a long page is no better one."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A page on which all words stand: its name, its title, and the first line that has one of them."""

    name: str
    title: str
    line: str


def words_of(typed: str) -> tuple[str, ...]:
    """Give the words somebody looks for, without regard to case and accents.

    >>> words_of(" Größe  k-Anonymity ")
    ('grosse', 'k-anonymity')
    """
    return tuple(_folded(typed).split())


def search(pages: Mapping[str, HelpPage], typed: str) -> list[SearchHit]:
    """List the pages on which every word stands, the best first; equal ones stay in the order of work."""
    words = words_of(typed)
    if not words:
        return []
    scored = []
    for place, (name, page) in enumerate(pages.items()):
        lines = page.read().splitlines()
        score = _score(page.title, lines, words)
        if score:
            scored.append((-score, place, SearchHit(name, page.title, _first_line(lines, words))))
    return [found for _score_of, _place, found in sorted(scored, key=lambda each: each[:2])]


def plain_text_line(line: str) -> str:
    """Take the signs of Markdown off a line.

    >>> plain_text_line("- **Risk**: see [All attacks](attacks.md)")
    'Risk: see All attacks'
    """
    return _SIGNS.sub(lambda found: found[1] or found[2] or "", line).strip().removeprefix("- ").strip()


def _score(title: str, lines: Iterable[str], words: tuple[str, ...]) -> int:
    """Add up what speaks for a page; 0 when a word is missing."""
    folded_title = _folded(title)
    texts = [(_HEADING if line.startswith("##") else _TEXT, _folded(plain_text_line(line))) for line in lines]
    total = 0
    for word in words:
        hits = sorted((weight for weight, text in texts if word in text), reverse=True)[:_MOST]
        in_title = _TITLE * (1 + (word in folded_title.split())) if word in folded_title else 0
        if not hits and not in_title:
            return 0
        total += in_title + sum(hits)
    return total


def _first_line(lines: Iterable[str], words: tuple[str, ...]) -> str:
    """Give the first line with a word in it that is no title and no rule of a table."""
    told = [plain_text_line(line) for line in lines if not line.startswith("# ")]
    return next((line for line in told if any(word in _folded(line) for word in words)), "")


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))
