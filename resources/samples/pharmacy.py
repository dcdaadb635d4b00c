"""A made-up pharmacy of a coast: who its customers are, where they live, and all the medicines each of them takes."""

from collections.abc import Sequence

from drawing import Draws

SEED = 20250918
CUSTOMERS = 1152
TODAY = 2025
TOWNS = {"Westerkoog": (54.31, 8.62, 0.06, 5), "Hagen": (54.48, 9.05, 0.09, 4), "Ostdorf": (54.62, 9.42, 0.12, 3)}
"""Latitude and longitude of each town, how far it reaches, and how many live there."""
_ON_SHELVES = {
    "heart and blood": "bisoprolol ramipril candesartan amlodipine simvastatin torasemide clopidogrel digoxin",
    "pain": "ibuprofen paracetamol aspirin diclofenac metamizole naproxen tilidine",
    "stomach": "pantoprazole omeprazole loperamide domperidone lactulose macrogol",
    "lungs": "salbutamol formoterol budesonide tiotropium montelukast ambroxol",
    "sugar": "metformin insulin sitagliptin empagliflozin glimepiride",
    "nerves": "citalopram sertraline mirtazapine quetiapine lorazepam lithium melatonin",
    "skin": "hydrocortisone clotrimazole zinc urea aciclovir",
    "infection": "amoxicillin doxycycline cefuroxime azithromycin nitrofurantoin oseltamivir",
    "hormones": "levothyroxine estradiol testosterone prednisolone desogestrel",
    "allergy": "cetirizine loratadine azelastine fexofenadine",
}
SHELVES = {shelf: medicines.split() for shelf, medicines in _ON_SHELVES.items()}
_USUAL = (6, 9, 6, 3, 2, 3, 3, 4, 4, 4)
_OLD = (4.0, 0.5, 0.8, 1.0, 3.0, 0.2, 0.2, 0.2, 0.5, 0.0)
"""How much more often somebody of 80 than a child needs something of each shelf."""


def pharmacy_table() -> dict[str, list[str]]:
    """Return a row for every customer; latitude and longitude are two columns, the medicines are one set."""
    draws = Draws(SEED)
    towns = [list(TOWNS)[code] for code in draws.codes([town[3] for town in TOWNS.values()], CUSTOMERS).tolist()]
    born = (TODAY - 2 - (draws.uniform(CUSTOMERS) ** 0.8 * 93)).astype(int).tolist()
    women = draws.uniform(CUSTOMERS) < 0.54
    north, east = draws.bell(CUSTOMERS), draws.bell(CUSTOMERS)
    places = [
        (TOWNS[town][0] + TOWNS[town][2] * up / 2, TOWNS[town][1] + 1.7 * TOWNS[town][2] * right / 2)
        for town, up, right in zip(towns, north.tolist(), east.tolist(), strict=True)
    ]
    return {
        "customer": [f"K{number:05d}" for number in range(1, CUSTOMERS + 1)],
        "sex": ["F" if woman else "M" for woman in women.tolist()],
        "birth_year": [str(year) for year in born],
        "insured": [("public", "private", "none")[code] for code in draws.codes((85, 13, 2), CUSTOMERS).tolist()],
        "latitude": [f"{place[0]:.4f}" for place in places],
        "longitude": [f"{place[1]:.4f}" for place in places],
        "medicines": ["{" + ", ".join(_taken(draws, year)) + "}" for year in born],
    }


def _taken(draws: Draws, born: int) -> list[str]:
    """Draw what somebody takes: older people more, and more of some shelves."""
    old = max(TODAY - born, 0) / 80
    weights = [usual + more * usual * old for usual, more in zip(_USUAL, _OLD, strict=True)]
    often = 1 + int(draws.uniform(1)[0] * 3) + int(draws.uniform(1)[0] * 5 * old)
    shelves = list(SHELVES.values())
    found = set()
    for code in draws.codes(weights, often).tolist():
        shelf = shelves[code]
        found.add(shelf[int(draws.uniform(1)[0] ** 1.6 * len(shelf))])
    return sorted(found)


def pharmacy_hierarchies() -> dict[str, list[Sequence[str]]]:
    """Return the medicines on their shelves."""
    return {"medicines": [(item, shelf, "*") for shelf, items in SHELVES.items() for item in items]}
