"""The program as a child process: its end, and the processes that may use it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.loopback import Loopback
from support.tools import tools_folder

from toolkit import Toolkit, ToolkitError

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and fork are POSIX")


def pid_of(toolkit: Toolkit) -> int:
    return toolkit._session.channel.pid


def lives(pid: int) -> bool:
    """True when the process runs, and is no zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    # ProcessLookupError: the process ends between opening the file and reading it.
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(holds: Callable[[], bool], seconds: float = 60) -> bool:
    """Waits until the condition holds. Returns False after ``seconds``."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def run(code: str, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, **options
    )


@posix
def test_a_program_that_dies_fails_every_call_that_waits_and_all_that_follow(tmp_path: Path, loopback: Loopback) -> None:
    loopback.answers.clear()
    with Toolkit.init(
        tool_paths=[tools_folder(tmp_path, loopback.url)], allow_hosts=["127.0.0.1"], include_core=False, log_level="error"
    ) as toolkit:
        failures: list[ToolkitError] = []

        def call() -> None:
            try:
                toolkit.execute("open_path", {"word": "x"})
            except ToolkitError as error:
                failures.append(error)

        threads = [threading.Thread(target=call) for _ in range(3)]
        for thread in threads:
            thread.start()
        assert loopback.asked.wait(60)
        os.kill(pid_of(toolkit), signal.SIGKILL)
        for thread in threads:
            thread.join()
        assert len(failures) == 3
        for failure in failures:
            assert failure.code == "EXECUTION_FAILED"
            assert "signal 9" in failure.message and "Toolkit.init()" in failure.message
        with pytest.raises(ToolkitError, match="signal 9"):
            toolkit.execute("open_path", {"word": "x"})


def test_what_the_program_said_last_is_in_the_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "main.js"
    broken.write_text("console.error('first line'); throw new RangeError('no more room');")
    monkeypatch.setenv("TOOLKIT_PROGRAM", str(broken))
    with pytest.raises(ToolkitError) as caught:
        Toolkit.init()
    assert "exit code 1" in caught.value.message
    assert "first line" in caught.value.message and "no more room" in caught.value.message
    assert "first line" in capfd.readouterr().err


@posix
def test_the_program_ends_when_this_process_is_killed() -> None:
    child = run("import toolkit, time; t = toolkit.Toolkit.init(log_level='error'); print(t._session.channel.pid, flush=True); time.sleep(600)")
    assert child.stdout is not None
    pid = int(child.stdout.readline())
    assert lives(pid)
    child.kill()
    child.communicate()
    assert until(lambda: not lives(pid))


@posix
@pytest.mark.parametrize("victim", ["this process", "the program"])
def test_nothing_that_a_call_has_started_outlives_a_kill_of(victim: str, tmp_path: Path) -> None:
    child = run(
        "import toolkit, sys\n"
        "t = toolkit.Toolkit.init(log_level='error')\n"
        "print(t._session.channel.pid, flush=True)\n"
        "t.execute('system_execute', {'command': 'sh', 'arguments': ['-c', 'echo $$ > $0.part; mv $0.part $0; sleep 600', sys.argv[1]]})",
        str(tmp_path / "pid"),
        cwd=tmp_path,
    )
    assert child.stdout is not None
    program = int(child.stdout.readline())
    assert until((tmp_path / "pid").exists)
    started = int((tmp_path / "pid").read_text())
    assert lives(program) and lives(started)
    os.kill(child.pid if victim == "this process" else program, signal.SIGKILL)
    _, errors = child.communicate()
    assert until(lambda: not lives(program) and not lives(started))
    if victim == "the program":
        assert child.returncode == 1 and "signal 9" in errors


@posix
def test_the_program_ends_although_a_fork_of_this_process_goes_on() -> None:
    child = run(
        "import toolkit, time, os\n"
        "t = toolkit.Toolkit.init(log_level='error')\n"
        "fork = os.fork()\n"
        "if fork: print(t._session.channel.pid, fork, flush=True)\n"
        "time.sleep(600)"
    )
    assert child.stdout is not None
    pid, fork = map(int, child.stdout.readline().split())
    try:
        child.kill()
        child.wait()
        assert until(lambda: not lives(pid))
        assert lives(fork)
    finally:
        os.kill(fork, signal.SIGKILL)
        child.communicate()


@posix
@pytest.mark.parametrize(
    "end",
    ["", "t.close()", "del t", "sys.exit(0)", "t.cycle = t; del t", "threading.Thread(target=t.execute, args=('text_slugify', {'text': 'x'})).start()"],
    ids=["nothing", "close", "del", "sys.exit", "a circle", "a thread that still calls"],
)
def test_the_interpreter_exits_and_leaves_no_process(end: str) -> None:
    code = f"import sys, threading, toolkit\nt = toolkit.Toolkit.init(log_level='error')\nprint(t._session.channel.pid, flush=True)\n{end}"
    child = run(code)
    out, errors = child.communicate(timeout=120)
    assert (child.returncode, errors) == (0, "")
    assert until(lambda: not lives(int(out)))


@posix
def test_the_interpreter_exits_while_a_callback_waits() -> None:
    code = (
        "import threading, toolkit\n"
        "asked = threading.Event()\n"
        "def never(request):\n"
        "    asked.set()\n"
        "    threading.Event().wait()\n"
        "t = toolkit.Toolkit.init(log_level='error', policy_config={'enable_hitl': True, 'hitl_min_risk_level': 'low'}, on_hitl=never)\n"
        "def call():\n"
        "    try:\n"
        "        t.execute('text_slugify', {'text': 'x'})\n"
        "    except toolkit.ToolkitError:\n"
        "        pass\n"
        "threading.Thread(target=call, daemon=True).start()\n"
        "asked.wait()"
    )
    child = run(code)
    _, errors = child.communicate(timeout=120)
    assert (child.returncode, errors) == (0, "")


@posix
def test_a_toolkit_that_nobody_holds_any_more_ends_its_program() -> None:
    toolkit = Toolkit.init(log_level="error")
    pid, gone = pid_of(toolkit), weakref.ref(toolkit)
    del toolkit
    gc.collect()
    assert gone() is None
    assert until(lambda: not lives(pid))


@posix
def test_a_fork_is_told_to_make_a_toolkit_of_its_own_and_this_process_goes_on(toolkit: Toolkit) -> None:
    context = multiprocessing.get_context("fork")
    told = context.SimpleQueue()

    def child() -> None:
        try:
            toolkit.execute("text_slugify", {"text": "child"})
        except ToolkitError as error:
            told.put((error.code, error.message))
        toolkit.close()
        with Toolkit.init(log_level="error") as own:
            told.put(own.execute("text_slugify", {"text": "Own One"}))

    process = context.Process(target=child)
    process.start()
    code, message = told.get()
    assert code == "EXECUTION_FAILED" and "fork" in message and "Toolkit.init()" in message and "spawn" in message
    assert told.get() == {"slug": "own-one"}
    process.join()
    assert process.exitcode == 0
    assert toolkit.execute("text_slugify", {"text": "Parent"}) == {"slug": "parent"}


@posix
def test_a_keyboard_interrupt_cancels_the_call_and_the_toolkit_goes_on(tmp_path: Path, loopback: Loopback) -> None:
    loopback.answers.clear()
    tools = tools_folder(tmp_path, loopback.url)
    code = (
        "import sys, toolkit\n"
        "with toolkit.Toolkit.init(tool_paths=[sys.argv[1]], allow_hosts=['127.0.0.1'], log_level='error') as t:\n"
        "    try:\n"
        "        t.execute('open_path', {'word': 'x'})\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted', flush=True)\n"
        "    print(t.execute('text_slugify', {'text': 'Still Here'}), flush=True)\n"
    )
    # As in a terminal, the signal goes to the whole process group.
    child = run(code, str(tools), process_group=0) if sys.version_info >= (3, 11) else run(code, str(tools), preexec_fn=os.setpgrp)
    assert loopback.asked.wait(60)
    os.killpg(child.pid, signal.SIGINT)
    out, errors = child.communicate(timeout=120)
    assert (out, errors) == ("interrupted\n{'slug': 'still-here'}\n", "")
    assert loopback.gone.wait(60)


def test_closing_twice_does_nothing_and_calls_afterwards_are_refused() -> None:
    toolkit = Toolkit.init(log_level="error")
    toolkit.close()
    toolkit.close()
    with pytest.raises(ToolkitError, match="closed") as caught:
        toolkit.list_tools()
    assert caught.value.code == "ABORTED"


def test_closing_ends_calls_that_run(tmp_path: Path, loopback: Loopback) -> None:
    loopback.answers.clear()
    toolkit = Toolkit.init(
        tool_paths=[tools_folder(tmp_path, loopback.url)], allow_hosts=["127.0.0.1"], include_core=False, log_level="error"
    )
    failures: list[ToolkitError] = []

    def call() -> None:
        try:
            toolkit.execute("open_path", {"word": "x"})
        except ToolkitError as error:
            failures.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    assert loopback.asked.wait(60)
    toolkit.close()
    thread.join()
    assert [failure.code for failure in failures] == ["ABORTED"]


@posix
def test_nothing_is_left_open_or_running_after_many_toolkits() -> None:
    def state() -> tuple[int, int]:
        return len(os.listdir("/proc/self/fd")), threading.active_count()

    Toolkit.init(log_level="error", include_core=False).close()
    before = state()
    for _ in range(5):
        Toolkit.init(log_level="error", include_core=False).close()
    assert until(lambda: state() <= before)
