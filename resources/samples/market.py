"""A day at a made-up market: 1,500 baskets, most things bought by many, some by hardly anybody; and four customers."""

import numpy as np

from drawing import Draws

BASKETS = 1500
SEED = 20250617
# shelf -> things on it, the most bought first
SHELVES = {
    "bakery": ("bread", "rolls", "croissant", "rye bread", "pretzel", "gluten-free bread"),
    "dairy": ("milk", "butter", "cheese", "yogurt", "cream", "goat cheese", "lactose-free milk"),
    "fruit and vegetables": (
        "apples", "bananas", "tomatoes", "potatoes", "onions", "carrots", "salad", "peppers", "artichoke", "okra",
    ),
    "meat and fish": ("sausage", "chicken", "minced meat", "ham", "salmon", "halal lamb", "oysters"),
    "drinks": ("water", "beer", "coffee", "juice", "wine", "tea", "non-alcoholic beer", "whisky"),
    "household": ("toilet paper", "detergent", "soap", "candles", "batteries", "mousetrap"),
    "care": ("toothpaste", "shampoo", "plasters", "aspirin", "diapers", "condoms", "pregnancy test", "nicotine gum"),
    "pets": ("cat food", "dog food", "bird seed"),
}  # fmt: skip
SECTIONS = {
    "food": ("bakery", "dairy", "fruit and vegetables", "meat and fish", "drinks"),
    "other": ("household", "care", "pets"),
}
FOUR = (
    ("milk", "aspirin", "Pregnancy Test"),
    ("milk", "aspirin"),
    ("beer", "diapers"),
    ("beer", "diapers"),
)
FOUR_TREE = {"*": {"food and drinks": ["milk", "beer"], "health": ["aspirin", "Pregnancy Test"], "baby": ["diapers"]}}


def market_baskets() -> list[list[str]]:
    """Return one basket per customer; how many things are in it, and which, is drawn."""
    draws = Draws(SEED)
    things = [thing for shelf in SHELVES.values() for thing in shelf]
    weights = [
        (3.0 if shelf in SECTIONS["food"] else 1.4) / (1 + place) ** 1.6
        for shelf, held in SHELVES.items()
        for place in range(len(held))
    ]
    sizes = 1 + np.floor(-np.log(1 - draws.uniform(BASKETS)) * 3.2).astype(np.int64)
    drawn = [things[code] for code in draws.codes(weights, int(sizes.sum()))]
    ends = np.cumsum(sizes).tolist()
    return [list(dict.fromkeys(drawn[end - size : end])) for size, end in zip(sizes.tolist(), ends, strict=True)]


def market_tree() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Return the tree of things: shelves, and sections of shelves."""
    return {"*": {name: {shelf: list(SHELVES[shelf]) for shelf in shelves} for name, shelves in SECTIONS.items()}}


# customer -> what was in each of three baskets: one table, three kinds of neighbours
ASPIRIN = {
    "Ada": ("aspirin|plasters", "aspirin|cough syrup", "vitamins"),
    "Ben": ("aspirin", "plasters|vitamins|tea", "aspirin|tea"),
    "Cem": ("cough syrup", "aspirin|cough syrup|tea", "plasters"),
    "Dora": ("vitamins|tea", "aspirin", "aspirin|plasters|vitamins"),
}


def aspirin_table() -> dict[str, list[str]]:
    """Return twelve baskets of four customers, with which item, basket and customer are told apart."""
    rows = [(customer, items) for customer, baskets in ASPIRIN.items() for items in baskets]
    return {"customer": [customer for customer, _ in rows], "items": [items for _, items in rows]}
