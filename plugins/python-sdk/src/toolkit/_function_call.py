"""The call of a Python function that is a tool."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class FunctionCall:
    """One call of a function."""

    call_id: str
    #: The caller's name; ``default`` when none was given.
    caller: str
    #: The secrets of the definition, by name. Keep them out of results, errors and logs.
    secrets: dict[str, str] = field(repr=False)
    #: Maximum characters of the result as compact JSON, when a model calls. None for no limit.
    output_budget: int | None
    #: Place of the call in its trace (W3C Trace Context). None where calls are not traced.
    traceparent: str | None
    _notify_progress: Callable[[dict[str, Any]], None] = field(repr=False)
    _mask: Callable[[dict[str, Any]], None] = field(repr=False)
    _cancelled: threading.Event = field(repr=False)

    def progress(self, progress: float | None = None, total: float | None = None, message: str | None = None) -> None:
        """Reports progress to a caller that asked for it."""
        fields = {"progress": progress, "total": total, "message": message}
        self._notify_progress({name: value for name, value in fields.items() if value is not None})

    def mask_also(self, name: str, value: str) -> None:
        """Makes the program mask a secret for the rest of the call."""
        self._mask({"name": name, "value": value})

    @property
    def is_cancelled(self) -> bool:
        """True when the caller no longer waits for the result. A coroutine function is cancelled instead."""
        return self._cancelled.is_set()
