"""The program as a child process."""

from __future__ import annotations

import collections
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping

from ._program import program_command
from .errors import ToolkitError

_MAX_LAST_LINES = 20


class Descriptor:
    """A file descriptor that is closed at most once, by its owner."""

    def __init__(self, number: int) -> None:
        self.number = number

    def close(self) -> None:
        number, self.number = self.number, -1
        if number >= 0:
            os.close(number)


class ErrorLines:
    """Copies the program's standard error to ``sys.stderr``, and keeps the last lines for the error when it dies."""

    def __init__(self, descriptor: Descriptor) -> None:
        self.descriptor = descriptor
        self.last_lines: collections.deque[str] = collections.deque(maxlen=_MAX_LAST_LINES)
        self.thread = threading.Thread(target=self._copy, name="toolkit-stderr", daemon=True)
        self.thread.start()

    def _copy(self) -> None:
        rest = b""
        while chunk := os.read(self.descriptor.number, 65_536):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._write(line.decode(errors="replace"))
        if rest:
            self._write(rest.decode(errors="replace"))
        self.descriptor.close()

    def _write(self, line: str) -> None:
        self.last_lines.append(line[:2000])
        try:
            # None in a program without a console, and possibly closed by the host.
            if sys.stderr is not None:
                sys.stderr.write(f"{line}\n")
        except (OSError, ValueError):
            pass


class ProgramProcess:
    """A running ``toolkit host`` with the descriptors connected to it."""

    def __init__(self, process: subprocess.Popen[bytes], to_it: int, from_it: int, errors: int) -> None:
        self.process = process
        self.input = Descriptor(to_it)
        self.output = Descriptor(from_it)
        self.errors = ErrorLines(Descriptor(errors))

    def wait_or_kill(self, seconds: float) -> str:
        """Waits for the end and kills the program after ``seconds``. Returns the exit status as text, such as ``exit code 1``."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        # Its standard error stays open while a child process of it runs.
        self.errors.thread.join(1)
        code = self.process.returncode
        return f"signal {-code}" if code < 0 else f"exit code {code}"


def start_program(environment: Mapping[str, str], gives_stdio: bool = False) -> ProgramProcess:
    """Starts the program in a session of its own, so that Ctrl-C of the terminal reaches this process only.

    ``gives_stdio``: the program uses this process's standard input and output, and a socket for its messages. Raises ToolkitError.
    """
    if gives_stdio and sys.platform == "win32":
        raise ToolkitError(
            "CONFIG_INVALID",
            "A server over stdio cannot be started from Python code on Windows, which hands no socket to a child process."
            ' Run "python -m toolkit mcp" instead, or use transport="http".',
        )
    stdin: int | None
    stdout: int | None
    error_from, error_to = os.pipe()
    if gives_stdio:
        near, far = socket.socketpair()
        from_it, socket_fd = near.detach(), far.detach()
        to_it, stdin, stdout = os.dup(from_it), None, None
        arguments, passed, theirs = ["host", "--fd", str(socket_fd)], [socket_fd], [socket_fd, error_to]
    else:
        (stdin, to_it), (from_it, stdout) = os.pipe(), os.pipe()
        arguments, passed, theirs = ["host"], [], [stdin, stdout, error_to]
    try:
        process = subprocess.Popen(
            program_command(arguments),
            stdin=stdin,
            stdout=stdout,
            stderr=error_to,
            pass_fds=passed,
            env=environment,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except BaseException as error:
        for descriptor in (to_it, from_it, error_from):
            os.close(descriptor)
        if isinstance(error, OSError):
            raise ToolkitError("DEPENDENCY_MISSING", f"The program cannot be started: {error}.") from error
        raise
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    return ProgramProcess(process, to_it, from_it, error_from)
