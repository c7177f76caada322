"""One running program with its options and functions, for toolkits and servers, sync and async."""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import Any

from ._callbacks import Callbacks, HostFunctions
from ._channel import Channel, OnProgress
from ._loops import GetLoop
from ._operations import Operation, T
from ._process import start_program
from ._program import find_program
from ._version import __version__
from .errors import ToolkitError
from .function_tool import FunctionTool
from .functions import as_function_tool, registered
from .loggers import StreamLogger, ToolkitLogger

_PROTOCOL = 1


class Session:
    """Starts the program. Its first request must be ``initialize``."""

    def __init__(
        self,
        options: Mapping[str, Any],
        functions: HostFunctions,
        tools: Iterable[Any],
        *,
        get_loop: GetLoop,
        stop_loop: Callable[[], None] = lambda: None,
        gives_stdio: bool = False,
    ) -> None:
        self._options = options
        self._functions = functions
        for one in [*registered(), *tools]:
            tool = as_function_tool(one)
            functions.tools[tool.definition["name"]] = tool
        self.callbacks = Callbacks(functions, get_loop, stop_loop)
        self.channel = Channel(start_program(program_environment(), gives_stdio), self.callbacks)

    def get_logger(self) -> ToolkitLogger:
        """Returns the given logger, else a built-in one with the level and format of the options. It masks no secrets."""
        return self._functions.logger or StreamLogger(self._options.get("logLevel"), self._options.get("logFormat"))

    def initialize(self) -> Operation[None]:
        request = {
            "protocol": _PROTOCOL,
            "client": {"name": "toolkit-core (Python)", "version": __version__},
            "options": self._options,
            "callbacks": self._functions.names(),
            "functions": [tool.definition for tool in self._functions.tools.values()],
        }
        return Operation("initialize", request, _check_version)

    def ask(self, operation: Operation[T], on_progress: OnProgress | None = None) -> Future[Any]:
        return self.channel.request(operation.method, operation.parameters, on_progress)

    def as_tools(self, functions: Iterable[Any]) -> dict[str, FunctionTool[..., Any]]:
        """Converts Python functions to tools, by name."""
        tools = [as_function_tool(one) for one in functions]
        return {tool.definition["name"]: tool for tool in tools}

    def use(self, tools: Mapping[str, FunctionTool[..., Any]]) -> Callable[[], None]:
        """Registers tools that the program may call. Returns a function that undoes it."""
        before = self._functions.tools
        after = {**before, **tools}
        self._functions.tools = after

        def undo() -> None:
            if self._functions.tools is after:
                self._functions.tools = before

        return undo

    def forget(self, names: Iterable[str]) -> None:
        removed = set(names)
        self._functions.tools = {name: tool for name, tool in self._functions.tools.items() if name not in removed}

    def end_with(self, owner: object) -> None:
        """Ends the program when ``owner`` is garbage-collected."""
        weakref.finalize(owner, self.channel.abandon).atexit = False


def _check_version(result: dict[str, Any]) -> None:
    version = result["program"]["version"]
    if version == __version__:
        return
    raise ToolkitError(
        "CONFIG_INVALID",
        f'This is toolkit-core {__version__} (Python), and the program "{find_program()}" is @toolkit/core {version}. Both must be the same'
        " version: install the other one of one of them, or unset TOOLKIT_PROGRAM.",
    )


def program_environment() -> dict[str, str]:
    """Returns the environment of this process, with VIRTUAL_ENV, so that the program finds the packages of a virtual environment."""
    environment = dict(os.environ)
    if sys.prefix != sys.base_prefix:
        environment.setdefault("VIRTUAL_ENV", sys.prefix)
    return environment
