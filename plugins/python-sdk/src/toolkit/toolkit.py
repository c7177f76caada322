"""The toolkit for synchronous code."""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Union

from . import _operations as operations
from ._channel import Channel
from ._loops import BackgroundLoop
from ._operations import CallOptions, Operation, T
from ._options import toolkit_options
from ._session import Session
from .errors import ToolkitError
from .methods import M, calling_method
from .options import StrPath, ToolkitOptions
from .results import AuthorizationUrl, Progress, Provider, Reloaded, Skill, ToolHit, ToolInfo

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .loggers import ToolkitLogger

OnProgress = Callable[[Progress], object]


class Toolkit:
    """The tools in your own program. ``Toolkit.init`` opens it; all threads of the process may use it, a fork must open its own.

    Every method raises ToolkitError.
    """

    _session: Session

    def __init__(self, session: Session) -> None:
        self._session = session
        session.end_with(self)

    @classmethod
    def init(cls, **options: Unpack[ToolkitOptions]) -> Self:
        """Starts the program and loads the tools. Logs and skips a broken definition.

        >>> with Toolkit.init(tool_paths=["./tools"]) as toolkit:
        ...     toolkit.execute("text_slugify", {"text": "Hello World"})
        {'slug': 'hello-world'}
        """
        loop = BackgroundLoop()
        settings, functions, tools = toolkit_options(options)
        session = Session(settings, functions, tools, get_loop=loop.get, stop_loop=loop.stop)
        try:
            wait(session, session.initialize())
        except BaseException:
            session.channel.end()
            raise
        return cls(session)

    def execute(
        self,
        name: str,
        params: Mapping[str, Any] | None = None,
        *,
        credentials: Mapping[str, str] | None = None,
        caller: str | None = None,
        tenant: str | None = None,
        timeout: float | None = None,
        origin: Literal["host", "model"] = "host",
        approved: bool | None = None,
        approval: str | None = None,
        traceparent: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> Any:
        """Runs a tool and returns its output as JSON values.

        ``credentials`` override the secret chain for this call. ``timeout`` is in seconds; it ends the call with TIMEOUT.
        ``origin``: ``model`` for a call of a model, which may need approval. Only there ``approved`` (a person has approved) and ``approval`` (the
        token of an approval) count.
        ``traceparent``: the place of this program in a trace (W3C Trace Context), which the call continues where the toolkit is traced.
        ``on_progress`` is called in this thread; an exception in it cancels the call, and so does KeyboardInterrupt.
        """
        options = CallOptions(credentials, caller, tenant, timeout, origin, approved, approval, traceparent)
        operation = operations.execute(name, params, options, on_progress is not None)
        return wait(self._session, operation, on_progress)

    def tool(self, name: str) -> Callable[[M], M]:
        """Returns the decorator ``@toolkit.tool(name)``, which replaces a method of a class by a call of that tool with this toolkit."""
        return calling_method(name, self)

    def list_tools(self, provider: str | None = None) -> list[ToolInfo]:
        """Returns every tool, or those of a provider, sorted by name."""
        return wait(self._session, operations.list_tools(provider))

    def get_tool(self, name: str) -> ToolInfo:
        """Returns one tool. Raises TOOL_NOT_FOUND."""
        return wait(self._session, operations.get_tool(name))

    def search_tools(self, query: str, limit: int = 10) -> list[ToolHit]:
        """Finds the tools that match the query, the best first."""
        return wait(self._session, operations.search_tools(query, limit))

    def list_skills(self) -> list[Skill]:
        """Returns all skills, without their texts."""
        return wait(self._session, operations.list_skills())

    def get_skill(self, name: str) -> Skill:
        """Returns one skill with its text."""
        return wait(self._session, operations.get_skill(name))

    def get_provider(self, name: str) -> Provider | None:
        """Returns a registered provider; None when there is none."""
        return wait(self._session, operations.get_provider(name))

    def get_all_providers(self) -> list[Provider]:
        return wait(self._session, operations.get_all_providers())

    def add_provider(self, name: str, definition: Mapping[str, Any]) -> None:
        """Registers a provider, or replaces one that was registered by this method. Raises TOOL_INVALID for an invalid one."""
        wait(self._session, operations.add_provider(name, definition))

    def load_provider(self, name: str) -> Provider:
        """Returns a provider: a registered one, else that of an installed package, which it registers with its tools."""
        return wait(self._session, operations.load_provider(name))

    def authorization_url(
        self, name: str, *, groups: Sequence[str] = (), scopes: Sequence[str] = (), state: str | None = None, redirect_uri: str | None = None
    ) -> AuthorizationUrl:
        """Returns the URL that a person opens to grant a provider's scopes. Your code exchanges the code and stores the tokens."""
        return wait(self._session, operations.authorization_url(name, groups, scopes, state, redirect_uri))

    def load_tools_from_directory(self, directory: StrPath) -> list[ToolInfo]:
        """Adds every tool and provider of a file or below a directory, and returns the tools."""
        return wait(self._session, operations.load_tools(directory))

    def add_tools(self, *functions: Any) -> list[str]:
        """Adds Python functions as tools and returns their names. Replaces a function of the same name."""
        tools = self._session.as_tools(functions)
        undo = self._session.use(tools)
        try:
            return wait(self._session, operations.add_functions([tool.definition for tool in tools.values()]))
        except BaseException:
            undo()
            raise

    def remove_tools(self, *names: str) -> None:
        """Removes Python functions by the names of their tools."""
        wait(self._session, operations.remove_functions(names))
        self._session.forget(names)

    def reload(self, code: bool = False) -> Reloaded:
        """Reads definitions, skills and the files of plugins again; with ``code`` the handlers of tools too."""
        return wait(self._session, operations.reload(code))

    def get_logger(self) -> ToolkitLogger:
        """Returns the logger of this toolkit: the option ``logger``, else the global one, else one that writes to standard error."""
        return self._session.get_logger()

    def close(self, drain: float = 0) -> None:
        """Cancels calls that still run after ``drain`` seconds, and ends the program. A second call does nothing."""
        if not self._session.channel.is_usable:
            return
        try:
            wait(self._session, operations.close(drain))
        except ToolkitError:  # the program is gone already
            pass
        finally:
            self._session.channel.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


def wait(session: Session, operation: Operation[T], on_progress: OnProgress | None = None) -> T:
    """Waits for the result of an operation. An exception that interrupts the wait cancels the operation."""
    events: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
    future = session.ask(operation, None if on_progress is None else events.put)
    try:
        if on_progress is not None:
            future.add_done_callback(lambda _: events.put(None))
            while (event := events.get()) is not None:
                on_progress(Progress(**event))
        return operation.read(_result(future))
    except BaseException:
        future.cancel()
        raise


def _result(future: Future[Any]) -> Any:
    if sys.platform != "win32":
        return future.result()
    while True:  # there Ctrl-C does not end the wait for a lock
        try:
            return future.result(0.1)
        except FutureTimeout:
            if future.done():
                raise
