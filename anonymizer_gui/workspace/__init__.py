"""What the window knows: document, jobs, settings; no widgets."""
