"""Places: where people were and when, as points and tracks in metres."""
