"""What only this room shows when a release leaves."""
