"""What the numbers of released places are called, in report and differences."""

NUMBER_NAMES = {
    "answers": "Users who send a region, at each query",
    "queries": "Queries per user", "regions": "Regions", "smallest_region": "Fewest users in a region",
    "fewest_senders": "Fewest users who send the same", "reciprocal": "Share of users with a reciprocal region",
    "median_side_m": "Median side of a region in metres", "p90_side_m": "90 % of the sides are below, in metres",
    "people": "People", "kinds_left": "Different tiles and slots", "smallest_support": "Fewest people who share a few",
    "pseudonyms": "Pseudonyms", "mixes": "Mixes", "smallest_mix": "Smallest mix",
    "published": "Tracks", "points": "Points", "classes": "Classes", "smallest_class": "Smallest class",
}  # fmt: skip
