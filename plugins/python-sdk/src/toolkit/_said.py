"""What a model has said, from the objects of an SDK or plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import ToolkitError


def said_in(given: Any, calls_of: Callable[[Mapping[str, Any]], Any], what: str) -> list[dict[str, Any]]:
    """What ``calls_of`` finds in a response; of a list, its items; nothing of None. Objects of SDKs are Pydantic models.

    ``calls_of`` raises KeyError for what is no response. Raises ToolkitError INVALID_PARAMETERS for anything else; ``what`` says what is expected.
    """
    value = _plain(given)
    if isinstance(value, Mapping):
        try:
            value = calls_of(value)
        except KeyError:
            pass
    if value is None:
        return []
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
        raise ToolkitError("INVALID_PARAMETERS", f"Nothing can be run of a {type(given).__name__}: expected {what}.")
    items = [_plain(item) for item in value]
    strange = next((item for item in items if not isinstance(item, Mapping)), None)
    if strange is not None:
        raise ToolkitError("INVALID_PARAMETERS", f"Nothing can be run of a list with a {type(strange).__name__}: expected {what}.")
    return [dict(item) for item in items]


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        # What the API did not say must not be sent back as null.
        return value.model_dump(mode="json", exclude_unset=True)
    return value
