"""Is this differentially private?"""
