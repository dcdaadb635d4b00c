"""Graphs: people and the ties between them; the value, its readers and writers, nothing about privacy."""
