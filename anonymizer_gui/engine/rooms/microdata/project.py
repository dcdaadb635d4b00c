"""The one frozen value a user edits: roles, hierarchies, goals, algorithm, and how the release leaves."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.registry import Named
from anonymizer_gui.engine.data.tables.table import Role, Schema
from anonymizer_gui.engine.hierarchy.formats import json_tree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.engine.projects.json_entries import plain_json, registered_json
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import RuleSet
from anonymizer_gui.engine.rooms.microdata.recoding import Method
from anonymizer_gui.engine.storage.sources import Source

TABLE, POPULATION = "table", "population"
"""The roles of the files a project may name."""
RULE_KEY = "made_by"
"""The entry of a hierarchy that names its builder; earlier versions of the program do not look at it."""


@dataclass(frozen=True, slots=True)
class Publishing:
    """How the release leaves the house."""

    suppressed_as_stars: bool = False
    row_order: str = "shuffled"
    pseudonyms: tuple[tuple[str, str], ...] = ()
    """EI columns that are replaced rather than removed, with the way: keyed, numbered or digits."""
    linkable: bool = False
    """Whether the same person keeps the same pseudonym in other releases made with the same key."""
    escape_formulas: bool = True
    missing_token: str = ""
    left_out: tuple[str, ...] = ()
    """Columns of no role that are not published; no run is needed to leave one out."""
    labels_file: bool = False
    """Whether a file beside the release says what stands behind its labels."""
    public_values: tuple[str, ...] = ()
    """Quasi-identifiers whose values everybody may know: all of their hierarchy may stand in that file."""


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that is decided about one table; an edit makes a new value."""

    room: ClassVar[str] = "microdata"

    name: str = ""
    source: Source | None = None
    schema: Schema = field(default_factory=Schema)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    goals: tuple[PrivacyModel, ...] = ()
    algorithm: Method | None = None
    suppression: float = 0.0
    limit_covers_emptied: bool = False
    """Whether rows with nothing left in any quasi-identifier count against the suppression limit, too."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Weight per QI column; columns without an entry count 1; they are scaled to add up to 1."""
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    uneven: Uneven = "cap"
    seed: int = 0
    population: Source | None = None
    publishing: Publishing = Publishing()
    acknowledged: tuple[str, ...] = ()
    """Columns of no role whose publication the user has agreed to."""
    person: str = ""
    """The identifier that says whom a row is about, so that people are counted and not rows; empty: rows are."""
    policies: tuple[RuleSet, ...] = ()
    """What the release is judged by, beside its goals: named checklists that change nothing in it."""
    sampling_weight: str = ""
    """The column that says how many people of the population a row of a survey stands for; empty: none does."""
    household: str = ""
    """The column that says which rows belong to one household; empty: every row is on its own."""
    rules: Mapping[str, Named] = field(default_factory=dict)
    """The builders of hierarchies that are yet to be made of the values of a table: those of a recipe."""

    def sources(self) -> dict[str, Source]:
        """Give the files the project speaks of, by role."""
        named = {TABLE: self.source, POPULATION: self.population}
        return {role: source for role, source in named.items() if source is not None}

    def with_sources(self, sources: Mapping[str, Source]) -> Self:
        """Take other files for these roles; a role that is not named has none."""
        return replace(self, source=sources.get(TABLE), population=sources.get(POPULATION))

    def left_out_columns(self) -> list[str]:
        """Name the columns of no role that are not published."""
        return [name for name in self.schema.names(Role.OTHER) if name in self.publishing.left_out]

    def undecided_columns(self) -> list[str]:
        """Name the columns of no role that would be published without anybody having agreed."""
        decided = {*self.publishing.left_out, *self.acknowledged}
        return [name for name in self.schema.names(Role.OTHER) if name not in decided]

    def with_roles(self, roles: Mapping[str, Role]) -> Self:
        """Give columns roles; what was decided about their leaving is open again."""
        publishing = replace(self.publishing, left_out=_without(self.publishing.left_out, roles))
        acknowledged = _without(self.acknowledged, roles)
        schema = self.schema.with_roles(roles)
        person = self.person if self.person in schema.names(Role.EI) else ""
        return replace(self, schema=schema, publishing=publishing, acknowledged=acknowledged, person=person)

    def about(self, person: str) -> Self:
        """Let this column say whom a row is about; it becomes an identifier. Empty: rows are counted."""
        if person and person not in self.schema.names(Role.EI):
            return replace(self.with_roles({person: Role.EI}), person=person)
        return replace(self, person=person)

    def surveyed(self, *, weight: str | None = None, household: str | None = None) -> Self:
        """Let other columns be the sampling weight or the household of a survey; empty: none is."""
        return replace(
            self,
            sampling_weight=self.sampling_weight if weight is None else weight,
            household=self.household if household is None else household,
        )

    def leaving_out(self, names: Collection[str]) -> Self:
        """Publish nothing of these columns; identifiers stay what they are, others lose their role."""
        known = [c.name for c in self.schema.columns if c.name in names and c.role is not Role.EI]
        freed = self.with_roles(dict.fromkeys(known, Role.OTHER))
        pseudonyms = tuple((name, way) for name, way in self.publishing.pseudonyms if name not in names)
        left_out = (*freed.publishing.left_out, *known)
        return replace(freed, publishing=replace(freed.publishing, left_out=left_out, pseudonyms=pseudonyms))

    def agreeing_to(self, names: Collection[str]) -> Self:
        """Publish these columns of no role unchanged."""
        chosen = [name for name in self.schema.names(Role.OTHER) if name in names]
        freed = self.with_roles(dict.fromkeys(chosen, Role.OTHER))
        return replace(freed, acknowledged=(*freed.acknowledged, *chosen))

    def protects(self, column: str) -> bool:
        """Tell whether some goal looks at the values of this sensitive column."""
        return any(goal.looks_at(column) for goal in self.goals)

    def used_hierarchies(self) -> dict[str, Hierarchy]:
        """Give the hierarchies of quasi-identifiers and sensitive columns; a release knows no other."""
        used = {*self.schema.quasi, *self.schema.names(Role.SA)}
        return {name: tree for name, tree in self.hierarchies.items() if name in used}

    def saved_hierarchies(self) -> dict[str, Hierarchy]:
        """Give all hierarchies but those of identifiers, which stand in no file of ours."""
        return {name: tree for name, tree in self.hierarchies.items() if name not in self.schema.names(Role.EI)}


