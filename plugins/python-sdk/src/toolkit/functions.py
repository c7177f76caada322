"""``@tool``: Python functions as tools, and methods that call tools."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar, overload

from .errors import ToolkitError
from .function_tool import FunctionOptions, FunctionTool
from .methods import calling_method, is_method
from .results import Risk

__all__ = ["FunctionTool", "as_function_tool", "registered", "tool"]

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M", bound=Callable[..., Any])

_registered: dict[str, FunctionTool[..., Any]] = {}


@overload
def tool(function: Callable[P, R], /) -> FunctionTool[P, R]: ...


@overload
def tool(name: str, /) -> Callable[[M], M]: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    risk: Risk | None = None,
    requires_approval: bool | Mapping[str, Any] | None = None,
    tags: Sequence[str] = (),
    secrets: Sequence[str] = (),
    timeout: float | None = None,
    output_schema: Mapping[str, Any] | None = None,
    annotations: Mapping[str, Any] | None = None,
) -> Callable[[Callable[P, R]], FunctionTool[P, R]]: ...


def tool(given: Any = None, /, **options: Any) -> Any:
    """Makes a function a tool of every toolkit that is opened afterwards (``@tool`` or ``@tool(…)``), or makes a method of a class a call of a
    tool (``@tool("name")``).

    The signature of a function defines the parameters of the tool, and the docstring describes it. Plain functions and coroutine functions are
    allowed, nested ones too. A parameter with the annotation ``toolkit.Context`` gets the context of the call. Values have the types of the
    hints: a dataclass for the hint of a dataclass.

    ``name``: name of the tool; by default that of the function. ``description``: by default the docstring, without its sections. ``risk``: the
    possible damage of a wrong call, by default high. ``requires_approval``: True, or values of parameters that make a call need approval.
    ``secrets``: names of the secrets in ``Context.secrets``. ``timeout``: seconds. ``output_schema``: JSON Schema of the result; by default
    that of the hint. ``annotations``: those of MCP, such as ``{"readOnlyHint": True}``.

    Raises ToolkitError: TOOL_INVALID for a function that cannot be a tool, TOOL_DUPLICATE when another function has registered the name,
    CONFIG_INVALID for ``@tool("name")`` on anything but a method.
    """
    if isinstance(given, str):
        if options:
            raise ToolkitError(
                "CONFIG_INVALID",
                f'@tool("{given}", {next(iter(options))}=…) cannot be used: with a name alone it calls that tool. For a function that becomes a '
                f'tool, write @tool(name="{given}", …).',
            )
        return calling_method(given)
    if given is None:
        return lambda function: _register(function, FunctionOptions(**options))
    return _register(given, FunctionOptions())


def registered() -> tuple[FunctionTool[..., Any], ...]:
    """Returns the functions that ``@tool`` has registered, in that order."""
    return tuple(_registered.values())


def as_function_tool(value: Any) -> FunctionTool[..., Any]:
    """Makes a function a tool without registering it. Returns a FunctionTool unchanged. Raises ToolkitError TOOL_INVALID."""
    if isinstance(value, FunctionTool):
        return value
    if not inspect.isroutine(value):
        raise ToolkitError("TOOL_INVALID", f"A tool is made of a function, received {type(value).__name__}. Write a function with def, and give that.")
    return FunctionTool(value)


def _register(function: Any, options: FunctionOptions) -> FunctionTool[..., Any]:
    if isinstance(function, (staticmethod, classmethod)) or not inspect.isroutine(function):
        raise ToolkitError("TOOL_INVALID", f"@tool stands on a {type(function).__name__}, expected a function. Put it on a function.")
    if is_method(function):
        raise ToolkitError(
            "TOOL_INVALID",
            f'@tool stands on the method {function.__qualname__}, expected a function. To call a tool by the method, write @tool("name of the '
            f'tool"); to make a tool of it, add the method of an object: toolkit.add_tools(object.{function.__name__}).',
        )
    made: FunctionTool[..., Any] = FunctionTool(function, options, depth=3)
    before = _registered.get(made.name)
    if before is not None and _origin(before.function) != _origin(function):
        raise ToolkitError(
            "TOOL_DUPLICATE",
            f'The name "{made.name}" is taken by {".".join(_origin(before.function))}, and {".".join(_origin(function))} wants it too. '
            "Give one of them another: @tool(name=…).",
            {"tool": made.name},
        )
    # The same function again, as in a notebook or after a reload of its module, replaces the earlier one.
    _registered[made.name] = made
    return made


def _origin(function: Any) -> tuple[str, str]:
    return function.__module__, function.__qualname__
