"""The chance of picking somebody out by the quasi-identifiers, sets of items among them."""

from collections.abc import Mapping

from anonymizer_gui.engine.core.params import Json


def known_items(numbers: Mapping[str, Json]) -> int:
    """Give how many items of a set somebody may know beside the class; 0 where no quasi-identifier is a set."""
    return int(numbers["exposed"]["m"]) if numbers.get("exposed") else 0


def fewest_left(numbers: Mapping[str, Json]) -> int:
    """Give the fewest records somebody is left with: those of a class, or of it that hold the items known, too."""
    known, k = numbers.get("exposed"), int(numbers["k"] or 0)
    return min(k, int(known["fewest"])) if known else k


def highest_chance(numbers: Mapping[str, Json]) -> float:
    """Give the highest chance: that of the smallest class, or more where a few items of a set are known, too."""
    by_class = float(numbers["risk"]["highest"])
    return max(by_class, 1 / max(fewest_left(numbers), 1)) if known_items(numbers) else by_class
