"""What may choose one of several candidates."""

from anonymizer_gui.engine.core.params import Choice

CHOOSERS = Choice({"exponential": "Exponential mechanism", "permute-and-flip": "Noisy maximum (permute and flip)"})
