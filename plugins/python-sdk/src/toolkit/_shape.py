"""The meaning of a type hint: its JSON Schema, and the conversion of JSON to a Python value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Schema = dict[str, Any]

#: ``input``: values from a caller, with unknown members refused. ``output``: values that a function returns, converted by ``plain_json``.
Direction = Literal["input", "output"]


@dataclass(frozen=True)
class Shape:
    """The JSON Schema (2020-12) of a hint, and the conversion of JSON to the value that the function gets."""

    schema: Schema
    #: Raises Misfit for a value that does not fit.
    decode: Callable[[Any], Any]


class ShapesOfHints(Protocol):
    """The interface of ``Shapes`` for the files that build a part of a schema."""

    direction: Direction
    #: Names that hints written as texts may use, in addition to the globals of their modules.
    names: Mapping[str, Any]
    #: For ``$defs``.
    definitions: dict[str, Schema]

    def of(self, hint: Any, place: str) -> Shape:
        """Returns the shape of a hint. ``place`` names the parameter or field in errors. Raises HintError."""

    def free_name(self, name: str) -> str:
        """Returns a name that ``definitions`` does not have yet."""


class Misfit(ValueError):
    """A JSON value that does not fit a hint. ``path``: the path in the value, such as ``items[0].price``; empty for the whole."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path

    def below(self, step: str | int) -> Misfit:
        """Returns the same error for the value around it, with ``step`` in front of the path."""
        own = f"[{step}]" if isinstance(step, int) else step
        rest = self.path if not self.path or self.path.startswith("[") else f".{self.path}"
        return Misfit(self.message, own + rest)


class HintError(TypeError):
    """A hint that cannot be a schema. ``place``: the parameter or field; ``found``: the hint; ``advice``: the hint to write instead."""

    def __init__(self, place: str, found: str, advice: str) -> None:
        super().__init__(f"{place} has {found}. {advice}")


def expected(what: str, value: Any) -> Misfit:
    """Returns the error for a value of another type."""
    return Misfit(f"expected {what}, received {_described(value)}")


def _described(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, str):
        return f'"{value[:50]}{"…" if len(value) > 50 else ""}"'
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, dict):
        return "an object"
    return f"a {type(value).__name__}"


def hint_text(hint: Any) -> str:
    """Returns a hint in the form of source code."""
    if isinstance(hint, type) and not hasattr(hint, "__args__"):
        return hint.__name__
    return str(hint).replace("typing.", "").replace("<class '", "").replace("'>", "")
