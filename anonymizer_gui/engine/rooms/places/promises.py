"""What a release of places promises, as the recount found it."""

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.places.algorithms.contract import CLOAK, MIX, TILES, Algorithm
from anonymizer_gui.engine.rooms.places.second_opinion import Opinion


def promises_of(algorithm: Algorithm, k: int, found: Opinion) -> tuple[Promise, ...]:
    """Give the promises of a method: what it was asked for, what was counted, and whether it holds."""
    if algorithm.way == TILES:
        return (_visits(k, algorithm.known_visits(), found),)
    if algorithm.way == MIX:
        return (_mixes(k, found), _silent(found))
    if algorithm.way != CLOAK:
        return (_tracks(k, algorithm.metres_apart(), found),)
    shared = (_reciprocal(k, found),) if algorithm.is_reciprocal else ()
    return (_regions(k, found), *shared)


def _regions(k: int, found: Opinion) -> Promise:
    return Promise(
        "region-k",
        "k users in every region",
        message("every region holds at least {k:user|users}", k=k),
        found.holds["region-k"],
        found.worth["region-k"],
        {"k": k},
        "Telling by the place of a query alone which of the people there has asked.",
        "Who knows how regions are made may find fewer: see who sends the same region. Several queries of one person "
        "that can be linked, and k people at one spot, whose place is told.",
        "|users in region| ≥ k",
        "Gruteser and Grunwald, MobiSys 2003",
    )


def _reciprocal(k: int, found: Opinion) -> Promise:
    return Promise(
        "reciprocal-k",
        "Reciprocity",
        message("every region is sent by at least {k:user|users}", k=k),
        found.holds["reciprocal-k"],
        found.worth["reciprocal-k"],
        {"k": k},
        "Telling who has asked even when it is known where everybody was and how regions are made.",
        "What all of a group have in common: that they are in the region.",
        "|users who send region(u)| ≥ k for every user u",
        "Kalnis, Ghinita, Mouratidis and Papadias, TKDE 2007",
    )


def _tracks(k: int, delta: float, found: Opinion) -> Promise:
    is_same = delta == 0
    return Promise(
        "track-k",
        "k people on every track" if is_same else "k people within delta on every track",
        message("every track is the same as at least {others} others", others=k - 1)
        if is_same
        else message("every track is never farther than {delta:g} m from at least {others} others", delta=delta,
                 others=k - 1),
        found.holds["track-k"],
        found.worth["track-k"],
        {"k": k, "delta": delta},
        "Finding somebody's track by any number of places and times that are known of it."
        if is_same
        else "Finding somebody's track by places that are known no more exactly than delta.",
        "Where a whole group was is told; a group that starts at one house tells of that house."
        if is_same
        else "It relies on uncertainty: whoever knows places more exactly than delta may tell the tracks of a group "
        "apart (Trujillo-Rasua and Domingo-Ferrer 2013).",
        "|class| ≥ k and distance ≤ delta at every time",
        "Abul, Bonchi and Nanni, ICDE 2008",
    )  # fmt: skip


def _mixes(k: int, found: Opinion) -> Promise:
    return Promise(
        "mix-k",
        "k people in every mix",
        message("a pseudonym changes only together with those of at least {k:person|people}", k=k),
        found.holds["mix-k"],
        found.worth["mix-k"],
        {"k": k},
        "Following somebody through a zone by the pseudonym.",
        "The set is nominal: timing and turns make some exits far likelier than others, and who passes alone keeps the "
        "pseudonym. A track between two zones is still one person's.",
        "|people who end and begin a pseudonym in a mix| ≥ k",
        "Beresford and Stajano, IEEE Pervasive Computing 2003",
    )


def _silent(found: Opinion) -> Promise:
    return Promise(
        "silent",
        "Silent zones",
        "no point inside a zone is published",
        found.holds["silent"],
        found.worth["silent"],
        {},
        "Watching inside a zone who becomes whom.",
        "When and where people enter and leave zones is told.",
        "|published points in zones| = 0",
        "Beresford and Stajano, IEEE Pervasive Computing 2003",
    )


def _visits(k: int, known: int, found: Opinion) -> Promise:
    return Promise(
        "visits-k",
        "k^m-anonymity of visits",
        message(
            "whoever knows up to {known:visit|visits} of somebody finds at least {k:person|people}",
            known=known,
            k=k,
        ),
        found.holds["visits-k"],
        found.worth["visits-k"],
        {"k": k, "m": known},
        "Finding somebody by a few places and times they are known to have been at.",
        "Knowing more visits than m, or that somebody was not somewhere; what all who fit have in common.",
        "support(S) = 0 or support(S) ≥ k for every set S of at most m tiles and slots",
        "Terrovitis, Mamoulis and Kalnis, VLDB 2008",
    )
