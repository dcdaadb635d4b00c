"""Questions about places: how many points lie where."""
