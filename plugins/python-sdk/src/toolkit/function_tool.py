"""A Python function that is a tool."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar

from ._docstring import parse_docstring
from ._hints import local_names
from ._plain_json import plain_json
from ._shape import HintError, Misfit
from ._signature import read_signature
from .context import CallSource, Context
from .errors import ToolkitError
from .results import Risk

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class FunctionOptions:
    """The options of ``@tool(…)``. ``tool`` describes them."""

    name: str | None = None
    description: str | None = None
    risk: Risk | None = None
    requires_approval: bool | Mapping[str, Any] | None = None
    tags: Sequence[str] = ()
    secrets: Sequence[str] = ()
    timeout: float | None = None
    output_schema: Mapping[str, Any] | None = None
    annotations: Mapping[str, Any] | None = None


class FunctionTool(Generic[P, R]):
    """A function as a tool. Calling the object calls the plain function, without checks and approvals."""

    #: The definition for the program: name, description, ``input_schema``, ``execution: {type: client}`` and the options.
    definition: dict[str, Any]

    def __init__(self, function: Callable[P, R], options: FunctionOptions = FunctionOptions(), depth: int = 2) -> None:
        """``depth`` is the number of frames up to the code whose local types the hints may name. Raises ToolkitError TOOL_INVALID."""
        self.function = function
        name = str(options.name or getattr(function, "__name__", ""))
        self.name = name
        try:
            self.definition = self._define(options, local_names(depth + 1, getattr(inspect.unwrap(function), "__code__", None)))
        except HintError as error:
            raise _refused(name, str(error)) from error
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<tool {self.name}>"

    def run(self, parameters: Mapping[str, Any], call: CallSource) -> Any:
        """Runs the function with parameters as JSON. Returns its output as JSON, or an awaitable of it.

        Raises ToolkitError INVALID_PARAMETERS for values that do not fit the hints, OUTPUT_INVALID for a result that JSON cannot hold, and
        the exceptions of the function.
        """
        try:
            arguments = self._signature.arguments(parameters, Context(call))
        except Misfit as misfit:
            where = f"{misfit.path}: " if misfit.path else ""
            issues = [{"path": misfit.path, "message": misfit.message}]
            raise ToolkitError(
                "INVALID_PARAMETERS", f'The parameters of "{self.name}" are wrong: {where}{misfit.message}.', {"tool": self.name, "issues": issues}
            ) from misfit
        result: Any = self.function(*arguments.args, **arguments.kwargs)
        return self._await_output(result) if inspect.isawaitable(result) else self._output(result)

    async def _await_output(self, result: Awaitable[Any]) -> Any:
        return self._output(await result)

    def _output(self, result: Any) -> Any:
        try:
            return plain_json(result)
        except (TypeError, ValueError, RecursionError) as error:
            raise ToolkitError(
                "OUTPUT_INVALID",
                f'The function "{self.name}" returned a value that JSON cannot hold: {error}. Return dicts, lists, texts, numbers, dataclasses and the like.',
                {"tool": self.name},
            ) from error

    def _define(self, options: FunctionOptions, names: Mapping[str, Any]) -> dict[str, Any]:
        function, name = self.function, self.name
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise HintError("the function", "a yield in it, and a tool has one result", "Return a list, and tell how far it is with Context.progress.")
        if re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) is None:
            raise HintError("the function", f'the name "{name}"', "Give one of 1 to 64 letters, digits, - and _: @tool(name=…).")
        if options.risk not in (None, "low", "medium", "high"):
            raise HintError("the function", f"the risk {options.risk!r}", "Give low, medium or high.")
        if options.timeout is not None and not options.timeout > 0:
            raise HintError("the function", f"the timeout {options.timeout!r}", "Give seconds, more than 0.")
        doc = parse_docstring(inspect.getdoc(function))
        description = options.description or doc.description
        if not description:
            raise HintError("the function", "no description, by which a model chooses it", "Write a docstring, or @tool(description=…).")
        output_schema = None if options.output_schema is None else dict(options.output_schema)
        self._signature = read_signature(function, doc, names, output_schema)
        execution: dict[str, Any] = {"type": "client"}
        if options.timeout is not None:
            execution["timeout_ms"] = max(1, round(options.timeout * 1000))
        optional = {
            "output_schema": self._signature.output_schema,
            "risk": options.risk,
            "requires_approval": options.requires_approval,
            "tags": list(options.tags) or None,
            "secrets": list(options.secrets) or None,
            "annotations": None if options.annotations is None else dict(options.annotations),
        }
        return {
            "name": name,
            "description": description,
            "input_schema": self._signature.input_schema,
            **{key: value for key, value in optional.items() if value is not None},
            "execution": execution,
        }


def _refused(name: str, problem: str) -> ToolkitError:
    return ToolkitError("TOOL_INVALID", f'The function "{name}" cannot be a tool: {problem}', {"tool": name})
