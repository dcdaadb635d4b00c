"""What the attack tells in words: the story of two who find themselves, and how many fit what is known."""

from anonymizer_gui.engine.data.graphs.graph import Graph
from anonymizer_gui.engine.rooms.graphs.structural_knowledge import FriendAttack
from anonymizer_gui.ui.i18n import format_integer, tr


def general() -> str:
    """Tell the story of people nobody has named."""
    return tr(
        "Names are replaced by numbers, and still people are found: two friends look for the numbers of their "
        "own ties, find themselves, and see together who else they both know, and whether those two are tied."
    )


def told_story(story: FriendAttack, graph: Graph) -> str:
    """Tell the story of two who find themselves, and together two others."""
    (one, other), (third, fourth) = story.finders, story.found
    people = {"one": one, "other": other, "third": third, "fourth": fourth}
    names = {name: graph.names[node] for name, node in people.items()}
    counts = {"ties": one, "others": other, "thirds": third, "fourths": fourth}
    names |= {name: format_integer(int(graph.degrees[node])) for name, node in counts.items()}
    begun = tr("Without names, {one} still finds themselves by {ties} ties and {other} by {others}.", **names)
    if story.are_only_two:
        then = tr("Only two people are tied to both, {third} and {fourth}:", **names)
    else:
        then = tr(
            "Of those who are tied to both, only {third} has {thirds} ties and only {fourth} has {fourths}:", **names
        )
    are, are_not = tr("so the two see that these are tied."), tr("so the two see that these are not tied.")
    return f"{begun} {then} {are if story.are_tied else are_not}"


def in_the_release(fitting: int) -> str:
    """Say how many look like somebody in the release."""
    if fitting == 1:
        return tr("In the release it is still one.")
    return tr("In the release {fitting} people look the same.", fitting=format_integer(fitting))


def in_the_graph(fitting: int) -> str:
    """Say how many fit what is known."""
    if not fitting:
        return tr("Nobody has so many ties.")
    if fitting == 1:
        return tr("One person fits: found.")
    return tr("{fitting} people fit: nobody can tell which of them it is.", fitting=format_integer(fitting))
