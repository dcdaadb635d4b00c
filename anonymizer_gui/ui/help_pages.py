"""The pages of the help: written ones, and ones made of what goals, algorithms and measures say of themselves."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from anonymizer_gui.assets import changelog, resource_path
from anonymizer_gui.engine.hierarchy.builders.builder import BUILDERS
from anonymizer_gui.engine.params import Choice, params_of
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS
from anonymizer_gui.ui.i18n import tr

_ADDRESS = re.compile(r"\[([^\]]+)\]\(https?://[^)]+\)")
ORDER = (
    "start", "data", "hierarchies", "protect", "compare", "risk", "utility", "release",
    "models", "algorithms", "measures", "attacks", "method_attacks", "rules",
    "command_line", "glossary", "privacy", "news",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page: its title, and how to get its text as Markdown."""

    title: str
    read: Callable[[], str]


def help_pages(language: str) -> dict[str, HelpPage]:
    """List the pages by name, in the order of work; one that is not translated is in English."""
    pages = {name: HelpPage(title(), read) for name, (title, read) in _COMPOSED.items()}
    for folder in ("en", language):
        for path in _written(folder):
            pages[path.stem] = HelpPage(_title(path), partial(path.read_text, encoding="utf-8"))
    known = {name: place for place, name in enumerate(ORDER)}
    return {name: pages[name] for name in sorted(pages, key=lambda name: (known.get(name, len(known)), name))}


def models_page() -> str:
    """Describe every privacy goal."""
    facts = (
        (tr("Stops"), "stops"),
        (tr("Leaves open"), "leaves_open"),
    )
    intro = tr(
        "A goal is a promise about every class of rows that look alike. All goals of a project must hold together."
    )
    models: list[Any] = list(PRIVACY_MODELS)
    models.sort(key=lambda model: len(model.name))  # the best known have the shortest names
    return _page(tr("Goals"), intro, models, facts, option=True)


def algorithms_page() -> str:
    """Describe every algorithm."""
    intro = tr(
        "Every algorithm reaches the same goals; they differ in how much detail is left, and how long they take."
    )
    return _page(tr("Algorithms"), intro, ALGORITHMS, ((tr("Known attacks on the method"), "attacks"),))


def measures_page() -> str:
    """Describe every measure of utility."""
    intro = tr(
        "What is lost, measured in several ways. None is right for every purpose: look at what the release is for."
    )
    return _page(tr("Measures of utility"), intro, METRICS, ((tr("Range"), "range"), (tr("Better when"), "direction")))


def attacks_page() -> str:
    """Describe every analysis of risk."""
    intro = tr(
        "What somebody could find out, and who that would be. The page Risk counts the people hit, before and after."
    )
    return _page(tr("Attacks"), intro, RISKS, ((tr("The attacker"), "attacker"),))


def rules_page() -> str:
    """Describe every rule by which a hierarchy can be built."""
    intro = tr("Rules that build a hierarchy from the values of a column, with a preview on the page Hierarchies.")
    return _page(tr("Rules for hierarchies"), intro, BUILDERS, ())


def news_page() -> str:
    """Tell what changed; addresses are left out, for the program does not use the network."""
    return _ADDRESS.sub(r"\1", changelog())


_COMPOSED: dict[str, tuple[Callable[[], str], Callable[[], str]]] = {
    "models": (lambda: tr("Goals"), models_page),
    "algorithms": (lambda: tr("Algorithms"), algorithms_page),
    "measures": (lambda: tr("Measures of utility"), measures_page),
    "attacks": (lambda: tr("Attacks"), attacks_page),
    "rules": (lambda: tr("Rules for hierarchies"), rules_page),
    "news": (lambda: tr("What’s New"), news_page),
}


def _page(
    title: str, intro: str, entries: Iterable[Any], facts: Iterable[tuple[str, str]], *, option: bool = False
) -> str:
    parts = [f"# {title}", _plain(intro)]
    for entry in entries:
        parts += [f"## {_plain(tr(entry.title))}", _plain(tr(entry.summary))]
        lines = [f"- **{name}**: {_plain(tr(getattr(entry, field)))}" for name, field in facts]
        if hasattr(entry, "formula"):
            lines.append(f"- **{tr('Formula')}**: `{tr(entry.formula)}`")
        if hasattr(entry, "reference"):
            lines.append(f"- **{tr('Source')}**: {_plain(entry.reference)}")
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
        lines.append(line)
    return "\n".join([tr("What can be set:"), "", *lines]) if lines else ""


def _plain(text: str) -> str:
    """Keep Markdown from reading signs of its own into a text."""
    for sign in "\\*_`[<":
        text = text.replace(sign, f"\\{sign}")
    return text


def _written(language: str) -> list[Path]:
    try:
        return sorted(resource_path("help", language).glob("*.md"))
    except FileNotFoundError:
        return []


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").strip()
