"""One folder for each way from data to a release; no room knows another."""
