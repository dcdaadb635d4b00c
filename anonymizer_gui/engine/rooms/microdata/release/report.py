"""The sections of the report that only a released table has, told from its certificate alone."""

from collections.abc import Iterator, Mapping, Sequence

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Bars, Pairs, Rows, Section, Sentences
from anonymizer_gui.engine.rooms.microdata.policies.wp29_questions import SOURCE


def report_sections(certificate: Mapping[str, Json]) -> list[Section]:
    """Give the sections, the result first."""
    recipe = certificate["recipe"]
    return [
        Section("Result", (_result(certificate),)),
        Section("Not truthful", _untruthful(certificate)),
        Section("Source", (_source(certificate),)),
        Section("How the table was prepared", _prepared(certificate.get("prepared", []))),
        Section("What masks changed", _masks(certificate.get("masks", {}))),
        Section("Columns", (_columns(certificate["columns"]),)),
        Section("Hierarchies", (_hierarchies(certificate["hierarchies"]),)),
        Section("Levels and labels that were chosen", _levels(certificate.get("levels", {}))),
        Section("How it was made", (_method(recipe, certificate.get("made_by", "")),)),
        Section("What was tried", _tried(certificate.get("tried", []))),
        Section("How it was published", (_publishing(recipe),)),
        Section("Sizes of the classes", (_histogram(certificate["class_sizes"], _unit(certificate)),)),
        Section("Risk", _risk(certificate)),
        Section("Attacks that were run", _attacks(certificate.get("attacks_run", []))),
        Section("Loss per column (LM, 0 to 1)", (Bars(certificate["loss_per_column"], 1),)),
        Section("Summary of the published columns", _summary(certificate.get("summary", {}))),
        Section("Suppressed records", (Sentences((certificate["suppression"],)),)),
        *_policies(certificate.get("policies", [])),
        Section("The three questions of the European regulators", _questions(certificate.get("questions", []))),
        Section("Other releases", (_listed(certificate["meetings"], "Compared with no earlier release."),)),
        Section("Warnings", (_listed(certificate["warnings"], "None."),)),
        Section("Attacks on the method", (Sentences((certificate["attacks"],)),)),
    ]


def _result(certificate: Mapping[str, Json]) -> Pairs:
    numbers = certificate["numbers"]
    rows = {
        "Records released": numbers["rows"],
        "People in them": numbers.get("people"),
        "Records suppressed": numbers["suppressed"],
        "Records with nothing left in any quasi-identifier": numbers.get("emptied"),
        **_exposed(numbers.get("exposed")),
        "Equivalence classes": numbers["classes"],
        "k (smallest class)" if _unit(certificate) == "records" else "k (people in the smallest class)": numbers["k"],
        **{_l_title(kind, numbers): value for kind, value in numbers["l"].items()},
        **{f"t ({kind.replace('_', ' ')})": value for kind, value in numbers["t"].items()},
        **{
            f"Largest share of one value of {name} in a class": f"{share:.1%}"
            for name, share in numbers.get("largest_share", {}).items()
        },
        "LM per record (0 to 1)": numbers["lm"],
        "LM in all": numbers["lm_total"],
        "MD": numbers["md"],
        "SHA-256 of the release": certificate["release"]["sha256"],
    }
    return Pairs({name: value for name, value in rows.items() if value is not None})


def _exposed(found: Mapping[str, Json] | None) -> dict[str, Json]:
    """Tell the rows that a class and a few items give away, where the table has sets."""
    if found is None:
        return {}
    title = f"Exposed records (class and up to {found['m']} items, fewer than {found['k']} fit)"
    return {title: f"{found['rows']} ({found['share']:.1%})"}


def _l_title(kind: str, numbers: Mapping[str, Json]) -> str:
    """Name an l; the recursive one says nothing without its c."""
    return f"l (recursive, c = {numbers['recursive_c']:g})" if kind == "recursive" else f"l ({kind})"


def _risk(certificate: Mapping[str, Json]) -> tuple[Pairs, ...]:
    """Tell how likely somebody is picked out who is known to be in the release; earlier certificates may not say."""
    risk, unit = certificate["numbers"].get("risk"), _unit(certificate)
    if not risk:
        return ()
    known, alone = certificate["numbers"].get("exposed"), ""
    told: dict[str, Json] = {}
    if known:
        alone = ", by the class alone"
        told[f"Highest risk (prosecutor who knows up to {known['m']} items, too)"] = _one_in(
            1 / max(known["fewest"], 1)
        )
    told |= {
        f"Highest risk (prosecutor{alone})": _one_in(risk["highest"]),
        f"Average risk (marketer{alone})": _one_in(risk["average"]),
        f"{unit.capitalize()} above {_one_in(risk['threshold'])}": risk["rows_above"],
        f"{unit.capitalize()} alone in their class": risk["unique_rows"],
    }
    return (Pairs(told),)


