"""The place of a call in its trace, in functions of this process."""

from __future__ import annotations

import contextvars
import sys
import threading
from types import ModuleType
from typing import Any

import pytest

from toolkit._callbacks import Callbacks, HostFunctions
from toolkit.context import Context
from toolkit.functions import as_function_tool

TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


class Answers:
    """A channel that keeps the answers."""

    def __init__(self) -> None:
        self.replies: list[Any] = []
        self._replied = threading.Semaphore(0)

    def reply(self, _number: Any, result: Any) -> None:
        self.replies.append(result["output"])
        self._replied.release()

    def fail(self, _number: Any, error: BaseException) -> None:
        self.replies.append(error)
        self._replied.release()

    def wait(self) -> Any:
        self._replied.acquire()
        return self.replies[-1]


def run(function: Any, **more: Any) -> Any:
    """Returns the answer of a function that the program asks for."""
    made = as_function_tool(function)
    channel: Any = Answers()
    functions = HostFunctions(tools={made.name: made})
    request = {"name": made.name, "parameters": {}, "callId": "c1", "caller": "ann", **more}
    Callbacks(functions, lambda: pytest.fail("no coroutine runs")).request(channel, 1, "functions/run", request)
    return channel.wait()


class Propagator:
    def extract(self, carrier: dict[str, str]) -> Any:
        return carrier


@pytest.fixture
def active(monkeypatch: pytest.MonkeyPatch) -> contextvars.ContextVar[Any]:
    """As much of the package opentelemetry as is needed here, loaded. Returns its active context."""
    made: contextvars.ContextVar[Any] = contextvars.ContextVar("active", default=None)
    members: dict[str, dict[str, Any]] = {
        "opentelemetry": {},
        "opentelemetry.context": {"attach": made.set},
        "opentelemetry.trace": {},
        "opentelemetry.trace.propagation": {},
        "opentelemetry.trace.propagation.tracecontext": {"TraceContextTextMapPropagator": Propagator},
    }
    for name, values in members.items():
        module = ModuleType(name)
        module.__dict__.update({"__path__": [], **values})
        monkeypatch.setitem(sys.modules, name, module)
    return made


def test_it_is_in_the_context_of_a_function() -> None:
    def tell(context: Context) -> Any:
        """Tells it."""
        return context.traceparent

    assert run(tell, traceparent=TRACEPARENT) == TRACEPARENT
    assert run(tell) is None


def test_it_is_the_active_one_where_opentelemetry_is_loaded(active: contextvars.ContextVar[Any]) -> None:
    def tell() -> Any:
        """Tells the active one."""
        return active.get()

    assert run(tell, traceparent=TRACEPARENT) == {"traceparent": TRACEPARENT}
    assert run(tell) is None
    assert active.get() is None


def test_a_module_of_that_name_that_is_another_one_fails_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", ModuleType("opentelemetry"))

    def tell(context: Context) -> Any:
        """Tells it."""
        return context.traceparent

    assert run(tell, traceparent=TRACEPARENT) == TRACEPARENT
