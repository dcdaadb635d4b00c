"""The policies the program brings, each a rule set that may be changed like one's own."""

from collections.abc import Callable

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.policies.different_values import DifferentValues
from anonymizer_gui.engine.rooms.microdata.policies.identifiers import KINDS, NoIdentifier
from anonymizer_gui.engine.rooms.microdata.policies.no_codes import NoCodes
from anonymizer_gui.engine.rooms.microdata.policies.places import NoSmallPlaces, PostalAreas
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import RuleSet
from anonymizer_gui.engine.rooms.microdata.policies.smallest_class import SmallestClass
from anonymizer_gui.engine.rooms.microdata.policies.times import AgesInOneGroup, DatesToTheYear


def safe_harbor() -> RuleSet:
    """Give the eighteen identifiers of the HIPAA Privacy Rule: names, places, dates, and fifteen more."""
    names, *others = KINDS
    return RuleSet(
        message("HIPAA Safe Harbor"),
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
            message("whether the house actually knows that somebody could be identified (b)(2)(ii)"),
            message("names, places and dates inside free text, pictures and sound"),
            message("columns whose heads do not say what they hold"),
        ),
    )


def k_and_l() -> RuleSet:
    """Give the rule of thumb of many data centres: cells of at least eleven, and no class that agrees."""
    return RuleSet(
        message("k = 11, no class without l = 2"),
        (SmallestClass(11), DifferentValues(2)),
        message("Usual for health data: the cell size policy of the Centers for Medicare & Medicaid Services (11)"),
    )


BUILT_IN: dict[str, Callable[[], RuleSet]] = {"safe-harbor": safe_harbor, "k11-l2": k_and_l}


def built_in(name: str) -> RuleSet:
    """Give a policy by its name; raises BadParameter with the names there are."""
    if name not in BUILT_IN:
        raise BadParameter(
            message("There is no policy “{name}”.", name=name),
            message("There are: {known}; or name a file that ends in .json or .toml.", known=list(BUILT_IN)),
        )
    return BUILT_IN[name]()
