"""What is done to a table before it is protected: cleaned, filtered, sampled; steps of the project, counted."""
