"""Surveys under local differential privacy: a form that lies for the respondent, and what its reports tell."""
