"""What a type hint means: the JSON that fits it, and the Python value that the JSON becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Schema = dict[str, Any]

#: ``input``: what a caller gives, with unknown members refused. ``output``: what a function returns, as ``plain_json`` writes it.
Direction = Literal["input", "output"]


@dataclass(frozen=True)
class Shape:
    """A hint as a JSON Schema (2020-12), and the way from JSON that fits it to the value that the function gets."""

    schema: Schema
    #: Raises Misfit for what does not fit.
    decode: Callable[[Any], Any]


class ShapesOfHints(Protocol):
    """The shapes of one schema, as the files need them that make a part of it: ``Shapes`` makes them."""

    direction: Direction
    #: Beside the globals of their modules, what hints that are texts may name.
    names: Mapping[str, Any]
    #: For ``$defs``.
    definitions: dict[str, Schema]

    def of(self, hint: Any, place: str) -> Shape:
        """Returns the shape of a hint. ``place`` names the parameter or field in errors. Raises HintError."""

    def free_name(self, name: str) -> str:
        """Returns a name that ``definitions`` does not have yet."""


class Misfit(ValueError):
    """A JSON value that does not fit a hint. ``path``: where in it, such as ``items[0].price``; empty for the whole."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path

    def below(self, step: str | int) -> Misfit:
        """The same, seen from the value that has this one as a member or item."""
        own = f"[{step}]" if isinstance(step, int) else step
        rest = self.path if not self.path or self.path.startswith("[") else f".{self.path}"
        return Misfit(self.message, own + rest)


class HintError(TypeError):
    """A hint that cannot be a schema. ``place``: which parameter or field; ``found``: the hint; ``advice``: what to write."""

    def __init__(self, place: str, found: str, advice: str) -> None:
        super().__init__(f"{place} has {found}. {advice}")


def expected(what: str, value: Any) -> Misfit:
    """The value is of another type."""
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
    """A hint as a person writes it."""
    if isinstance(hint, type) and not hasattr(hint, "__args__"):
        return hint.__name__
    return str(hint).replace("typing.", "").replace("<class '", "").replace("'>", "")
