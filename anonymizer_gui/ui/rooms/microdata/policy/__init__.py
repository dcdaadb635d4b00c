"""The page of policies: what the release is judged by beside its goals."""
