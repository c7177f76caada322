"""Threads for code of the user that the program asks for."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future

_IDLE_SECONDS = 10


class DaemonThreads:
    """Runs functions in threads, in as many as are needed at the same time, and keeps a thread that has nothing to do for ten seconds.

    Unlike those of ``ThreadPoolExecutor`` they are daemons: a callback that waits for a person does not hold up the exit of the interpreter.
    There is no upper limit, since a function may call a tool that is a function again; the program limits how many calls run.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0

    def run(self, work: Callable[[], None]) -> None:
        """Runs ``work``, which must not raise, as soon as a thread can."""
        with self._lock:
            if self._idle > 0:
                self._idle -= 1
                self._work.put(work)
                return
        threading.Thread(target=self._serve, args=(work,), name=self._name, daemon=True).start()

    def _serve(self, work: Callable[[], None] | None) -> None:
        while work is not None:
            work()
            work = None  # what it holds is not kept while this thread is idle
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
            # Somebody counted on this thread in the meantime.
            return self._work.get()


threads = DaemonThreads("toolkit-work")


async def in_thread(work: Callable[[], None]) -> None:
    """Runs ``work`` in one of these threads and waits for it. Cancelling the wait leaves the work to end by itself."""
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
