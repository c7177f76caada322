"""Requests of the program to this process: approvals, secrets, functions, and log lines."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import queue
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._channel import Channel
from ._loops import GetLoop
from ._threads import threads
from ._trace import enter_trace
from .errors import ToolkitError
from ._function_call import FunctionCall

if TYPE_CHECKING:
    from .functions import FunctionTool
    from .loggers import ToolkitLogger


@dataclass
class HostFunctions:
    """The user's functions for one toolkit. None stands for a function that was not given."""

    on_hitl: Callable[[dict[str, Any]], Any] | None = None
    on_approval: Callable[..., Any] | None = None
    secrets: Callable[[list[str]], Any] | None = None
    credentials_of: Callable[[str], Any] | None = None
    logger: ToolkitLogger | None = None
    #: Python functions that are tools, by name.
    tools: dict[str, FunctionTool[..., Any]] = field(default_factory=dict)

    def names(self) -> list[str]:
        """Returns the names of the given functions, in the form of ``initialize``."""
        given = {
            "onHITL": self.on_hitl,
            "onApproval": self.on_approval,
            "resolveSecrets": self.secrets,
            "credentialsOf": self.credentials_of,
            "log": self.logger,
        }
        return [name for name, function in given.items() if function is not None]


class Callbacks:
    """Runs the user's functions for the program and sends their answers, in any order.

    Plain functions run in threads, coroutines in the loop of ``get_loop``. Both see the context variables of the code that opened the toolkit.
    """

    def __init__(self, functions: HostFunctions, get_loop: GetLoop, stop_loop: Callable[[], None] = lambda: None) -> None:
        self.functions = functions
        self._get_loop = get_loop
        self._stop_loop = stop_loop
        self._context = contextvars.copy_context()
        #: Running work by the number of the request.
        self._running: dict[Any, _Work] = {}
        self._log = _LogLines(functions.logger) if functions.logger is not None else None
        #: Called when a server ends by itself, and when the program ends.
        self.on_end: Callable[[], object] = lambda: None

    def request(self, channel: Channel, number: Any, method: str, parameters: dict[str, Any]) -> None:
        work = _Work(channel, number, self._get_loop, self._context.copy(), lambda: self._running.pop(number, None))
        self._running[number] = work
        threads.run(lambda: work.run(lambda: self._answer(channel, number, method, parameters, work)))

    def notification(self, method: str, parameters: dict[str, Any]) -> None:
        if method == "callback/log" and self._log is not None:
            self._log.add(parameters)
        elif method == "$/cancel":
            work = self._running.get(parameters["id"])
            if work is not None:
                work.cancel()
        elif method == "server/ended":
            self.on_end()

    def ended(self) -> None:
        for work in list(self._running.values()):
            work.cancel()
        if self._log is not None:
            self._log.end()
        self._stop_loop()
        self.on_end()

    def _answer(self, channel: Channel, number: Any, method: str, request: dict[str, Any], work: _Work) -> Any:
        """Returns the answer to a request, or an awaitable of it."""
        functions = self.functions
        if method == "functions/run":
            tool = functions.tools.get(request["name"])
            if tool is None:
                raise ToolkitError("TOOL_NOT_FOUND", f'The function "{request["name"]}" is not here any more.')
            context = FunctionCall(
                call_id=request["callId"],
                caller=request["caller"],
                secrets=dict(request.get("secrets", {})),
                output_budget=request.get("output", {}).get("budget"),
                traceparent=request.get("traceparent"),
                _notify_progress=lambda progress: channel.notify("$/progress", {"id": number, **progress}),
                _mask=lambda secret: channel.notify("$/mask", {"id": number, **secret}),
                _cancelled=work.cancelled,
            )
            enter_trace(context.traceparent)
            return _then(tool.run(request["parameters"], context), lambda output: {"output": output})
        if method == "callback/onHITL" and functions.on_hitl is not None:
            return _then(functions.on_hitl(request["request"]), lambda approved: {"approved": approved is True})
        if method == "callback/onApproval" and functions.on_approval is not None:
            token = {"token": request["token"]} if "token" in request else {}
            return _then(functions.on_approval({**request["request"], **token}), _verdict)
        if method == "callback/resolveSecrets" and functions.secrets is not None:
            names = list(request["names"])
            return _then(functions.secrets(names), lambda values: {"secrets": _values_of(values, names)})
        if method == "callback/credentialsOf" and functions.credentials_of is not None:
            return _then(functions.credentials_of(request["caller"]), lambda credentials: {"credentials": credentials})
        raise ToolkitError("EXECUTION_FAILED", f'The program asks for "{method}", which this package does not know.')


