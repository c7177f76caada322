"""What a Python function that is a tool knows of its call."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class FunctionCall:
    """One call of a function."""

    call_id: str
    #: Who calls: ``default`` where nobody was named.
    caller: str
    #: The secrets that the definition names, by name. They are not for results, errors or logs.
    secrets: dict[str, str] = field(repr=False)
    #: Characters of compact JSON that the result may take, where a model calls.
    output_budget: int | None
    _tell: Callable[[dict[str, Any]], None] = field(repr=False)
    _mask: Callable[[dict[str, Any]], None] = field(repr=False)
    _cancelled: threading.Event = field(repr=False)

    def progress(self, progress: float | None = None, total: float | None = None, message: str | None = None) -> None:
        """Says how far the call is, to who has asked for it."""
        told = {"progress": progress, "total": total, "message": message}
        self._tell({name: value for name, value in told.items() if value is not None})

    def mask_also(self, name: str, value: str) -> None:
        """Has the program mask a secret for the rest of the call."""
        self._mask({"name": name, "value": value})

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits for the result any more. A coroutine function is cancelled instead."""
        return self._cancelled.is_set()
