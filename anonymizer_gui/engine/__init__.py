"""The library: values in, values out; no Qt, no printing, no globals."""
