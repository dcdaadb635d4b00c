"""The policies the program brings, each a rule set that may be changed like one's own."""

from collections.abc import Callable

from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.rooms.microdata.policies.different_values import DifferentValues
from anonymizer_gui.engine.rooms.microdata.policies.identifiers import KINDS, NoIdentifier
from anonymizer_gui.engine.rooms.microdata.policies.no_codes import NoCodes
from anonymizer_gui.engine.rooms.microdata.policies.places import NoSmallPlaces, PostalAreas
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import RuleSet
from anonymizer_gui.engine.rooms.microdata.policies.smallest_class import SmallestClass
from anonymizer_gui.engine.rooms.microdata.policies.times import AgesInOneGroup, DatesToTheYear
from anonymizer_gui.engine.words import say


def safe_harbor() -> RuleSet:
    """Give the eighteen identifiers of the HIPAA Privacy Rule: names, places, dates, and fifteen more."""
    names, *others = KINDS
    return RuleSet(
        say("HIPAA Safe Harbor"),
        (
            NoIdentifier(names),
            NoSmallPlaces(),
            PostalAreas(),
            DatesToTheYear(),
            AgesInOneGroup(),
            *(NoIdentifier(kind) for kind in others),
            NoCodes("not-derived"),
        ),
        "45 CFR 164.514(b)(2)",
        (
            say("whether the house actually knows that somebody could be identified (b)(2)(ii)"),
            say("names, places and dates inside free text, pictures and sound"),
            say("columns whose heads do not say what they hold"),
        ),
    )


def k_and_l() -> RuleSet:
    """Give the rule of thumb of many data centres: cells of at least eleven, and no class that agrees."""
    return RuleSet(
        say("k = 11, no class without l = 2"),
        (SmallestClass(11), DifferentValues(2)),
        say("Usual for health data: the cell size policy of the Centers for Medicare & Medicaid Services (11)"),
    )


BUILT_IN: dict[str, Callable[[], RuleSet]] = {"safe-harbor": safe_harbor, "k11-l2": k_and_l}


def built_in(name: str) -> RuleSet:
    """Give a policy by its name; raises BadParameter with the names there are."""
    if name not in BUILT_IN:
        raise BadParameter(
            say("There is no policy “{name}”.", name=name),
            say("There are: {known}; or name a file that ends in .json or .toml.", known=list(BUILT_IN)),
        )
    return BUILT_IN[name]()
