"""Schemas in, Python codecs out. Never imported at run time."""
