"""The version of this package, which is also that of the program it carries."""

__version__ = "0.1.0"
