"""Best loss: local recoding by a search for boxes that lose little."""
