"""What leaves: noisy answers with their intervals."""
