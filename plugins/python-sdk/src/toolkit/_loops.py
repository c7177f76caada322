"""Event loops for coroutine functions that the program calls."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable


class BackgroundLoop:
    """An event loop in a thread of its own, started at its first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def get(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_run, args=(self._loop,), name="toolkit-loop", daemon=True).start()
            return self._loop

    def stop(self) -> None:
        """Ends the loop and its thread, and cancels running tasks."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            loop.run_until_complete(asyncio.wait(tasks))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


#: Returns the event loop for coroutine functions.
GetLoop = Callable[[], asyncio.AbstractEventLoop]
