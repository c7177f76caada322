"""Messages as JSON lines."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import os
import uuid
from typing import Any

from .errors import ToolkitError


def encode_line(message: object, what: str) -> bytes:
    """``message`` as one line of JSON in UTF-8, its line break included.

    Paths, dates, times, UUIDs, enums, dataclasses and Pydantic models are written as JSON has them. ``what`` names the value in the error.
    Raises ToolkitError INVALID_PARAMETERS for what is no JSON: other objects, NaN, infinity, circles.
    """
    try:
        text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
        try:
            return text.encode() + b"\n"
        except UnicodeEncodeError:  # half of a surrogate pair, which only JSON's escapes can say
            return json.dumps(message, separators=(",", ":"), default=_plain).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolkitError(
            "INVALID_PARAMETERS", f"{what} cannot be written as JSON: {error}. Give strings, finite numbers, booleans, None, lists and dicts."
        ) from error


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if hasattr(value, "model_dump") and not isinstance(value, type):
        return value.model_dump(mode="json")
    raise TypeError(f"it has a {type(value).__name__}")
