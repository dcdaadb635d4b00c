"""Items placed, algorithm run, result counted."""

import time
import uuid
from datetime import UTC, datetime

import numpy as np

import anonymizer_gui
from anonymizer_gui.engine.core.errors import BadHierarchy, BadParameter, PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import check_params
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.data.tables.table import Column, Table, smallest_codes
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import Files, Promise
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.baskets.attack import exposure, smallest_group, without
from anonymizer_gui.engine.rooms.baskets.independent.recount import ReleasedBaskets
from anonymizer_gui.engine.rooms.baskets.independent_check import promises_counted
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import combine_demands
from anonymizer_gui.engine.rooms.baskets.project import RULES, TABLE, Project
from anonymizer_gui.engine.rooms.baskets.release import Measurement, RecodingRules, Release, tree_from_rules
from anonymizer_gui.engine.sets.encoding import DELETED, EncodedTransactions, ItemRecoding, SensitiveValue

ROOT = "*"


def encode_baskets(baskets: Baskets, project: Project, rules: RecodingRules | None) -> EncodedTransactions:
    """Encode baskets with the tree of a project, that of its rules, or none but a root.

    Raises BadHierarchy when an item has no leaf, BadParameter when nothing is called what should be sensitive.
    """
    sensitive = find_sensitive(baskets, project.sensitive())
    hidden = sensitive.name if sensitive is not None and sensitive.is_item else None
    known = [item for item in baskets.items if item != hidden]
    tree = tree_from_rules(rules, known) if rules is not None else project.tree or flat_tree(known)
    number = tree.leaf_number
    homeless = [item for item in known if item not in number]
    if homeless:
        raise BadHierarchy(
            message(
                "{items:item has|items have} no place in the tree, “{first}” for one.",
                items=len(homeless),
                first=homeless[0],
            ),
            "Repair the tree of items: add them where they belong.",
        )
    leaf_of = np.array(
        [number.get(item, -1) if item != hidden else -1 for item in baskets.items] or [0], dtype=np.int32
    )
    leaves = leaf_of[baskets.codes]
    places = np.flatnonzero(leaves >= 0)
    return EncodedTransactions(tree, len(baskets), baskets.basket_of[places], leaves[places], places, sensitive)


def flat_tree(items: list[str]) -> Hierarchy:
    """Make the tree that has nothing between the items and the root."""
    root = ROOT
    while root in items:
        root += ROOT
    return Hierarchy([root, *items], [-1, *([0] * len(items))]) if items else Hierarchy([root, "-"], [-1, 0])


def find_sensitive(baskets: Baskets, name: str) -> SensitiveValue | None:
    """Find the column or the item that is called so; raises BadParameter when there is none."""
    if not name:
        return None
    if name in baskets.beside.names:
        column = baskets.beside.column(name)
        return SensitiveValue(name, column.codes.astype(np.int64), column.labels, is_item=False)
    if name in baskets.items:
        has = np.zeros(len(baskets), dtype=np.int64)
        has[baskets.basket_of[baskets.codes == baskets.items.index(name)]] = 1
        return SensitiveValue(name, has, ("no", "yes"), is_item=True)
    raise BadParameter(
        message("There is neither a column nor an item “{name}”.", name=name), "Choose what is sensitive again."
    )


