"""Tables and projects of every awkward shape, for the battery over all algorithms."""

from collections import Counter
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity, EntropyLDiversity
from anonymizer_gui.engine.rooms.microdata.models.presence import DeltaPresence, KMap
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing

AGES = Hierarchy.from_nested(
    {"*": {"20-29": {"20-24": ["20", "21", "22"], "25-29": ["25", "26"]}, "30-39": {"30-34": ["30", "31"]}}}
)
CITIES = Hierarchy.from_nested({"*": {"North": ["Kiel", "Bremen"], "South": ["Ulm", "Passau", "Lindau"], "Berlin": []}})
VALUES = {"age": AGES.leaf_labels, "city": CITIES.leaf_labels, "code": ("A", "B", "C"), "shoe": ("38", "39", "100")}
TREES = {"age": AGES, "city": CITIES}
KINDS = ("age", "city", "code", "shoe")


@dataclass(frozen=True)
class Case:
    """A table and a project without an algorithm."""

    table: Table
    project: Project

    def published_classes(self, published: Table) -> Counter[tuple[str, ...]]:
        """Count the classes of a published table by comparing texts."""
        columns = [published.column(name).texts().tolist() for name in self.project.schema.names(Role.QI)]
        return Counter(zip(*columns, strict=True))


@st.composite
def cases(draw: st.DrawFn, *, max_rows: int = 30) -> Case:
    """Draw a table: empty, one row, all equal, all different, with missing cells, one to twelve QIs."""
    n_qis = draw(st.sampled_from([1, 2, 2, 3, 3, 4, 12]))
    kinds = [KINDS[i % 4] if i < 4 else "code" for i in range(n_qis)]
    names = [f"{kind}{i}" for i, kind in enumerate(kinds)]
    n_rows = draw(st.sampled_from([0, 1, 2, 5]) | st.integers(0, max_rows))
    columns = [draw(_cells(VALUES[kind], n_rows)) for kind in kinds]
    if n_rows and draw(st.integers(0, 5)) == 0:
        columns = [[column[0]] * n_rows for column in columns]
    n_sas = draw(st.integers(0, 2))
    sensitive = [draw(_cells(("flu", "cold", "acne"), n_rows)) for _ in range(n_sas)]
    schema = Schema(
        (
            ColumnSchema("name", role=Role.EI),
            *(ColumnSchema(name, _type_of(name), role=Role.QI) for name in names),
            *(ColumnSchema(f"disease{i}", role=Role.SA) for i in range(n_sas)),
            ColumnSchema("note"),
        )
    )
    texts = [[f"P{i}" for i in range(n_rows)], *columns, *sensitive, [str(i) for i in range(n_rows)]]
    table = Table(tuple(Column.from_texts(c.name, t) for c, t in zip(schema.columns, texts, strict=True)), n_rows)
    return Case(table, draw(_projects(schema, dict(zip(names, kinds, strict=True)), n_sas)))


@st.composite
def cases_in_a_population(draw: st.DrawFn) -> tuple[Case, Table]:
    """Draw a table, the larger table its people are from, and a goal about both."""
    case = draw(cases())
    names = case.project.schema.names(Role.QI)
    n_more = draw(st.integers(0, 20))
    columns = [
        case.table.column(name).texts().tolist() + draw(_cells(VALUES[name.rstrip("0123456789")], n_more))
        for name in names
    ]
    population = Table(tuple(Column.from_texts(name, cells) for name, cells in zip(names, columns, strict=True)))
    goal = draw(st.sampled_from([KMap(3), DeltaPresence(0.5), DeltaPresence(0.9, 0.1)]))
    return Case(case.table, replace(case.project, goals=(goal, *case.project.goals))), population


@st.composite
def _projects(draw: st.DrawFn, schema: Schema, kinds: dict[str, str], n_sas: int) -> Project:
    trees = {name: TREES[kind] for name, kind in kinds.items() if kind in TREES}
    return Project(
        schema=schema,
        hierarchies=trees,
        goals=draw(_goals(n_sas)),
        # With suppression a lattice of twelve columns has little to prune: right, but too slow for a battery.
        suppression=0.0 if len(kinds) == 12 else draw(st.sampled_from([0.0, 0.0, 0.1, 0.5, 1.0])),
        weights=draw(st.sampled_from([{}, dict.fromkeys(trees, 2.0)])),
        bounds=dict.fromkeys(trees, (1, 2)) if draw(st.integers(0, 4)) == 0 else {},
        uneven=draw(st.sampled_from(["cap", "climb"])),
        seed=draw(st.integers(0, 3)),
        publishing=Publishing(suppressed_as_stars=draw(st.booleans())),
    )


@st.composite
def _goals(draw: st.DrawFn, n_sas: int) -> tuple[PrivacyModel, ...]:
    k = KAnonymity(draw(st.sampled_from([1, 2, 3, 5, 50])))
    defaults = [model() for model in PRIVACY_MODELS if model.needs_sensitive]
    others: list[PrivacyModel] = [
        DistinctLDiversity(2),
        DistinctLDiversity(2, several="harmonised"),
        DistinctLDiversity(3, column="disease0"),
        EntropyLDiversity(1.5),
        TCloseness(0.4),
    ]
    chosen = draw(st.lists(st.sampled_from(others + defaults), max_size=2, unique=True)) if n_sas else []
    return (k, *chosen)


@st.composite
def _cells(draw: st.DrawFn, values: tuple[str, ...], n_rows: int) -> list[str]:
    missing = (MISSING,) if draw(st.integers(0, 3)) == 0 else ()
    return draw(st.lists(st.sampled_from(values + missing), min_size=n_rows, max_size=n_rows))


def _type_of(name: str) -> ColumnType:
    return ColumnType.INTEGER if name.startswith(("age", "shoe")) else ColumnType.CATEGORY