def _one_in(risk: float) -> str:
    return f"{risk:.4g} (1 in {1 / risk:.3g})" if risk else "0"


def _attacks(attacks: Sequence[Mapping[str, Json]]) -> tuple[Rows | Sentences, ...]:
    """List what every attack finds in the release, and why others were not run."""
    run = tuple((entry["title"], _hit(entry), entry["value"]) for entry in attacks if "value" in entry)
    others = tuple(f"Not run: {entry['title']}. {entry['not_run']}" for entry in attacks if "not_run" in entry)
    listed = (Rows(("Attack", "Hit", "Number"), run),) if run else ()
    return (*listed, Sentences(others)) if others else listed


def _hit(entry: Mapping[str, Json]) -> str:
    told = f"{entry['hit']:,} of {entry['people']:,}"
    return f"{told}, an estimate" if entry["is_estimate"] else told


def _source(certificate: Mapping[str, Json]) -> Pairs:
    source, population = certificate["source"], certificate["population"]
    rows = {"File": source["file"], "Records": source["rows"]}
    if population is not None:
        rows["Population"] = population["file"]
    return Pairs({name: value for name, value in rows.items() if value != ""})


def _prepared(steps: Sequence[Mapping[str, Json]]) -> tuple[Rows, ...]:
    """List the steps; a table that was taken as it is has no such section."""
    rows = tuple((entry["step"], entry["changed"]) for entry in steps)
    return (Rows(("Step", "What it changed"), rows),) if rows else ()


def _untruthful(certificate: Mapping[str, Json]) -> tuple[Sentences, ...]:
    """Warn of columns whose cells are noise, swapped, exchanged or made up; their heads in the file say so, too."""
    names = certificate.get("untruthful", [])
    if not names:
        return ()
    told = message(
        "The cells of {columns} are not truthful: they were changed by chance, and the heads say so.",
        columns=list(names),
    )
    return (Sentences((told, "Promises hold for the table as it is published, with these cells in it.")),)


def _masks(masks: Mapping[str, Json]) -> tuple[Rows | Sentences, ...]:
    if not masks:
        return ()
    rows = tuple(
        (name, f"{told['changed']:.0%}", *(_or_dash(told[kind]) for kind in ("moved", "spread", "correlation")))
        for name, told in masks["columns"].items()
    )
    linked = masks["linked_by_distance"]
    sentence = message(
        "Whoever has the true values and takes the nearest record is right for {share:.1%} of {people:person|people} "
        "that were tried; by chance {chance:.2%} would be.",
        share=linked["share"],
        people=linked["people"],
        chance=linked["by_chance"],
    )
    head = ("Column", "Cells changed", "Moved (standard deviations)", "Spread, after by before", "Correlation")
    return Rows(head, rows), Sentences((sentence,))


def _or_dash(value: Json) -> Json:
    return "–" if value is None else value


def _columns(columns: Sequence[Mapping[str, Json]]) -> Rows:
    rows = tuple((c["name"], c["role"], c["type"], c["published"]) for c in columns)
    return Rows(("Column", "Role", "Type", "In the release"), rows)


def _hierarchies(hierarchies: Mapping[str, Mapping[str, Json]]) -> Rows:
    rows = tuple((name, h["height"]) for name, h in hierarchies.items())
    return Rows(("Column", "Levels"), rows)


def _levels(levels: Mapping[str, Mapping[str, Json]]) -> tuple[Rows, ...]:
    """List level and labels of every quasi-identifier; those of a long list that most records have."""
    rows = tuple((name, _level(told), told["distinct"], _some_labels(told)) for name, told in levels.items())
    return (Rows(("Column", "Level", "Labels", "Labels by records"), rows),) if rows else ()


def _level(told: Mapping[str, Json]) -> str:
    if told["height"] is None:
        return "no hierarchy"
    if told["levels"] is None:
        return "ranges of its own"
    low, high = told["levels"]
    return f"{low} of {told['height']}" if low == high else f"{low} to {high} of {told['height']}"


def _some_labels(told: Mapping[str, Json]) -> str:
    shown = ", ".join(f"{label} ({rows:,})" for label, rows in told["labels"])
    return shown if told["distinct"] <= len(told["labels"]) else f"{shown}, …"


