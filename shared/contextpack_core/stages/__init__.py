"""The stages of a pack, one file each: a settings class, and a pure function that returns a ``Step``."""
