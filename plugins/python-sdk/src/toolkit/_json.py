"""Messages as JSON lines."""

from __future__ import annotations

import json

from ._plain_json import plain_json
from .errors import ToolkitError


def encode_line(message: object, what: str) -> bytes:
    """Encodes ``message`` as one line of JSON in UTF-8, with its line break.

    Converts other values with ``plain_json``. ``what`` names the value in the error.
    Raises ToolkitError INVALID_PARAMETERS for values that JSON cannot hold: other objects, NaN, infinity, circular references.
    """
    try:
        text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain_json)
        try:
            return text.encode() + b"\n"
        except UnicodeEncodeError:  # half of a surrogate pair, which only an escape of JSON can hold
            return json.dumps(message, separators=(",", ":"), default=plain_json).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolkitError(
            "INVALID_PARAMETERS", f"{what} cannot be written as JSON: {error}. Give strings, finite numbers, booleans, None, lists and dicts."
        ) from error