def _tried(tried: Sequence[Mapping[str, Json]]) -> tuple[Rows, ...]:
    rows = tuple((told["algorithm"], "goals not reached" if told["lm"] is None else told["lm"]) for told in tried)
    if any("cost" in told for told in tried):  # ranked by another objective, which the parameters name
        priced = tuple((*row, _or_dash(told.get("cost"))) for row, told in zip(rows, tried, strict=True))
        return (Rows(("Algorithm", "LM per record", "Objective per record"), priced),)
    return (Rows(("Algorithm", "LM per record"), rows),) if rows else ()


def _summary(summary: Mapping[str, Mapping[str, Json]]) -> tuple[Rows | Sentences, ...]:
    """Sum up numbers and the most frequent values, of what is published; the source is summed up in the inside copy."""
    numbers = tuple(
        (name, told["numbers"], told["missing"], told["mean"], told["sd"], *told["quantiles"])
        for name, told in summary.items()
        if told["numbers"]
    )
    frequent = tuple(
        (name, told["distinct"], told["missing"], ", ".join(f"{value} ({rows:,})" for value, rows in told["frequent"]))
        for name, told in summary.items()
        if told["frequent"]
    )
    head = ("Column", "Numbers", "Missing", "Mean", "Standard deviation", "5 %", "25 %", "Median", "75 %", "95 %")
    if not summary:
        return ()
    last = Sentences(("Of the published records; the source is summed up in the inside copy.",))
    parts = [Rows(head, numbers)] if numbers else []
    return (*parts, Rows(("Column", "Labels", "Missing", "Most frequent"), frequent), last)


def _method(recipe: Mapping[str, Json], made_by: str) -> Pairs:
    bounds = {name: f"level {low} to {high}" for name, (low, high) in recipe["bounds"].items()}
    return Pairs(
        {
            "Algorithm": recipe["title"],
            **({"Result of": made_by} if made_by not in ("", recipe["title"]) else {}),
            **{f"Parameter {name.replace('_', ' ')}": value for name, value in recipe["parameters"].items()},
            "Suppression limit": _limit(recipe),
            "Column weights": {name: f"{weight:.3g}" for name, weight in recipe["weights"].items()},
            "Level bounds": bounds,
            "Levels of uneven hierarchies": recipe["uneven"],
            "Seed": recipe["seed"],
        }
    )


def _limit(recipe: Mapping[str, Json]) -> str:
    limit = f"{recipe['suppression']:.2%}"
    return f"{limit}, records with nothing left included" if recipe.get("limit_covers_emptied") else limit


def _publishing(recipe: Mapping[str, Json]) -> Pairs:
    return Pairs(
        {
            "Order of the rows": recipe["row_order"],
            "Suppressed records": "as * where the goals allow it" if recipe["suppressed_as_stars"] else "left out",
            "Pseudonyms": dict(recipe["pseudonyms"]),
            "Pseudonyms link to other releases": recipe["linkable"],
            "Formulas disarmed": recipe["escape_formulas"],
            "Missing cells": f"written as {recipe['missing_token']}" if recipe["missing_token"] else "empty",
        }
    )


def _policies(policies: Sequence[Mapping[str, Json]]) -> Iterator[Section]:
    """Give a section for every policy: its rules with what was found, and what nobody looked at."""
    for told in policies:
        missing = sum(not found["holds"] for found in told["found"])
        verdict = "Passed: every rule is met." if told["passes"] else f"Not passed: {missing} of {len(told['found'])}."
        rows = tuple((found["holds"], found["demand"], found["sentence"]) for found in told["found"])
        unseen = tuple(f"Not looked at: {text}." for text in told["unseen"])
        source = (f"Source: {told['source']}.",) if told["source"] else ()
        sentences = Sentences((*source, *unseen, told["never_seen"]))
        yield Section(
            f"Policy: {told['policy']}", (Sentences((verdict,)), Rows(("", "Rule", "What was found"), rows), sentences)
        )


def _questions(questions: Sequence[Mapping[str, Json]]) -> tuple[Rows | Sentences, ...]:
    rows = tuple((told["question"], " ".join(told["answer"])) for told in questions)
    return (Rows(("Question", "Figures of the release"), rows), Sentences((f"{SOURCE}.",))) if rows else ()


def _unit(certificate: Mapping[str, Json]) -> str:
    """Say what classes are counted in: in people where a column says whom a record is about."""
    return "records" if certificate["numbers"].get("people") is None else "people"


def _histogram(sizes: Sequence[Sequence[int]], unit: str) -> Bars:
    return Bars({f"{low:,} to {high:,} {unit}" if low < high else f"{low:,} {unit}": n for low, high, n in sizes})


def _listed(items: Sequence[str], otherwise: str) -> Sentences:
    return Sentences(tuple(items) or (otherwise,))
