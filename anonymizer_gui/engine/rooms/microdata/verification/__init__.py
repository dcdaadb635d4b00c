"""The entries of a certificate as they follow from the bytes of its release and the parameters it names."""
