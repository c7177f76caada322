"""The context of a call, for Python functions that are tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from .errors import ToolkitError

if TYPE_CHECKING:
    from .loggers import ToolkitLogger


class CallSource(Protocol):
    """One call, as the channel to the program provides it."""

    @property
    def call_id(self) -> str: ...

    @property
    def caller(self) -> str: ...

    @property
    def secrets(self) -> Mapping[str, str]: ...

    @property
    def output_budget(self) -> int | None: ...

    @property
    def traceparent(self) -> str | None: ...

    @property
    def is_cancelled(self) -> bool: ...

    def progress(self, progress: float | None = None, total: float | None = None, message: str | None = None) -> None: ...

    def mask_also(self, name: str, value: str) -> None: ...


class Context:
    """The context of one call. A function gets it in a parameter with this annotation, which is no parameter of the tool."""

    def __init__(self, call: CallSource) -> None:
        self._call = call

    @property
    def call_id(self) -> str:
        """The id of the call in logs and in the audit trail."""
        return self._call.call_id

    @property
    def caller(self) -> str:
        """The caller's name; ``default`` when none was given."""
        return self._call.caller

    @property
    def secrets(self) -> Mapping[str, str]:
        """The secrets that ``@tool(secrets=[…])`` names, by name. Keep them out of results, errors and logs."""
        return self._call.secrets

    @property
    def output_budget(self) -> int | None:
        """Maximum characters of the result as compact JSON, when a model calls; None for code of a program, which gets everything.

        A function that can continue in another call stops within the budget and returns its position (``continues`` of its definition). The
        result of any other function is cut.
        """
        return self._call.output_budget

    @property
    def traceparent(self) -> str | None:
        """The place of the call in its trace, as in the header of W3C Trace Context; None where calls are not traced.

        Where OpenTelemetry is imported, spans of the function are within it already.
        """
        return self._call.traceparent

    @property
    def logger(self) -> ToolkitLogger:
        """The logger of this process, see ``get_global_toolkit_logger``. It masks no secrets."""
        from .loggers import get_global_toolkit_logger

        return get_global_toolkit_logger()

    @property
    def cancelled(self) -> bool:
        """True when the caller no longer waits for the result. A plain function checks it from time to time; a coroutine is cancelled instead."""
        return self._call.is_cancelled

    def raise_if_cancelled(self) -> None:
        """Raises ToolkitError ABORTED when the caller no longer waits for the result."""
        if self.cancelled:
            raise ToolkitError("ABORTED", "The call was cancelled.")

    def progress(self, progress: float | None = None, total: float | None = None, message: str | None = None) -> None:
        """Reports progress to a caller that asked for it, in units of your own. ``total`` is the number of all units."""
        self._call.progress(progress, total, message)

    def mask_also(self, name: str, value: str) -> None:
        """Masks a secret that the function obtained itself, such as a session token, from now on in logs, errors, result and trail of this call.

        ``name`` appears in its place. The logger of this process masks nothing.
        """
        if not isinstance(name, str) or name == "" or not isinstance(value, str):
            raise TypeError(f"expected a name and a text, received a value of type {type(value).__name__}")
        self._call.mask_also(name, value)

    def __repr__(self) -> str:
        return f"Context(call_id={self.call_id!r}, caller={self.caller!r})"


# The module that users import it from.
Context.__module__ = "toolkit"