def _without(names: tuple[str, ...], others: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in others)


def project_entries(project: Project) -> dict[str, Json]:
    """Give everything that is decided but name and sources, in the order a person would read it.

    Hierarchies that are not used stay out: their leaves are values of columns that are removed or of no role.
    """
    rules = {"rules": {name: registered_json(rule) for name, rule in project.rules.items()}} if project.rules else {}
    policies = {"policies": [policy.to_json() for policy in project.policies]} if project.policies else {}
    return {
        "columns": [
            {"name": c.name, "type": c.type.value, "format": c.format, "role": c.role.value}
            for c in project.schema.columns
        ],
        "goals": [registered_json(goal) for goal in project.goals],
        "algorithm": registered_json(project.algorithm) if project.algorithm is not None else None,
        "suppression": project.suppression,
        "limit_covers_emptied": project.limit_covers_emptied,
        "weights": dict(project.weights),
        "bounds": {name: list(bounds) for name, bounds in project.bounds.items()},
        "uneven": project.uneven,
        "seed": project.seed,
        "publishing": plain_json(project.publishing),
        "acknowledged": list(project.acknowledged),
        "person": project.person,
        "sampling_weight": project.sampling_weight,
        "household": project.household,
        "hierarchies": {name: _tree(tree) for name, tree in project.saved_hierarchies().items()},
        **policies,
        **rules,
    }


def _tree(tree: Hierarchy) -> Json:
    told = json_tree.to_json(tree)
    return told if tree.made_by is None else {**told, RULE_KEY: registered_json(tree.made_by)}
