"""What a Python function that is a tool knows of its call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from .errors import ToolkitError

if TYPE_CHECKING:
    from .loggers import ToolkitLogger


class CallFacts(Protocol):
    """What the channel to the program knows of one call."""

    @property
    def call_id(self) -> str: ...

    @property
    def caller(self) -> str: ...

    @property
    def secrets(self) -> Mapping[str, str]: ...

    @property
    def output_budget(self) -> int | None: ...

    @property
    def is_cancelled(self) -> bool: ...

    def progress(self, progress: float | None = None, total: float | None = None, message: str | None = None) -> None: ...

    def mask_also(self, name: str, value: str) -> None: ...


class Context:
    """One call of a function. A parameter with this annotation, whatever its name, gets it; it is no parameter of the tool."""

    def __init__(self, call: CallFacts) -> None:
        self._call = call

    @property
    def call_id(self) -> str:
        """The id under which logs and the audit trail have the call."""
        return self._call.call_id

    @property
    def caller(self) -> str:
        """Who calls: ``default`` where nobody was named."""
        return self._call.caller

    @property
    def secrets(self) -> Mapping[str, str]:
        """The secrets that ``@tool(secrets=[…])`` names, by name. They are not for results, errors or logs."""
        return self._call.secrets

    @property
    def output_budget(self) -> int | None:
        """The characters that the result may take as compact JSON; None where code of a program calls, which gets all of it.

        A function that can go on elsewhere stops by itself and says where (``continues`` of its definition); of others, what is more is cut.
        """
        return self._call.output_budget

    @property
    def logger(self) -> ToolkitLogger:
        """The logger of this process, see ``get_global_toolkit_logger``. It masks no secrets."""
        from .loggers import get_global_toolkit_logger

        return get_global_toolkit_logger()

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the result any more. Plain functions look at it now and then; a coroutine is cancelled instead."""
        return self._call.is_cancelled

    def raise_if_cancelled(self) -> None:
        """Raises ToolkitError ABORTED when nobody waits for the result any more."""
        if self.cancelled:
            raise ToolkitError("ABORTED", "The call was cancelled.")

    def progress(self, progress: float | None = None, total: float | None = None, message: str | None = None) -> None:
        """Says how far the call is, in units of your own (``total``: how many there are), to who has asked for it."""
        self._call.progress(progress, total, message)

    def mask_also(self, name: str, value: str) -> None:
        """Masks a secret that the function obtains itself, such as a session token, from now on in logs, errors, result and trail of this call.

        ``name`` is what stands in its place. The logger of this process masks nothing.
        """
        if not isinstance(name, str) or name == "" or not isinstance(value, str):
            raise TypeError(f"expected a name and a text, received a value of type {type(value).__name__}")
        self._call.mask_also(name, value)

    def __repr__(self) -> str:
        return f"Context(call_id={self.call_id!r}, caller={self.caller!r})"


# As it is imported.
Context.__module__ = "toolkit"
