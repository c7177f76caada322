"""Threads for functions of the user that the program calls."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future

_IDLE_SECONDS = 10


class DaemonThreads:
    """Runs functions in as many threads as are needed at the same time. An idle thread ends after ten seconds.

    Unlike those of ``ThreadPoolExecutor`` they are daemons: a callback that waits for a person does not block the exit of the interpreter.
    Their number has no limit, because a function may call a tool that is a function too; the program limits the number of calls.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0

    def run(self, work: Callable[[], None]) -> None:
        """Runs ``work`` in an idle thread or a new one. It must not raise."""
        with self._lock:
            if self._idle > 0:
                self._idle -= 1
                self._work.put(work)
                return
        threading.Thread(target=self._serve, args=(work,), name=self._name, daemon=True).start()

    def _serve(self, work: Callable[[], None] | None) -> None:
        while work is not None:
            work()
            work = None  # an idle thread must not keep its objects alive
            work = self._next()

    def _next(self) -> Callable[[], None] | None:
        with self._lock:
            self._idle += 1
        try:
            return self._work.get(timeout=_IDLE_SECONDS)
        except queue.Empty:
            with self._lock:
                if self._idle > 0:
                    self._idle -= 1
                    return None
            # ``run`` has reserved this thread meanwhile.
            return self._work.get()


threads = DaemonThreads("toolkit-work")


async def in_thread(work: Callable[[], None]) -> None:
    """Runs ``work`` in one of these threads and waits for it. Cancelling the wait does not stop the work."""
    future: Future[None] = Future()

    def settle() -> None:
        try:
            work()
        except BaseException as error:
            failed: BaseException | None = error
        else:
            failed = None
        if not future.set_running_or_notify_cancel():
            return
        if failed is None:
            future.set_result(None)
        else:
            future.set_exception(failed)

    threads.run(settle)
    await asyncio.wrap_future(future)
