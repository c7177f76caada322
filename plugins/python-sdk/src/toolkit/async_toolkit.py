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
    """``Toolkit`` for asyncio. Coroutine functions that it is given run in the loop in which it was made; cancelling a task that waits for a
    call cancels the call.
    """

    _session: Session

    def __init__(self, session: Session) -> None:
        self._session = session
        session.end_with(self)

    @classmethod
    async def init(cls, **options: Unpack[ToolkitOptions]) -> Self:
        """Starts the program and loads the tools. A definition that is broken is logged and left out.

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
        on_progress: OnProgress | None = None,
    ) -> Any:
        """Runs a tool and returns its output, as JSON has it.

        ``credentials`` win over the secret chain, for this call alone. ``timeout`` is in seconds; it ends the call with TIMEOUT.
        ``origin``: ``model`` for what a model asks, which may need approval; ``approved`` (a person has said yes) and ``approval`` (the token of a
        yes) count only there.
        ``on_progress``, a function or a coroutine function, is called in this task while it waits; what it raises cancels the call.
        """
        options = CallOptions(credentials, caller, tenant, timeout, origin, approved, approval)
        asked = operations.execute(name, params, options, on_progress is not None)
        return await wait(self._session, asked, on_progress)

    def tool(self, name: str) -> Callable[[M], M]:
        """The decorator ``@toolkit.tool(name)``: replaces a method of a class with a call of that tool by this toolkit."""
        return calling_method(name, self)

    async def list_tools(self, provider: str | None = None) -> list[ToolInfo]:
        """Every tool, or those of a provider, by name."""
        return await wait(self._session, operations.list_tools(provider))

    async def get_tool(self, name: str) -> ToolInfo:
        """One tool. Raises TOOL_NOT_FOUND."""
        return await wait(self._session, operations.get_tool(name))

    async def search_tools(self, query: str, limit: int = 10) -> list[ToolHit]:
        """Tools for what the words say, the best first."""
        return await wait(self._session, operations.search_tools(query, limit))

    async def list_skills(self) -> list[Skill]:
        """All skills, without their texts."""
        return await wait(self._session, operations.list_skills())

    async def get_skill(self, name: str) -> Skill:
        """One skill with its text."""
        return await wait(self._session, operations.get_skill(name))

    async def get_provider(self, name: str) -> Provider | None:
        """A provider that is registered; None when there is none."""
        return await wait(self._session, operations.get_provider(name))

    async def get_all_providers(self) -> list[Provider]:
        return await wait(self._session, operations.get_all_providers())

    async def add_provider(self, name: str, definition: Mapping[str, Any]) -> None:
        """Registers a provider, or replaces the one that was registered here. Raises TOOL_INVALID for one that is refused."""
        await wait(self._session, operations.add_provider(name, definition))

    async def load_provider(self, name: str) -> Provider:
        """A provider by name: a registered one, else that of an installed package, which is registered with its tools."""
        return await wait(self._session, operations.load_provider(name))

    async def authorization_url(
        self, name: str, *, groups: Sequence[str] = (), scopes: Sequence[str] = (), state: str | None = None, redirect_uri: str | None = None
    ) -> AuthorizationUrl:
        """The URL that a person opens to grant a provider's scopes. Exchanging the code, and keeping the tokens, is up to you."""
        return await wait(self._session, operations.authorization_url(name, groups, scopes, state, redirect_uri))

    async def load_tools_from_directory(self, directory: StrPath) -> list[ToolInfo]:
        """Adds every tool and provider below a directory, or a file, and returns its tools."""
        return await wait(self._session, operations.load_tools(directory))

    async def add_tools(self, *functions: Any) -> list[str]:
        """Makes Python functions tools of this toolkit, and returns their names. One of the same name is replaced."""
        tools = self._session.taken(functions)
        take_back = self._session.use(tools)
        try:
            return await wait(self._session, operations.add_functions([tool.definition for tool in tools.values()]))
        except BaseException:
            take_back()
            raise

    async def remove_tools(self, *names: str) -> None:
        """Takes Python functions back, by the names of their tools."""
        await wait(self._session, operations.remove_functions(names))
        self._session.forget(names)

    async def reload(self, code: bool = False) -> Reloaded:
        """Reads definitions, skills and what plugins have of files again; with ``code`` the handlers of tools too."""
        return await wait(self._session, operations.reload(code))

    def get_logger(self) -> ToolkitLogger:
        """The logger of this toolkit: the option ``logger``, the global one, else one that writes to standard error."""
        return self._session.get_logger()

    async def close(self, drain: float = 0) -> None:
        """Ends calls that still run after ``drain`` seconds, and everything that was started. The second time it does nothing."""
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
    """The result of an operation. Whatever interrupts the wait cancels it."""
    if on_progress is None:
        return operation.read(await asyncio.wrap_future(session.ask(operation)))
    loop = asyncio.get_running_loop()
    events: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    def tell(event: dict[str, Any] | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(events.put_nowait, event)

    future = session.ask(operation, tell)
    try:
        future.add_done_callback(lambda _: tell(None))
        while (event := await events.get()) is not None:
            told = on_progress(Progress(**event))
            if inspect.isawaitable(told):
                await told
        return operation.read(await asyncio.wrap_future(future))
    except BaseException:
        future.cancel()
        raise
