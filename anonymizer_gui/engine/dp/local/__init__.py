"""Local differential privacy: answers that lie before they leave, and what many of them still tell."""
