"""The lattice of full-domain generalisations and the searches in it."""
