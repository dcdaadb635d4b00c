"""Mix zones: where pseudonyms change, who passes, and what an attacker links nevertheless."""
