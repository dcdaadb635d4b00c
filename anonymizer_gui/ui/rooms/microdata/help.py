"""The help of the room: pages made of what goals, algorithms, measures and attacks say of themselves."""

from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS
from anonymizer_gui.ui.help_pages import GeneratedPages, generated_page
from anonymizer_gui.ui.i18n import tr

ORDER = (
    "microdata/data", "hierarchies", "microdata/protect", "microdata/compare", "microdata/risk", "microdata/utility",
    "microdata/policies", "release", "microdata/models", "microdata/algorithms", "microdata/measures",
    "microdata/attacks",
    "microdata/method_attacks", "microdata/elsewhere", "microdata/stories",
)  # fmt: skip


def models_page() -> str:
    """Describe every privacy goal."""
    facts = (
        (tr("Stops"), "stops"),
        (tr("Leaves open"), "leaves_open"),
    )
    intro = tr(
        "A goal is a promise about every class of rows that look alike. All goals of a project must hold together."
    )
    models = sorted(PRIVACY_MODELS, key=lambda model: len(model.name))  # the best known have the shortest names
    return generated_page(tr("Goals"), intro, models, facts, formula=True, source="source", option=True)


def algorithms_page() -> str:
    """Describe every algorithm."""
    intro = tr(
        "Every algorithm reaches the same goals; they differ in how much detail is left, and how long they take."
    )
    return generated_page(
        tr("Algorithms"), intro, ALGORITHMS, ((tr("Known attacks on the method"), "attacks"),), source="reference"
    )


def measures_page() -> str:
    """Describe every measure of utility."""
    intro = tr(
        "What is lost, measured in several ways. None is right for every purpose: look at what the release is for."
    )
    return generated_page(
        tr("Measures of utility"),
        intro,
        METRICS,
        ((tr("Range"), "range"), (tr("Better when"), "direction")),
        formula=True,
        source="reference",
    )


def attacks_page() -> str:
    """Describe every analysis of risk."""
    intro = tr(
        "What somebody could find out, and who that would be. The page Risk counts the rows or people hit, before and "
        "after."
    )
    return generated_page(
        tr("Attacks"), intro, RISKS, ((tr("The attacker"), "attacker"),), formula=True, source="reference"
    )


COMPOSED: GeneratedPages = {
    "microdata/models": (lambda: tr("Goals"), models_page),
    "microdata/algorithms": (lambda: tr("Algorithms"), algorithms_page),
    "microdata/measures": (lambda: tr("Measures of utility"), measures_page),
    "microdata/attacks": (lambda: tr("Attacks"), attacks_page),
}
