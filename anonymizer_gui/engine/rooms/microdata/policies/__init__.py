"""Policies: named checklists over roles, hierarchies, goals and the release, judged from what is published."""
