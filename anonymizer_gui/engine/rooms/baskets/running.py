"""The walk from baskets and a project to a release that was counted again and holds what it promises."""

import time
import uuid
from datetime import UTC, datetime

import numpy as np

import anonymizer_gui
from anonymizer_gui.engine.errors import BadParameter, PromiseBroken
from anonymizer_gui.engine.params import checked
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.room import Files, Promise
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.baskets.attack import exposure
from anonymizer_gui.engine.rooms.baskets.placing import placed
from anonymizer_gui.engine.rooms.baskets.project import RULES, TABLE, Project
from anonymizer_gui.engine.rooms.baskets.promises.contract import Counted, together
from anonymizer_gui.engine.rooms.baskets.promises.few_items import FewItems
from anonymizer_gui.engine.rooms.baskets.recount.counting import smallest_group, smallest_support
from anonymizer_gui.engine.rooms.baskets.recount.kept_promises import Released, judged
from anonymizer_gui.engine.rooms.baskets.release import Measured, Release
from anonymizer_gui.engine.sets.encoding import Encoded
from anonymizer_gui.engine.sets.recoding import DELETED, Recoding
from anonymizer_gui.engine.shapes.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.shapes.tables.table import Column, Table, smallest_codes
from anonymizer_gui.engine.words import say


def run(project: Project, files: Files, progress: Progress = SILENT) -> Release:
    """Run the project's algorithm on its baskets, then count what came out anew, by code that shares nothing with it.

    Raises Infeasible when the promises cannot be kept, BadParameter and BadHierarchy when project and baskets do not
    fit together, PromiseBroken when the recount finds that they were not.
    """
    algorithm = _algorithm_of(project)
    baskets: Baskets = files[TABLE]
    started = time.perf_counter()
    progress(0.0, "Placing the items")
    data = placed(baskets, project, files.get(RULES))
    recoding = algorithm.run(data, together(project.goals), progress.sub(0.05, 0.7))
    made = time.perf_counter()
    published = published_of(baskets, data, recoding)
    promises = counted_again(project, published, progress.sub(0.7, 0.85))
    smallest = _smallest(project, promises, published, progress.sub(0.85, 0.9))
    measured = _measured(project, baskets, published, data, recoding, smallest, progress.sub(0.9, 1.0))
    broken = [say(promise.title) for promise in promises if not promise.holds]
    if broken:
        raise PromiseBroken(
            say("The result does not hold what it promised: {broken}.", broken=broken),
            "Nothing was released. Please report this with the project file.",
        )
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
        checked(goal)
        if goal.is_about_sensitive and not goal.protects():
            raise BadParameter("Nothing is named as sensitive.", "Choose an item or a column for l-diversity.")
    ALGORITHMS.get(project.algorithm.name)
    return checked(project.algorithm)


def published_of(baskets: Baskets, data: Encoded, recoding: Recoding) -> Baskets:
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


def counted_again(project: Project, published: Baskets, progress: Progress) -> tuple[Promise, ...]:
    """Have every promise counted by the recount."""
    column = published.beside.columns[0] if published.beside.columns else None
    values = None if column is None else [str(text) for text in column.texts()]
    released = Released(published.sets(), values, "" if column is None else column.name)
    hidden = hidden_item(project, published)
    promises = []
    for at, goal in enumerate(project.goals):
        promise = goal.promise(Counted(0, False))
        part = progress.sub(at / len(project.goals), (at + 1) / len(project.goals))
        value, holds = judged(released, goal.name, {**promise.parameters, "hidden": hidden}, part)
        promises.append(goal.promise(Counted(value, holds)))
    return tuple(promises)


def hidden_item(project: Project, published: Baskets) -> str:
    """Name the sensitive item, which nobody is supposed to know beforehand; nothing where a column is sensitive."""
    name = project.sensitive()
    return "" if name in published.beside.names else name


def _smallest(project: Project, promises: tuple[Promise, ...], published: Baskets, progress: Progress) -> int:
    """Give the smallest support of known items: that of the promise, which was counted already, if there is one."""
    m = together(project.goals).m
    for promise in promises:
        if promise.name == FewItems.name and promise.parameters["m"] == m:
            return int(promise.value)
    return smallest_support(without(published, hidden_item(project, published)).sets(), m, progress)


def _measured(
    project: Project,
    baskets: Baskets,
    published: Baskets,
    data: Encoded,
    recoding: Recoding,
    smallest: int,
    progress: Progress,
) -> Measured:
    wanted = together(project.goals)
    hidden = hidden_item(project, published)
    before = exposure(without(baskets, hidden), wanted.m, progress.sub(0.0, 0.5))
    after = exposure(without(published, hidden), wanted.m, progress.sub(0.5, 1.0))
    sets = without(published, hidden).sets()
    k = max(wanted.k, wanted.whole)
    return Measured(
        baskets=len(published),
        items=len(baskets.items),
        occurrences=len(baskets.codes),
        k=k,
        m=wanted.m,
        ncp=recoding.loss(data),
        values_left=len(published.items),
        deleted=recoding.deleted(),
        smallest_support=smallest,
        smallest_group=smallest_group(sets),
        exposed_before=before.exposed(k),
        exposed_after=after.exposed(k),
        unique_before=before.unique,
        unique_after=after.unique,
    )


def without(baskets: Baskets, item: str) -> Baskets:
    """Leave out an item that nobody is supposed to know."""
    if item not in baskets.items:
        return baskets
    kept = baskets.codes != baskets.items.index(item)
    column = Column(ITEMS, smallest_codes(baskets.codes[kept], len(baskets.items)), baskets.items)
    return Baskets.from_pairs(baskets.basket_of[kept], column, len(baskets), baskets.beside)