class _Work:
    """One request of the program that was not answered yet."""

    def __init__(self, channel: Channel, number: Any, get_loop: GetLoop, context: contextvars.Context, done: Callable[[], object]) -> None:
        self._channel = channel
        self._number = number
        self._get_loop = get_loop
        self._context = context
        self._done = done
        self._task: asyncio.Task[None] | None = None
        #: Set when the caller no longer waits for the answer.
        self.cancelled = threading.Event()

    def run(self, function: Callable[[], Any]) -> None:
        try:
            result = self._context.run(function)
            if not inspect.isawaitable(result):
                self._reply(result)
                return
            try:
                loop = self._get_loop()
                loop.call_soon_threadsafe(self._start, loop, result, context=self._context)
            except BaseException:
                if inspect.iscoroutine(result):
                    result.close()
                raise
        except BaseException as error:  # also SystemExit, which must end this answer only, not the thread
            self._fail(error)

    def cancel(self) -> None:
        """Cancels the work: a coroutine gets CancelledError, a plain function sees it in its context."""
        self.cancelled.set()
        task = self._task
        if task is not None:
            try:
                task.get_loop().call_soon_threadsafe(task.cancel)
            except RuntimeError:  # the loop is closed, and the task with it
                pass

    def _start(self, loop: asyncio.AbstractEventLoop, result: Awaitable[Any]) -> None:
        self._task = loop.create_task(self._finish(result))
        if self.cancelled.is_set():
            self._task.cancel()

    async def _finish(self, result: Awaitable[Any]) -> None:
        try:
            self._reply(await result)
        except asyncio.CancelledError:
            self._fail(ToolkitError("ABORTED", "It was cancelled."))
            raise
        except BaseException as error:
            self._fail(error)

    def _reply(self, result: Any) -> None:
        self._done()
        self._channel.reply(self._number, result)

    def _fail(self, error: BaseException) -> None:
        self._done()
        self._channel.fail(self._number, error)


class _LogLines:
    """Passes records to a logger in a thread of its own, so that a logger that is slow or calls a tool blocks nothing."""

    def __init__(self, logger: ToolkitLogger) -> None:
        self._logger = logger
        self._records: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="toolkit-log", daemon=True)
        self._thread.start()

    def add(self, record: dict[str, Any]) -> None:
        self._records.put(record)

    def end(self) -> None:
        """Waits at most a second until the logger has all records."""
        self._records.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join(1)

    def _work(self) -> None:
        while (record := self._records.get()) is not None:
            method = getattr(self._logger, record["level"], self._logger.info)
            try:
                method(record["message"], record.get("meta"))
            except Exception:
                # Later records must still be logged.
                pass


def _then(result: Any, change: Callable[[Any], Any]) -> Any:
    """Returns ``change`` of the result, or an awaitable of it when the result is awaitable."""
    return _change_later(result, change) if inspect.isawaitable(result) else change(result)


async def _change_later(result: Awaitable[Any], change: Callable[[Any], Any]) -> Any:
    return change(await result)


def _verdict(approved: Any) -> dict[str, Any]:
    """Returns the verdict: None leaves it undecided, and anything but True refuses."""
    return {"approved": None if approved is None else approved is True}


def _values_of(values: Any, names: list[str]) -> dict[str, str]:
    """Returns the known values of the requested names. An error shows no value."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise ToolkitError("SECRET_STORE_UNAVAILABLE", f"secret_resolver returned a {type(values).__name__}. Return a dict of names to strings.")
    known = {name: values[name] for name in names if values.get(name) is not None}
    invalid = [name for name, value in known.items() if not isinstance(value, str)]
    if invalid:
        raise ToolkitError("SECRET_STORE_UNAVAILABLE", f"secret_resolver returned no string for {', '.join(invalid)}. Return strings.")
    return known
