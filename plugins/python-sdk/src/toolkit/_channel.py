"""JSON-RPC 2.0 with the program in both directions, one message a line."""

from __future__ import annotations

import atexit
import itertools
import json
import os
import queue
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, Protocol

from ._json import encode_line
from ._process import ProgramProcess
from .errors import ToolkitError

#: Seconds that the program has to end after its input was closed. Then it is killed.
END_SECONDS = 5.0

OnProgress = Callable[[dict[str, Any]], None]


class MessageHandler(Protocol):
    """Handler of the program's messages. Its methods are called in the reader thread and must not block."""

    def request(self, channel: Channel, number: Any, method: str, parameters: dict[str, Any]) -> None: ...

    def notification(self, method: str, parameters: dict[str, Any]) -> None: ...

    def ended(self) -> None: ...


class Channel:
    """The connection to one running program. All threads of the process that opened it may use it.

    Messages go through a queue to a writer thread: a KeyboardInterrupt cannot cut one in half, an event loop never waits for a full pipe,
    and the garbage collector may end a channel in any thread. Another thread reads.
    """

    def __init__(self, program: ProgramProcess, handler: MessageHandler) -> None:
        self._program = program
        self._handler = handler
        self._pid = os.getpid()
        self._ids = itertools.count(1)
        self._waiting: dict[int, tuple[Future[Any], OnProgress | None]] = {}
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        #: The error of every later request, once the program has ended.
        self._end: ToolkitError | None = None
        self._is_closing = False
        self._writer = threading.Thread(target=self._write, name="toolkit-write", daemon=True)
        self._reader = threading.Thread(target=self._read, name="toolkit-read", daemon=True)
        _live.add(self)
        self._writer.start()
        self._reader.start()

    @property
    def is_usable(self) -> bool:
        """True when requests are possible: the channel is open, the program runs, and this process is no fork of the one that opened it."""
        return self._end is None and not self._is_closing and os.getpid() == self._pid

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._program.process.pid

    def request(self, method: str, parameters: dict[str, Any], on_progress: OnProgress | None = None) -> Future[Any]:
        """Sends a request to the program. Cancelling the future cancels the work there. Raises ToolkitError when the channel is not usable.

        ``on_progress`` is called in the reader thread, before the future is done.
        """
        self._check()
        number = next(self._ids)
        line = encode_line(
            {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters},
            f'What "{parameters["name"]}" is called with' if method == "tools/call" else f"What {method} is asked with",
        )
        future: Future[Any] = Future()
        self._waiting[number] = (future, on_progress)
        future.add_done_callback(partial(self._forget, number))
        self._outbox.put(line)
        if self._end is not None:
            self._fail_waiting(self._end)  # the program ended after the check
        return future

    def reply(self, number: Any, result: Any) -> None:
        """Answers a request of the program. A result that is no JSON becomes an error."""
        try:
            self._outbox.put(encode_line({"jsonrpc": "2.0", "id": number, "result": result}, "What was returned"))
        except ToolkitError as error:
            self.fail(number, ToolkitError("OUTPUT_INVALID", error.message))

    def fail(self, number: Any, error: BaseException) -> None:
        """Answers a request of the program with an error."""
        data: dict[str, Any] = {"code": -32000, "message": str(error) or type(error).__name__}
        if isinstance(error, ToolkitError):
            data["data"] = error.to_dict()
        try:
            line = encode_line({"jsonrpc": "2.0", "id": number, "error": data}, "The error")
        except ToolkitError:  # details of the user are no JSON
            del data["data"]
            line = encode_line({"jsonrpc": "2.0", "id": number, "error": data}, "The error")
        self._outbox.put(line)

    def notify(self, method: str, parameters: dict[str, Any]) -> None:
        """Sends a notification to the program. Has no effect when it has ended."""
        self._outbox.put(encode_line({"jsonrpc": "2.0", "method": method, "params": parameters}, f"What {method} tells"))

    def abandon(self) -> None:
        """Ends the program without waiting for it. May run in a finalizer. Does nothing in a fork."""
        self._is_closing = True
        if os.getpid() == self._pid:
            self._outbox.put(None)

    def end(self, seconds: float = END_SECONDS) -> None:
        """Ends the program and waits for it; kills it after ``seconds``. Does nothing in a fork."""
        self.abandon()
        if os.getpid() != self._pid or threading.current_thread() is self._reader:
            return
        self._reader.join(seconds)
        if self._reader.is_alive():
            self._program.process.kill()
            self._reader.join()

    def release_in_fork(self) -> None:
        """Closes the pipes that a fork has inherited. While they are open, the program does not notice that its process has ended."""
        for descriptor in (self._program.input, self._program.output, self._program.errors.descriptor):
            descriptor.close()

    def _check(self) -> None:
        if os.getpid() != self._pid:
            raise ToolkitError(
                "EXECUTION_FAILED",
                f"This toolkit belongs to process {self._pid}, of which this one ({os.getpid()}) is a fork. Make one here, with Toolkit.init(),"
                " or start processes with the method 'spawn'.",
            )
        if self._end is not None:
            raise self._end.copy()
        if self._is_closing:
            raise _closed()

    def _forget(self, number: int, future: Future[Any]) -> None:
        if self._waiting.pop(number, None) is not None and future.cancelled():
            self.notify("$/cancel", {"id": number})

    def _write(self) -> None:
        try:
            while (line := self._outbox.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[os.write(self._program.input.number, rest) :]
        except OSError:
            # The program no longer reads. Its answers are still read to the end.
            self._program.process.terminate()
        finally:
            self._program.input.close()

    def _read(self) -> None:
        rest = bytearray()
        try:
            while chunk := os.read(self._program.output.number, 262_144):
                if b"\n" not in chunk:
                    rest += chunk
                    continue
                *lines, last = chunk.split(b"\n")
                lines[0] = bytes(rest) + lines[0]
                rest = bytearray(last)
                for line in lines:
                    self._take(json.loads(line))
        except (OSError, ValueError) as error:
            self._program.errors.last_lines.append(f"{type(error).__name__}: {error}")
        finally:
            self._program.output.close()
            self._ended()

    def _take(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is None:
            self._settle(message)
        elif method == "$/progress":
            waiting = self._waiting.get(message["params"].pop("id"))
            if waiting is not None and waiting[1] is not None:
                waiting[1](message["params"])
        elif "id" in message:
            self._handler.request(self, message["id"], method, message.get("params", {}))
        else:
            self._handler.notification(method, message.get("params", {}))

    def _settle(self, message: dict[str, Any]) -> None:
        future, _ = self._waiting.pop(message.get("id", 0), (None, None))
        # The future may have been cancelled meanwhile.
        if future is None or not future.set_running_or_notify_cancel():
            return
        if "error" not in message:
            future.set_result(message.get("result"))
        else:
            future.set_exception(_error_of(message["error"]))

    def _ended(self) -> None:
        """Runs once, in the thread that reads, when the program has closed its output."""
        self._outbox.put(None)
        status = self._program.wait_or_kill(END_SECONDS)
        if self._is_closing:
            self._end = _closed()
        else:
            lines = "\n".join(self._program.errors.last_lines)
            output = f" Its last output:\n{lines}" if lines != "" else ""
            self._end = ToolkitError(
                "EXECUTION_FAILED",
                f"The program of this toolkit has ended ({status}). Calls that were running may have had their effect. Make another toolkit with"
                f" Toolkit.init().{output}",
            )
        _live.discard(self)
        self._fail_waiting(self._end)
        self._handler.ended()

    def _fail_waiting(self, error: ToolkitError) -> None:
        for number in list(self._waiting):
            future, _ = self._waiting.pop(number, (None, None))
            if future is not None and future.set_running_or_notify_cancel():
                future.set_exception(error.copy())


def _error_of(error: dict[str, Any]) -> ToolkitError:
    data = error.get("data")
    if isinstance(data, dict) and "code" in data:
        return ToolkitError.from_dict({"message": error["message"], **data})
    return ToolkitError("EXECUTION_FAILED", f"The program does not understand this package: {error['message'].rstrip('.')}. Their versions may differ.")


def _closed() -> ToolkitError:
    return ToolkitError("ABORTED", "This toolkit is closed. Make another one with Toolkit.init().")


#: Channels with a running program.
_live: weakref.WeakSet[Channel] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    channels = list(_live)
    for channel in channels:
        channel.abandon()
    for channel in channels:
        channel.end()


def _release_all() -> None:
    for channel in list(_live):
        channel.release_in_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_all)
