"""The lecture's class of a hundred, of whom eighty have copied homework: two coins turn 80 and 20 into 65 and 35."""

YES, NO = 80, 20


def coins_table() -> dict[str, list[str]]:
    """Return one row per student; who answered what is spread evenly over the class."""
    answers = ["no" if number % (100 // NO) == 0 else "yes" for number in range(YES + NO)]
    return {"student": [f"S{number + 1:03d}" for number in range(YES + NO)], "answer": answers}
