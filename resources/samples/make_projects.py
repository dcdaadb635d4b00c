"""Makes the ready projects of the sample tables, byte for byte the same each time."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.baskets.baskets import BasketOptions
from anonymizer_gui.engine.data.places.layout import sniff_options
from anonymizer_gui.engine.data.tables.io import read_table, sniff
from anonymizer_gui.engine.data.tables.suggestions import guess_types, guessed_schema
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.hierarchy.builders.automatic import Automatic
from anonymizer_gui.engine.hierarchy.builders.contract import build_hierarchy
from anonymizer_gui.engine.hierarchy.files import read_hierarchies
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.opening import new_project
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.baskets.algorithms.apriori import AprioriWithoutRoot
from anonymizer_gui.engine.rooms.baskets.algorithms.clustering import LocalClustering
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import KAnonymity, KmAnonymity
from anonymizer_gui.engine.rooms.baskets.project import Project as BasketsProject
from anonymizer_gui.engine.rooms.graphs.algorithms.supernodes import SuperNodes
from anonymizer_gui.engine.rooms.graphs.project import Project as GraphProject
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.masking.cleaning import JoinPlace
from anonymizer_gui.engine.rooms.microdata.masking.steps import with_steps
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.places.algorithms.contract import ALGORITHMS as PLACE_ALGORITHMS
from anonymizer_gui.engine.rooms.places.project import Project as PlacesProject
from anonymizer_gui.engine.rooms.statistics.project import Project as StatisticsProject
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question
from anonymizer_gui.engine.rooms.survey.collection import Question
from anonymizer_gui.engine.rooms.survey.project import Project as SurveyProject
from anonymizer_gui.engine.rooms.trees.algorithms.clustree import FullKAnonymity
from anonymizer_gui.engine.rooms.trees.algorithms.kmn_anonymity import KmnAnonymity
from anonymizer_gui.engine.rooms.trees.encoding import PathRole
from anonymizer_gui.engine.rooms.trees.project import PathSchema
from anonymizer_gui.engine.storage.sources import Source
from market import FOUR_TREE, market_tree

HERE = Path(__file__).resolve().parent
K = {"hospital": 5, "lecture": 4, "census": 5}
METHODS = {"hospital": "best-loss", "lecture": "best-loss", "census": "mondrian"}
"""What loses least within a few seconds."""
PEOPLE = {"hospital": "ssn"}
"""The column that says whom a row is about: names repeat."""
ROLES = {
    "hospital": {
        Role.EI: "name ssn",
        Role.QI: "zip birth_date age sex nationality admission_date",
        Role.SA: "diagnosis charge",
    },
    "lecture": {Role.QI: "Zip Age Nationality", Role.SA: "Disease"},
    "census": {
        Role.QI: "age sex zip birth_country marital_status education occupation household_size employment",
        Role.SA: "income",
    },
}

TOWN = {
    "town": ("nwa", 5, {}),
    "town_queries": ("hilbert", 5, {"moment": 0.25, "queries": 4}),
    "town_bridge": ("mix", 3, {"zones": 3, "radius": 170.0, "by_hand": (7.4, 54.35)}),
}
"""The projects about the town, with the way each takes."""

QUESTIONS = (
    "count",
    "levels reason",
    "histogram date 2024-01-01 2024-12-31 month",
    "mean minutes 0 60",
    "median age 0 100",
    "top 3 reason",
    "grid longitude 10.95 11.35 latitude 48 48.28 8 7",
)
"""What the practice tells about a year."""
MODELS = (
    "synthetic age=0..99/10 sex=F|M reason=infection|pain|check|mind minutes=0..60/6",
    "k-means 3 age 0 100 minutes 0 60",
    "learn reason=infection|pain|check|mind age=0..99/10 minutes=0..60/12",
)
"""What else can be made of it."""


def make(name: str) -> None:
    """Make the project of one sample."""
    path = HERE / f"{name}.csv"
    options = sniff(path)
    table, _report = read_table(path, options)
    roles = {column: role for role, columns in ROLES[name].items() for column in columns.split()}
    project = Project(
        name=name,
        source=Source(str(path), options=params.to_json(options)),
        schema=guessed_schema(guess_types(table)).with_roles(roles),
        hierarchies=read_hierarchies(HERE / f"{name}_hierarchies", table.names, table).hierarchies,
        goals=(PRIVACY_MODELS.get("k")(k=K[name]),),
        algorithm=ALGORITHMS.get(METHODS[name])(),
        person=PEOPLE.get(name, ""),
    )
    save_project(project, path.with_suffix(".anon"))


def make_pharmacy() -> None:
    """Make the project of the pharmacy: places of two columns, and medicines that are safe inside every class."""
    path = HERE / "pharmacy.csv"
    source = with_steps(Source(str(path)), [JoinPlace(latitude="latitude", longitude="longitude", into="home")])
    roles = {"customer": Role.EI} | dict.fromkeys(("sex", "birth_year", "insured", "home", "medicines"), Role.QI)
    project = new_project(room_of("microdata"), source, roles=roles).project
    table = room_of("microdata").read("table", project.source, SILENT).data
    automatic = {
        name: build_hierarchy(Automatic(), table.column(name), project.schema.column(name))
        for name in ("birth_year", "home")
    }
    given = read_hierarchies(HERE / "pharmacy_hierarchies", ["medicines"]).hierarchies
    project = replace(
        project,
        name="pharmacy",
        hierarchies={**automatic, **given},
        goals=(PRIVACY_MODELS.get("k-km")(k=5, m=2, rows=100),),
        algorithm=ALGORITHMS.get("best-loss")(),
    )
    save_project(project, path.with_suffix(".anon"))


def make_statistics(name: str) -> None:
    """Make the plan of the practice; who comes often is protected as well as who comes once."""
    path = HERE / f"{name}.csv"
    options = sniff(path)
    table, _report = read_table(path, options)
    plan = StatisticsProject(
        name=name,
        source=Source(str(path), options=params.to_json(options)),
        unit=PrivacyUnit.parse("person=patient:4"),
        questions=tuple(parse_question(text) for text in QUESTIONS),
        epsilon=Fraction(2),
        total=Fraction(6),
        hierarchies=read_hierarchies(HERE / f"{name}_hierarchies", table.names, table).hierarchies,
        rows=2000,
    )
    save_project(plan, path.with_suffix(".anon"))


def make_models() -> None:
    """Make a plan about the practice that publishes a synthetic table, clusters and a model instead of numbers."""
    path = HERE / "practice.csv"
    options = sniff(path)
    table, _report = read_table(path, options)
    plan = StatisticsProject(
        name="practice models",
        source=Source(str(path), options=params.to_json(options)),
        questions=tuple(parse_question(text) for text in MODELS),
        epsilon=Fraction(6),
        total=Fraction(12),
        delta=Fraction(1, 10**6),
        hierarchies=read_hierarchies(HERE / "practice_hierarchies", table.names, table).hierarchies,
        rows=2000,
    )
    save_project(plan, HERE / "practice_models.anon")


def make_survey(name: str) -> None:
    """Make the survey of the lectures: two coins decide who tells the truth, at a cost of ln 3."""
    path = HERE / f"{name}.csv"
    options = params.to_json(sniff(path))
    survey = SurveyProject(
        name=name,
        source=Source(str(path), options=options),
        title="Two coins",
        intro="Nobody will know whether you did it, not even we.",
        questions=(Question("answer", "Have you ever copied homework?", ("yes", "no"), protocol="rr-coins"),),
        epsilon=Fraction(11, 10),
        answers=100,
    )
    save_project(survey, path.with_suffix(".anon"))


def make_new_survey(name: str) -> None:
    """Make a survey to begin with: a question and no file."""
    asked = Question("smokes", "Do you smoke?", ("yes", "no"))
    save_project(SurveyProject(name=name, title="Survey", questions=(asked,)), HERE / f"{name}.anon")


def make_graph(name: str) -> None:
    """Make the project of the village: groups of four, and who of them is ill."""
    ties, people = HERE / f"{name}.csv", HERE / f"{name}_people.csv"
    options = sniff(people)
    project = GraphProject(
        name=name,
        source=Source(str(ties)),
        nodes=Source(str(people), options=params.to_json(options)),
        key="person",
        schema=Schema((ColumnSchema("age", ColumnType.INTEGER, role=Role.EI), ColumnSchema("illness", role=Role.SA))),
        hierarchies=read_hierarchies(HERE / f"{name}_hierarchies", ["age"]).hierarchies,
        k=4,
        l=2,
        algorithm=SuperNodes(),
    )
    save_project(project, ties.with_suffix(".anon"))


def make_baskets() -> None:
    """Make the project of the market, and that of the four customers with the solution that loses less."""
    trees = {"market": Hierarchy.from_nested(market_tree()), "four_customers": Hierarchy.from_nested(FOUR_TREE)}
    goals = {"market": KmAnonymity(), "four_customers": KAnonymity(k=2)}
    methods = {"market": AprioriWithoutRoot(), "four_customers": LocalClustering()}
    for name, tree in trees.items():
        path = HERE / f"{name}.basket"
        source = Source(str(path), options=params.to_json(BasketOptions()))
        project = BasketsProject(
            name, source, goals=(goals[name],), algorithm=methods[name], hierarchies={"items": tree}
        )
        save_project(project, path.with_suffix(".anon"))


def make_town() -> None:
    """Make the projects about the town: the same walks as tracks, and as queries from where people are."""
    walks, roads = HERE / "town.csv", HERE / "town_roads.geojson"
    source = Source(str(walks), options=params.to_json(sniff_options(walks)))
    below = Source(str(roads))
    for name, (way, k, settings) in TOWN.items():
        project = PlacesProject(name, source, below, k=k, algorithm=PLACE_ALGORITHMS.get(way)(**settings))
        save_project(project, HERE / f"{name}.anon")


def make_aspirin() -> None:
    """Make the plan about twelve baskets: a customer with three baskets of two items is hidden."""
    path = HERE / "aspirin.csv"
    options = BasketOptions(layout="column", separator="|", item_column="items")
    items = 'aspirin,plasters,"cough syrup",vitamins,tea'
    plan = StatisticsProject(
        name="aspirin",
        source=Source(str(path), options={"shape": "baskets", **params.to_json(options)}),
        shape="baskets",
        unit=PrivacyUnit.parse("person=customer:3"),
        questions=tuple(
            parse_question(text, "baskets") for text in (f"items 2 {items}", f"top 1 2 {items} with epsilon=0.5")
        ),
        epsilon=Fraction(2),
        total=Fraction(6),
        rows=12,
    )
    save_project(plan, path.with_suffix(".anon"))


def make_helpers() -> None:
    """Make the plan about who helps whom in the village: a single tie is hidden."""
    ties = HERE / "village.csv"
    asked = ("edges", "count degree>=5", "degrees 8", "triangles 6 with epsilon=1")
    plan = StatisticsProject(
        name="helpers",
        source=Source(str(ties), options={"shape": "graph-edges"}),
        shape="graph-edges",
        questions=tuple(parse_question(text, "graph-edges") for text in asked),
        epsilon=Fraction(4),
        total=Fraction(8),
        rows=60,
    )
    save_project(plan, HERE / "helpers.anon")


def make_trees() -> None:
    """Make the project of the students, and that of the two hospitals with the relation that betrays somebody."""
    methods = {"students.json": FullKAnonymity(k=5, l=2), "two_hospitals.xml": KmnAnonymity(k=3, m=2, n=1, delete=0.0)}
    for name, method in methods.items():
        path = HERE / name
        opened = new_project(room_of("trees"), Source(str(path)))
        project = replace(opened.project, algorithm=method, paths=tuple(map(_decided, opened.project.paths)))
        save_project(project.with_sources({"table": Source(str(path))}), path.with_suffix(".anon"))


def make_enrolment() -> None:
    """Make the plan about the students: the three enrolment questions, a student with up to four courses is hidden."""
    path = HERE / "students.json"
    path_of = "courses[].course"
    asked = (
        f"having {path_of} Topology",
        f"entries {path_of} 4",
        f"values {path_of} 4 Algebra,Topology,Genetics,Markets",
    )
    plan = StatisticsProject(
        name="enrolment",
        source=Source(str(path), options={"shape": "trees"}),
        shape="trees",
        questions=tuple(parse_question(text, "trees") for text in asked),
        epsilon=Fraction(2),
        total=Fraction(6),
        rows=400,
    )
    save_project(plan, HERE / "enrolment.anon")


def _decided(path: PathSchema) -> PathSchema:
    """Take the suggestion, but in the example of the hospitals everything is known."""
    return replace(path, role=PathRole.QUASI) if path.path.startswith("patient/") else path


if __name__ == "__main__":
    for sample in ROLES:
        make(sample)
    make_pharmacy()
    make_statistics("practice")
    make_models()
    make_survey("coins")
    make_new_survey("survey")
    make_graph("village")
    make_baskets()
    make_town()
    make_aspirin()
    make_helpers()
    make_trees()
    make_enrolment()
