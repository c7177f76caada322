"""Metadata of log records as JSON, within limits: 10,000 characters a text, 100 members, 10 levels, 65,536 characters in all."""

from __future__ import annotations

import math
import traceback
from collections.abc import Mapping, Set
from itertools import islice
from typing import Any

from ._plain_json import plain_json
from .errors import ToolkitError

_TEXT = 10_000
_MEMBERS = 100
_DEPTH = 10
_TOTAL = 65_536
#: Characters reserved for the note about cut text.
_NOTE = 32


def plain_meta(meta: Any, stacks: bool) -> dict[str, Any]:
    """Converts metadata to JSON. Never raises: an unreadable value becomes a note in square brackets. ``stacks``: keep the tracebacks of errors."""
    plain = _Walk(stacks).visit(meta)
    if isinstance(plain, dict) and not isinstance(meta, BaseException):
        return plain
    return {"error" if isinstance(meta, BaseException) else "meta": plain}


def plain_message(message: Any) -> str:
    """Converts any value to the text of a message."""
    if isinstance(message, str):
        return bounded(message)
    try:
        return bounded(str(message))
    except Exception as error:
        return _unreadable(error)


def bounded(text: str, limit: int = _TEXT) -> str:
    """Returns the text, cut to ``limit`` characters with a note about the rest."""
    if len(text) <= limit:
        return text
    kept = max(0, limit - _NOTE)
    return f"{text[:kept]}… [{len(text) - kept} more characters]"


class _Walk:
    """One conversion of a value."""

    def __init__(self, stacks: bool) -> None:
        self._stacks = stacks
        self._room = _TOTAL
        self._ancestors: list[int] = []

    def visit(self, value: Any) -> Any:
        if self._room <= 0:
            return self._note("[left out: the record is full]")
        if value is None or isinstance(value, bool):
            self._room -= 4
            return value
        if isinstance(value, (int, float)) and type(value) in (int, float):
            return self._number(value)
        if type(value) is str:
            return self._note(bounded(value, min(_TEXT, max(self._room, _NOTE))))
        return self._object(value)

    def _number(self, value: int | float) -> Any:
        self._room -= 8
        if isinstance(value, float):
            if not math.isfinite(value):
                return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
            # In the form of the program: 1, not 1.0.
            return int(value) if value == int(value) and abs(value) < 1e21 else value
        return value if value.bit_length() <= 32_768 else self._note("[integer of more than 32768 bits]")

    def _note(self, text: str) -> str:
        self._room -= len(text) + 2
        return text

    def _object(self, value: Any) -> Any:
        self._room -= 2
        if id(value) in self._ancestors:
            return self._note("[circular]")
        if len(self._ancestors) >= _DEPTH:
            return self._note(f"[nested deeper than {_DEPTH} levels]")
        self._ancestors.append(id(value))
        try:
            return self._converted(value)
        except Exception as error:
            return self._note(bounded(_unreadable(error)))
        finally:
            self._ancestors.pop()

    def _converted(self, value: Any) -> Any:
        if isinstance(value, BaseException):
            return self._members(self._of_error(value))
        if isinstance(value, Mapping):
            return self._members(value)
        if isinstance(value, (list, Set)) or (isinstance(value, tuple) and not hasattr(value, "_fields")):
            return self._list(value)
        if isinstance(value, (bytes, bytearray, memoryview)):
            return self._note(f"[{type(value).__name__}, {len(value)} bytes]")
        try:
            plain = plain_json(value)
        except (TypeError, ValueError):
            return self._note(bounded(f"[function {value.__name__}]" if callable(value) and hasattr(value, "__name__") else f"[{type(value).__name__}]"))
        return self.visit(plain)

    def _of_error(self, error: BaseException) -> dict[str, Any]:
        found: dict[str, Any] = {"name": type(error).__name__, "message": str(error)}
        if isinstance(error, ToolkitError):
            found |= {name: value for name, value in error.to_dict().items() if name not in found}
        if error.__cause__ is not None:
            found["cause"] = error.__cause__
        if self._stacks:
            found["stack"] = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        return found

    def _list(self, value: Any) -> list[Any]:
        limit = len(value) if len(value) <= _MEMBERS else _MEMBERS - 1
        result: list[Any] = []
        for item in islice(value, limit):
            if self._room <= 0:
                break
            result.append(self.visit(item))
        if len(result) < len(value):
            result.append(self._note(f"[{len(value) - len(result)} more items]"))
        return result

    def _members(self, value: Mapping[Any, Any]) -> dict[str, Any]:
        limit = len(value) if len(value) <= _MEMBERS else _MEMBERS - 1
        result: dict[str, Any] = {}
        for name, member in islice(value.items(), limit):
            if self._room <= 0:
                break
            result[free_key(self._note(bounded(str(name))), result)] = self.visit(member)
        if len(result) < len(value):
            result[free_key("…", result)] = self._note(f"[{len(value) - len(result)} more members]")
        return result


def free_key(key: str, taken: Any) -> str:
    """Returns the key with as many leading underscores as make it unique."""
    return free_key(f"_{key}", taken) if key in taken else key


def _unreadable(error: Exception) -> str:
    try:
        return f"[unreadable: {error}]"
    except Exception:
        return "[unreadable]"
