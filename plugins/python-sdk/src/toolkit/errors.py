"""The one error class of the package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

ErrorCode = Literal[
    "CONFIG_NOT_FOUND",
    "CONFIG_INVALID",
    "PLUGIN_INVALID",
    "PLUGIN_FAILED",
    "TOOL_INVALID",
    "TOOL_DUPLICATE",
    "TOOL_NOT_FOUND",
    "INVALID_PARAMETERS",
    "MISSING_PARAMETER",
    "SECRET_STORE_UNAVAILABLE",
    "STATE_UNAVAILABLE",
    "POLICY_DENIED",
    "APPROVAL_REQUIRED",
    "APPROVAL_DENIED",
    "EXECUTOR_NOT_FOUND",
    "EXECUTION_FAILED",
    "OUTCOME_UNKNOWN",
    "AUTH_REQUIRED",
    "AUTH_FAILED",
    "INSUFFICIENT_SCOPE",
    "BAD_REQUEST",
    "NOT_FOUND",
    "RATE_LIMITED",
    "UPSTREAM_UNAVAILABLE",
    "OUTBOUND_BLOCKED",
    "TIMEOUT",
    "ABORTED",
    "OUTPUT_INVALID",
    "OUTPUT_TOO_LARGE",
    "DEPENDENCY_MISSING",
]

_RETRYABLE = frozenset({"SECRET_STORE_UNAVAILABLE", "STATE_UNAVAILABLE", "RATE_LIMITED", "UPSTREAM_UNAVAILABLE", "TIMEOUT"})


class ToolkitError(Exception):
    """The error of a call, an option or a definition, with the same codes and details as in TypeScript.

    ``str(error)`` is the message: the failure, the expected value and the next step. Secrets are masked in it.
    """

    code: ErrorCode
    message: str
    #: Further members, such as ``tool``, ``status``, ``retryAfterMs`` or ``issues``, under the program's names.
    details: dict[str, Any]

    def __init__(self, code: ErrorCode, message: str, details: Mapping[str, Any] | None = None) -> None:
        # All three are arguments of the exception, so that it survives pickling.
        super().__init__(code, message, dict(details or {}))
        self.code = code
        self.message = message
        self.details = dict(details or {})

    @property
    def retryable(self) -> bool:
        """True when the same call may be repeated: the value in the details, else the default of the code."""
        return bool(self.details.get("retryable", self.code in _RETRYABLE))

    def copy(self) -> ToolkitError:
        """Returns the same error without its traceback."""
        return ToolkitError(self.code, self.message, self.details)

    def to_dict(self) -> dict[str, Any]:
        """Returns ``{code, message, retryable, **details}``."""
        return {"code": self.code, "message": self.message, "retryable": self.retryable, **self.details}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ToolkitError:
        """Restores the error from the result of ``to_dict``, here or in the program."""
        details = {name: value for name, value in data.items() if name not in ("code", "message", "retryable")}
        error = cls(data["code"], data["message"], details)
        if error.retryable == data.get("retryable", error.retryable):
            return error
        return cls(data["code"], data["message"], {**details, "retryable": data["retryable"]})

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"ToolkitError({self.code}: {self.message})"


# Tracebacks and pickles use the module that users import it from.
ToolkitError.__module__ = "toolkit"