def run(project: Project, files: Files, progress: Progress = SILENT) -> Release:
    """Run the project's algorithm on its baskets, measure what came out, and have it counted by independent code.

    Raises Infeasible when the promises cannot be kept, BadParameter and BadHierarchy when project and baskets do not
    fit together, PromiseBroken when they were not kept or the two counts differ.
    """
    algorithm = _algorithm_of(project)
    baskets: Baskets = files[TABLE]
    started = time.perf_counter()
    progress(0.0, "Placing the items")
    data = encode_baskets(baskets, project, files.get(RULES))
    recoding = algorithm.run(data, combine_demands(project.goals), progress.sub(0.05, 0.7))
    made = time.perf_counter()
    published = published_baskets(baskets, data, recoding)
    promises = _promised(project, published, progress.sub(0.7, 0.9))
    measured = _measured(project, baskets, published, data, recoding, progress.sub(0.9, 1.0))
    return Release(
        id=uuid.uuid4().hex,
        name=algorithm.title,
        project=project,
        published=published,
        data=data,
        recoding=recoding,
        measured=measured,
        promises=promises,
        seconds={"protect": made - started, "recount": time.perf_counter() - made},
        version=anonymizer_gui.__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _algorithm_of(project: Project) -> Algorithm:
    if project.algorithm is None:
        raise BadParameter("No algorithm is chosen.", "Choose one, such as aa-r.")
    if not project.goals:
        raise BadParameter("Nothing is promised yet.", "Add a promise, such as k^m-anonymity.")
    for goal in project.goals:
        check_params(goal)
        if goal.is_about_sensitive and not goal.protects():
            raise BadParameter("Nothing is named as sensitive.", "Choose an item or a column for l-diversity.")
    ALGORITHMS.get(project.algorithm.name)
    return check_params(project.algorithm)


def published_baskets(baskets: Baskets, data: EncodedTransactions, recoding: ItemRecoding) -> Baskets:
    """Make the baskets that may be published: items and groups, a sensitive item as it is, and only that beside."""
    kept = recoding.became != DELETED
    basket_of, nodes = data.basket_of[kept], recoding.became[kept]
    labels, codes = list(data.tree.labels), nodes.astype(np.int64)
    sensitive = data.sensitive
    if sensitive is not None and sensitive.is_item:
        has = np.flatnonzero(sensitive.codes)
        basket_of = np.concatenate([basket_of, has])
        codes = np.concatenate([codes, np.full(len(has), len(labels))])
        labels.append(sensitive.name)
    order = sorted(range(len(labels)), key=lambda at: labels[at])
    rank = np.empty(len(labels), dtype=np.int64)
    rank[order] = np.arange(len(labels))
    column = Column(ITEMS, smallest_codes(rank[codes], len(labels)), tuple(labels[at] for at in order))
    beside = baskets.beside.select([sensitive.name]) if sensitive is not None and not sensitive.is_item else None
    return Baskets.from_pairs(basket_of, column, len(baskets), beside or Table((), len(baskets)))


def _promised(project: Project, published: Baskets, progress: Progress) -> tuple[Promise, ...]:
    """Measure every promise; raises PromiseBroken where one does not hold, or is counted differently by the recount."""
    hidden = hidden_item(project, published)
    known, n = without(published, hidden), len(project.goals)
    measured = [
        goal.promise(goal.measure(published, known, progress.sub(at / 2 / n, (at + 1) / 2 / n)))
        for at, goal in enumerate(project.goals)
    ]
    again = _counted_again(project, published, hidden, progress.sub(0.5, 1.0))
    broken = [message(one.title) for one, other in zip(measured, again, strict=True) if not (one.holds and other.holds)]
    if broken:
        raise PromiseBroken(
            message("The result does not hold what it promised: {broken}.", broken=broken),
            "Nothing was released. Please report this with the project file.",
        )
    differing = [message(one.title) for one, other in zip(measured, again, strict=True) if one != other]
    if differing:
        raise PromiseBroken(
            message("The independent count disagrees with the measurement: {differing}.", differing=differing),
            "Nothing was released. Please report this with the project file.",
        )
    return tuple(measured)


def _counted_again(project: Project, published: Baskets, hidden: str, progress: Progress) -> tuple[Promise, ...]:
    """Have every promise counted by the recount."""
    column = published.beside.columns[0] if published.beside.columns else None
    values = None if column is None else [str(text) for text in column.texts()]
    released = ReleasedBaskets(published.sets(), values, "" if column is None else column.name)
    # Nothing is written yet: names are as they are, which is how JSON has them.
    return promises_counted(released, project.goals, {"layout": "json", "hidden": hidden}, progress)


def hidden_item(project: Project, published: Baskets) -> str:
    """Name the sensitive item, which nobody is supposed to know beforehand; nothing where a column is sensitive."""
    name = project.sensitive()
    return "" if name in published.beside.names else name


def _measured(
    project: Project,
    baskets: Baskets,
    published: Baskets,
    data: EncodedTransactions,
    recoding: ItemRecoding,
    progress: Progress,
) -> Measurement:
    wanted = combine_demands(project.goals)
    hidden = hidden_item(project, published)
    before = exposure(without(baskets, hidden), wanted.m, progress.sub(0.0, 0.5))
    known = without(published, hidden)
    after = exposure(known, wanted.m, progress.sub(0.5, 1.0))
    k = max(wanted.k, wanted.whole)
    return Measurement(
        baskets=len(published),
        items=len(baskets.items),
        occurrences=len(baskets.codes),
        k=k,
        m=wanted.m,
        ncp=recoding.loss(data),
        values_left=len(published.items),
        deleted=recoding.deleted(),
        smallest_support=after.smallest,
        smallest_group=smallest_group(known),
        exposed_before=before.exposed(k),
        exposed_after=after.exposed(k),
        unique_before=before.unique,
        unique_after=after.unique,
    )
