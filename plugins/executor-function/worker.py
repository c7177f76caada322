"""Runs tool functions: one JSON task per line on standard input, one JSON message per line on file descriptor 3.

A task is {"id", "file", "function", "parameters", "secrets", "callId", "caller", "output"}, with "traceparent" where calls are traced. After an approval it also has "approved": the sha256
of the file; exactly these bytes run. "linked" is a text that changes when the file or one of "files", which it imports, was linked again.

Messages are {"id", "type": "output" | "error" | "progress" | "log" | "mask" | "begins", ...}. "begins" is sent when the code is loaded and the
function starts. An output or error with "ends" is the last message of the process: the call has left a thread or a child process, which could
read and answer other calls.

Text that a function prints goes to standard error, and the function's standard input is empty. When the standard input of this process ends,
the process ends with all its children, even in the middle of a task.
"""
import _thread
import asyncio
import importlib
import importlib.machinery
import importlib.util
import inspect
import json
import os
import queue
import re
import signal
import sys
import threading
import traceback

channel_lock = threading.Lock()
modules = {}
# The folder whose modules are importable, and the imported modules of the other folders.
entered = None
hidden = {}
# One object for each running thread that Python code has started.
started = set()


def send(message, default=None):
    line = json.dumps(message, allow_nan=False, default=default)
    with channel_lock:
        channel.write(line + "\n")
        channel.flush()


class WithContent:
    """An output with additional content, such as an image."""

    def __init__(self, output, content):
        self.output = output
        self.content = content


class OutputRoom:
    """The size limit of an output. `budget`: maximum characters of its compact JSON in a call of a model, else None."""

    def __init__(self, output):
        self.budget = (output or {}).get("budget")


class Context:
    """The context of a call, the second argument of a function."""

    def __init__(self, task):
        self._id = task["id"]
        self.call_id = task["callId"]
        self.caller = task["caller"]
        #: Place of the call in its trace (W3C Trace Context). None where calls are not traced.
        self.traceparent = task.get("traceparent")
        self.output = OutputRoom(task.get("output"))
        self.secrets = task["secrets"]

    def progress(self, progress, total=None, message=None):
        """Reports progress. A string alone is a message."""
        if isinstance(progress, str):
            progress, message = None, progress
        # The protocol uses doubles here.
        progress, total = (float(value) if isinstance(value, int) and abs(value) > 2**53 else value for value in (progress, total))
        note = {"progress": progress, "total": total, "message": message}
        send({"id": self._id, "type": "progress", "progress": {k: v for k, v in note.items() if v is not None}})

    def mask_also(self, name, value):
        """Masks a secret that the function obtained itself, such as a session token, from now on in logs, errors, output and trail of this call."""
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_ .:-]{0,99}", name) or not isinstance(value, str):
            raise TypeError("expected a name of letters, digits and _ and a text, received a value of type %s" % type(value).__name__)
        send({"id": self._id, "type": "mask", "name": name, "value": value})

    def with_content(self, output, content):
        """Adds content to an output: a list of dicts as in MCP, such as {"type": "image", "data": base64, "mimeType": "image/png"}."""
        return WithContent(output, content)

    def log(self, level, message, /, **meta):
        """Writes a log record. `level`: error, warn, info or debug."""
        if level not in ("error", "warn", "info", "debug"):
            raise ValueError("expected the level error, warn, info or debug, received %r" % (level,))
        send({"id": self._id, "type": "log", "level": level, "message": str(message), "meta": meta}, default=str)


class CodeChanged(Exception):
    """Raised when the file differs from the approved one."""


class Source(importlib.machinery.SourceFileLoader):
    """Compiles the given bytes, without the bytecode cache."""

    def __init__(self, name, file, data):
        super().__init__(name, file)
        self.data = data

    def get_code(self, fullname):
        return self.source_to_code(self.data, self.path)


def load(file, approved, linked=None, files=()):
    package, root = package_of(file)
    if package:
        if root not in sys.path:
            sys.path.append(root)
    else:
        enter(os.path.dirname(file))
    stamp = (os.stat(file).st_mtime_ns, linked)
    known = modules.get(file)
    if known is not None and known[0] == stamp and approved in (None, sha256(known[2])):
        return known[1]
    with open(file, "rb") as source:
        data = source.read()
    if approved not in (None, sha256(data)):
        raise CodeChanged()
    stem = os.path.splitext(os.path.basename(file))[0]
    if known is not None and not package:
        for name in modules_in(os.path.dirname(file)):
            del sys.modules[name]
    if known is not None and known[0][1] != linked:
        for name, imported in list(sys.modules.items()):
            if os.path.realpath(getattr(imported, "__file__", None) or "") in files:
                del sys.modules[name]
        importlib.invalidate_caches()
    name = "%s.%s" % (package, stem) if package else "toolkit_tool_%d_%s" % (len(modules), stem)
    if package:
        importlib.import_module(package)
    spec = importlib.util.spec_from_file_location(name, file, loader=Source(name, file, data))
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickles look their module up by name.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    modules[file] = (stamp, module, data)
    return module


def sha256(data):
    # Imported here because most calls need no approval.
    import hashlib

    return hashlib.sha256(data).hexdigest()


def package_of(file):
    """Returns the dotted name of the package around a file, empty without one, and the folder to import the package from."""
    names = []
    folder = os.path.dirname(file)
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        names.insert(0, name)
    return ".".join(names), folder


