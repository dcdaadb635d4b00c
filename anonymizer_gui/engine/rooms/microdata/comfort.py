"""From where on a figure is comfortable, and from where on it is bad: the limits of green and amber in one place."""

COMFORTABLE_K = 5
COMFORTABLE_RISK = 1 / COMFORTABLE_K
GOOD_LOSS, BAD_LOSS = 0.3, 0.6
"""Of the detail of the cells."""
GOOD_SHARE, BAD_SHARE = 0.02, 0.1
"""Of the rows that are left out."""
GOOD_LEARNING_LOSS = 0.05
"""Of the accuracy of what is learnt."""
