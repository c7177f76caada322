"""Hints whose values are single JSON values."""

from __future__ import annotations

import datetime
import decimal
import pathlib
import uuid
from collections.abc import Callable
from typing import Any

from ._shape import Direction, Misfit, Shape, expected


def scalar_shape(hint: Any, direction: Direction) -> Shape | None:
    """Returns the shape of ``hint``, or None for any other hint."""
    try:
        known = _SHAPES.get(hint)
    except TypeError:  # not hashable
        return None
    if known is None and isinstance(hint, type) and issubclass(hint, pathlib.PurePath):
        known = _text(hint, "a path", "path")
    if known is None or direction == "input":
        return known
    # In an output a datetime may have no time zone, which the format requires; a Decimal is a text, to lose no digits.
    return _OUTPUTS.get(hint, known)


def _text(convert: Callable[[str], Any], what: str, form: str) -> Shape:
    def decode(value: Any) -> Any:
        if not isinstance(value, str):
            raise expected(what, value)
        try:
            return convert(value)
        except (ValueError, TypeError) as error:
            raise expected(what, value) from error

    return Shape({"type": "string", "format": form}, decode)


def _instance(kind: type, name: str) -> Shape:
    def decode(value: Any) -> Any:
        if not isinstance(value, kind):
            raise expected(f"a {name}", value)
        return value

    return Shape({"type": name}, decode)


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise expected("an integer", value)
    return int(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise expected("a number", value)
    return float(value)


def _decimal(value: Any) -> decimal.Decimal:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise expected("a number, or its digits as a text", value)
    try:
        number = decimal.Decimal(str(value))
    except decimal.InvalidOperation as error:
        raise expected("a number, or its digits as a text", value) from error
    if not number.is_finite():
        raise expected("a finite number", value)
    return number


def _null(value: Any) -> None:
    if value is not None:
        raise expected("null", value)


def _same(value: Any) -> Any:
    return value


def _iso(convert: Callable[[str], Any]) -> Callable[[str], Any]:
    # Python 3.10 does not read the Z of RFC 3339.
    return lambda text: convert(text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text)


def _nothing(value: Any) -> Any:
    raise Misfit("no value is allowed here")


_SHAPES: dict[Any, Shape] = {
    Any: Shape({}, _same),
    object: Shape({}, _same),
    None: Shape({"type": "null"}, _null),
    type(None): Shape({"type": "null"}, _null),
    str: _instance(str, "string"),
    bool: _instance(bool, "boolean"),
    int: Shape({"type": "integer"}, _integer),
    float: Shape({"type": "number"}, _number),
    decimal.Decimal: Shape({"type": ["number", "string"]}, _decimal),
    datetime.datetime: _text(_iso(datetime.datetime.fromisoformat), "a date and time (RFC 3339)", "date-time"),
    datetime.date: _text(datetime.date.fromisoformat, "a date (YYYY-MM-DD)", "date"),
    datetime.time: _text(_iso(datetime.time.fromisoformat), "a time (HH:MM:SS)", "time"),
    uuid.UUID: _text(uuid.UUID, "a UUID", "uuid"),
    pathlib.Path: _text(pathlib.Path, "a path", "path"),
}

_OUTPUTS: dict[Any, Shape] = {
    decimal.Decimal: Shape({"type": "string"}, _nothing),
    datetime.datetime: Shape({"type": "string"}, _nothing),
    datetime.time: Shape({"type": "string"}, _nothing),
}