def enter(folder):
    """Makes the modules next to a tool importable, and hides those of the previous tool, which may have the same names."""
    global entered
    if folder == entered:
        return
    if entered is not None:
        sys.path[:] = [place for place in sys.path if place != entered]
        hidden[entered] = {name: sys.modules.pop(name) for name in modules_in(entered)}
    sys.path.insert(0, folder)
    sys.modules.update(hidden.pop(folder, {}))
    entered = folder


def modules_in(folder):
    """Returns the names of modules imported from a folder, submodules included; none for a folder of installed packages."""
    roots = set()
    for name, module in list(sys.modules.items()):
        paths = getattr(module, "__path__", None)
        place = list(paths)[0] if paths else getattr(module, "__file__", None)
        if place and os.path.dirname(place) == folder and not name.startswith("toolkit_tool_"):
            roots.add(name)
    return [] if folder.endswith("-packages") else [name for name in sys.modules if name.split(".")[0] in roots]


def source_line(error, file):
    """Returns the last line of the tool's own file in the traceback, as ` (file:line)`. A SyntaxError has its own line."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return " (%s:%d)" % (os.path.basename(file), lines[-1]) if lines else ""


def has_children():
    """True when this process has a child that runs or is a zombie."""
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return True
    except ChildProcessError:
        return False


def threads():
    """Returns the threads of Python code: those started by Python that have not ended, and other threads that now run Python."""
    return started | set(sys._current_frames())


def watched(start):
    """Wraps a function of the module _thread that starts threads, to record each until it ends. A thread has no frame before it runs."""

    def watch(function, *rest, **named):
        mark = object()

        def begin(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            finally:
                started.discard(mark)

        started.add(mark)
        try:
            return start(begin, *rest, **named)
        except BaseException:
            started.discard(mark)
            raise

    return watch


def watch_threads():
    for name in ("start_new_thread", "start_joinable_thread"):
        start = getattr(_thread, name, None)
        if start is not None:
            setattr(_thread, name, watched(start))
            setattr(threading, "_" + name, getattr(_thread, name))


def left_behind(before, children):
    """True when there is a new thread, or a child process and there was none before. `before` are the earlier threads."""
    return not threads() <= before or (not children and has_children())


def run(task, before):
    file = task["file"]
    try:
        module = load(file, task.get("approved"), task.get("linked"), task.get("files", ()))
    except CodeChanged:
        return {"type": "error", "code": "APPROVAL_DENIED", "message": "The code that was approved was not run: %s has changed. Call it again, to have it approved as it is now." % file}
    except BaseException as error:
        return {"type": "error", "code": "TOOL_INVALID", "message": "%s does not load: %s: %s%s" % (file, type(error).__name__, error, source_line(error, file))}
    function = getattr(module, task["function"], None)
    if not callable(function):
        names = [name for name, value in vars(module).items() if inspect.isfunction(value)]
        return {"type": "error", "code": "TOOL_INVALID", "message": "%s does not define the function \"%s\". It defines %s." % (file, task["function"], ", ".join(names) or "none")}
    # Threads and children of loading the code stay for the next call.
    before[:] = [threads(), has_children()]
    send({"id": task["id"], "type": "begins"})
    try:
        leave = enter_trace(task.get("traceparent"))
        try:
            output = function(task["parameters"], Context(task))
            if inspect.isawaitable(output):
                output = asyncio.run(wait_for(output))
        finally:
            leave()
    except BaseException as error:
        return {"type": "error", "message": "%s: %s%s" % (type(error).__name__, error, source_line(error, file))}
    if isinstance(output, WithContent):
        return {"type": "output", "output": output.output, "content": output.content}
    return {"type": "output", "output": output}


def enter_trace(traceparent):
    """Makes the call's place in its trace the active one for code that has loaded OpenTelemetry. Returns a function that undoes it.

    Loading the package takes about a tenth of a second, so that code without it pays nothing.
    """
    if not traceparent or "opentelemetry" not in sys.modules:
        return lambda: None
    try:
        from opentelemetry import context
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        token = context.attach(TraceContextTextMapPropagator().extract({"traceparent": traceparent}))
    except Exception:
        # A module of the same name, or another version: the call is worth more than its trace.
        return lambda: None
    return lambda: context.detach(token)


async def wait_for(awaitable):
    return await awaitable


def answer(task):
    before = []
    result = run(task, before)
    ends = {"ends": True} if before and left_behind(*before) else {}
    try:
        send({"id": task["id"], **result, **ends})
    except (TypeError, ValueError, RecursionError) as error:
        message = "The output cannot be written as JSON: %s. Return a value of dicts, lists, strings, finite numbers, booleans and None." % error
        send({"id": task["id"], "type": "error", "code": "OUTPUT_INVALID", "message": message, **ends})
    if ends:
        end()


def take_standard_streams():
    """Hides the streams of the protocol from the functions and from the programs that they start."""
    global channel
    stream = os.fdopen(os.dup(0), "r", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.set_inheritable(3, False)
    channel = os.fdopen(3, "w", encoding="utf-8")
    sys.stdout = sys.stderr
    return stream


def end():
    """Ends this process, and its children if it leads a process group."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


def main():
    tasks = queue.Queue()
    stream = take_standard_streams()
    watch_threads()

    def read():
        for line in stream:
            tasks.put(json.loads(line))
        end()

    threading.Thread(target=read, daemon=True).start()
    while True:
        answer(tasks.get())


if __name__ == "__main__":
    main()
