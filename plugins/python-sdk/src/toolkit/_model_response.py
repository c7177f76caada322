"""Tool calls in the response of a model, from the objects of an SDK or plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import ToolkitError


def calls_in(response: Any, calls_of: Callable[[Mapping[str, Any]], Any], what: str) -> list[dict[str, Any]]:
    """Returns the calls that ``calls_of`` finds in a response, the items of a list, or an empty list for None. Objects of SDKs are Pydantic models.

    ``calls_of`` raises KeyError for a value that is no response. Raises ToolkitError INVALID_PARAMETERS for other values; ``what`` is the expected one.
    """
    value = _plain(response)
    if isinstance(value, Mapping):
        try:
            value = calls_of(value)
        except KeyError:
            pass
    if value is None:
        return []
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
        raise ToolkitError("INVALID_PARAMETERS", f"Nothing can be run of a {type(response).__name__}: expected {what}.")
    items = [_plain(item) for item in value]
    invalid = next((item for item in items if not isinstance(item, Mapping)), None)
    if invalid is not None:
        raise ToolkitError("INVALID_PARAMETERS", f"Nothing can be run of a list with a {type(invalid).__name__}: expected {what}.")
    return [dict(item) for item in items]


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        # Fields that the API left out must not be sent back as null.
        return value.model_dump(mode="json", exclude_unset=True)
    return value
