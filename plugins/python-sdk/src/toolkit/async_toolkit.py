"""The toolkit for asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Union

from . import _operations as operations
from ._operations import CallOptions, Operation, T
from ._options import toolkit_options
from ._session import Session
from ._threads import in_thread
from .errors import ToolkitError
from .methods import M, calling_method
from .options import StrPath, ToolkitOptions
from .results import AuthorizationUrl, Progress, Provider, Reloaded, Skill, ToolHit, ToolInfo

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .loggers import ToolkitLogger

OnProgress = Callable[[Progress], Union[object, Awaitable[object]]]


class AsyncToolkit:
    """``Toolkit`` for asyncio. Your coroutine functions run in the event loop that opened it. Cancelling a task that waits for a call cancels
    the call.
    """

    _session: Session

    def __init__(self, session: Session) -> None:
        self._session = session
        session.end_with(self)

    @classmethod
    async def init(cls, **options: Unpack[ToolkitOptions]) -> Self:
        """Starts the program and loads the tools. Logs and skips a broken definition.

        >>> async with await AsyncToolkit.init(tool_paths=["./tools"]) as toolkit:
        ...     await toolkit.execute("text_slugify", {"text": "Hello World"})
        {'slug': 'hello-world'}
        """
        loop = asyncio.get_running_loop()
        settings, functions, tools = toolkit_options(options)
        session = Session(settings, functions, tools, get_loop=lambda: loop)
        try:
            await wait(session, session.initialize())
        except BaseException:
            session.channel.abandon()
            raise
        return cls(session)

    async def execute(
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
        ``on_progress``, a function or a coroutine function, is called in this task while it waits; what it raises cancels the call.
        """
        options = CallOptions(credentials, caller, tenant, timeout, origin, approved, approval, traceparent)
        operation = operations.execute(name, params, options, on_progress is not None)
        return await wait(self._session, operation, on_progress)

    def tool(self, name: str) -> Callable[[M], M]:
        """Returns the decorator ``@toolkit.tool(name)``, which replaces a method of a class by a call of that tool with this toolkit."""
        return calling_method(name, self)

    async def list_tools(self, provider: str | None = None) -> list[ToolInfo]:
        """Returns every tool, or those of a provider, sorted by name."""
        return await wait(self._session, operations.list_tools(provider))

    async def get_tool(self, name: str) -> ToolInfo:
        """Returns one tool. Raises TOOL_NOT_FOUND."""
        return await wait(self._session, operations.get_tool(name))

    async def search_tools(self, query: str, limit: int = 10) -> list[ToolHit]:
        """Finds the tools that match the query, the best first."""
        return await wait(self._session, operations.search_tools(query, limit))

    async def list_skills(self) -> list[Skill]:
        """Returns all skills, without their texts."""
        return await wait(self._session, operations.list_skills())

    async def get_skill(self, name: str) -> Skill:
        """Returns one skill with its text."""
        return await wait(self._session, operations.get_skill(name))

    async def get_provider(self, name: str) -> Provider | None:
        """Returns a registered provider; None when there is none."""
        return await wait(self._session, operations.get_provider(name))

    async def get_all_providers(self) -> list[Provider]:
        return await wait(self._session, operations.get_all_providers())

    async def add_provider(self, name: str, definition: Mapping[str, Any]) -> None:
        """Registers a provider, or replaces one that was registered by this method. Raises TOOL_INVALID for an invalid one."""
        await wait(self._session, operations.add_provider(name, definition))

    async def load_provider(self, name: str) -> Provider:
        """Returns a provider: a registered one, else that of an installed package, which it registers with its tools."""
        return await wait(self._session, operations.load_provider(name))

    async def authorization_url(
        self, name: str, *, groups: Sequence[str] = (), scopes: Sequence[str] = (), state: str | None = None, redirect_uri: str | None = None
    ) -> AuthorizationUrl:
        """Returns the URL that a person opens to grant a provider's scopes. Your code exchanges the code and stores the tokens."""
        return await wait(self._session, operations.authorization_url(name, groups, scopes, state, redirect_uri))

    async def load_tools_from_directory(self, directory: StrPath) -> list[ToolInfo]:
        """Adds every tool and provider of a file or below a directory, and returns the tools."""
        return await wait(self._session, operations.load_tools(directory))

    async def add_tools(self, *functions: Any) -> list[str]:
        """Adds Python functions as tools and returns their names. Replaces a function of the same name."""
        tools = self._session.as_tools(functions)
        undo = self._session.use(tools)
        try:
            return await wait(self._session, operations.add_functions([tool.definition for tool in tools.values()]))
        except BaseException:
            undo()
            raise

    async def remove_tools(self, *names: str) -> None:
        """Removes Python functions by the names of their tools."""
        await wait(self._session, operations.remove_functions(names))
        self._session.forget(names)

    async def reload(self, code: bool = False) -> Reloaded:
        """Reads definitions, skills and the files of plugins again; with ``code`` the handlers of tools too."""
        return await wait(self._session, operations.reload(code))

    def get_logger(self) -> ToolkitLogger:
        """Returns the logger of this toolkit: the option ``logger``, else the global one, else one that writes to standard error."""
        return self._session.get_logger()

    async def close(self, drain: float = 0) -> None:
        """Cancels calls that still run after ``drain`` seconds, and ends the program. A second call does nothing."""
        if not self._session.channel.is_usable:
            return
        try:
            await wait(self._session, operations.close(drain))
        except ToolkitError:  # the program is gone already
            pass
        finally:
            self._session.channel.abandon()
        await in_thread(self._session.channel.end)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        await self.close()


async def wait(session: Session, operation: Operation[T], on_progress: OnProgress | None = None) -> T:
    """Waits for the result of an operation. An exception that interrupts the wait cancels the operation."""
    if on_progress is None:
        return operation.read(await asyncio.wrap_future(session.ask(operation)))
    loop = asyncio.get_running_loop()
    events: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    def notify(event: dict[str, Any] | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: no task waits
            loop.call_soon_threadsafe(events.put_nowait, event)

    future = session.ask(operation, notify)
    try:
        future.add_done_callback(lambda _: notify(None))
        while (event := await events.get()) is not None:
            result = on_progress(Progress(**event))
            if inspect.isawaitable(result):
                await result
        return operation.read(await asyncio.wrap_future(future))
    except BaseException:
        future.cancel()
        raise
