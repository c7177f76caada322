"""An MCP server in a Python program."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _operations as operations
from ._loops import BackgroundLoop
from ._operations import StartedServer
from ._options import server_options
from ._session import Session
from .errors import ToolkitError
from .options import MCPServerOptions
from .toolkit import wait

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class MCPServer:
    """An MCP server with the tools of this project and of this process: Streamable HTTP with a bearer token, or stdio.

    Over stdio the program uses this process's standard input and output: no other code may read or write them until it has ended.
    On Windows use ``python -m toolkit mcp`` instead.

    >>> with MCPServer(transport="http", port=0) as server:
    ...     print(server.url, server.get_active_token())
    """

    def __init__(self, **options: Unpack[MCPServerOptions]) -> None:
        self._settings, self._functions, self._tools = server_options(options)
        self._is_stdio = self._settings.get("transport", "stdio") == "stdio"
        self._session: Session | None = None
        self._started: StartedServer | None = None
        self._ended = threading.Event()

    def start(self) -> None:
        """Loads the tools and starts the transport; returns when it accepts requests. Raises ToolkitError, for example for a port in use."""
        if self._session is not None:
            raise ToolkitError("CONFIG_INVALID", "This server has been started before. Make another one for another start.")
        loop = BackgroundLoop()
        # The server has the tools; the toolkit of the session needs none.
        shared: dict[str, Any] = {name: self._settings[name] for name in ("cwd", "logLevel", "logFormat") if name in self._settings}
        session = Session(
            {**shared, "includeCore": False, "autoDiscover": False},
            self._functions,
            self._tools,
            get_loop=loop.get,
            stop_loop=loop.stop,
            gives_stdio=self._is_stdio,
        )
        self._session = session
        session.callbacks.on_end = self._ended.set
        session.end_with(self)
        try:
            wait(session, session.initialize())
            self._started = wait(session, operations.start_server({"includeCore": True, "autoDiscover": True, **self._settings}))
        except BaseException:
            session.channel.end()
            raise

    def stop(self) -> None:
        """Ends the transport, running calls (after ``drain_ms``) and the program. A second call does nothing."""
        session, started = self._session, self._started
        if session is None or not session.channel.is_usable:
            return
        try:
            if started is not None:
                wait(session, operations.stop_server(started.id))
            wait(session, operations.close(0))
        except ToolkitError:  # the program is gone already
            pass
        finally:
            session.channel.end()

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until the server ends by itself, as over stdio when its client disconnects. Returns False after ``timeout`` seconds."""
        return self._ended.wait(timeout)

    def get_active_token(self) -> str | None:
        """Returns the current bearer token; None over stdio and before ``start``."""
        return None if self._started is None else self._started.token

    @property
    def url(self) -> str | None:
        """The URL of the endpoint; None over stdio and before ``start``."""
        return None if self._started is None else self._started.url

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.stop()


def create_mcp_server(**options: Unpack[MCPServerOptions]) -> MCPServer:
    """Creates a server and starts it; by default over stdio, with every tool. Raises ToolkitError."""
    server = MCPServer(**options)
    server.start()
    return server
