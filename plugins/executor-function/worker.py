"""Runs tool functions: one JSON task per line on standard input, one JSON message per line on file descriptor 3.

A task is {"id", "file", "function", "parameters", "secrets", "callId", "caller"}. Messages are {"id", "type": "output" | "error" |
"progress" | "log", ...}. What a function prints goes to standard error. The process ends when its standard input does, even in the
middle of a task.
"""
import asyncio
import importlib.util
import inspect
import json
import os
import queue
import sys
import threading
import traceback

channel = os.fdopen(3, "w", encoding="utf-8")
channel_lock = threading.Lock()
sys.stdout = sys.stderr
modules = {}


def send(message):
    line = json.dumps(message, ensure_ascii=False, allow_nan=False)
    with channel_lock:
        channel.write(line + "\n")
        channel.flush()


class Context:
    """What a function gets beside its parameters."""

    def __init__(self, task):
        self._id = task["id"]
        self.call_id = task["callId"]
        self.caller = task["caller"]
        self.secrets = task["secrets"]

    def progress(self, progress, total=None, message=None):
        note = {"progress": progress, "total": total, "message": message}
        send({"id": self._id, "type": "progress", "progress": {k: v for k, v in note.items() if v is not None}})

    def log(self, level, message, **meta):
        send({"id": self._id, "type": "log", "level": level, "message": str(message), "meta": meta})


def load(file):
    stamp = os.stat(file).st_mtime_ns
    known = modules.get(file)
    if known is not None and known[0] == stamp:
        return known[1]
    spec = importlib.util.spec_from_file_location("toolkit_tool_%d" % len(modules), file)
    module = importlib.util.module_from_spec(spec)
    folder = os.path.dirname(file)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec.loader.exec_module(module)
    modules[file] = (stamp, module)
    return module


def place_of(error, file):
    """The last line of the tool's own file that the error passed, as ` (file:line)`."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    line = frames[-1].lineno if frames else getattr(error, "lineno", None)
    return "" if line is None else " (%s:%d)" % (os.path.basename(file), line)


def run(task):
    file = task["file"]
    try:
        module = load(file)
    except BaseException as error:
        return {"type": "error", "code": "TOOL_INVALID", "message": "%s does not load: %s: %s%s" % (file, type(error).__name__, error, place_of(error, file))}
    function = getattr(module, task["function"], None)
    if not callable(function):
        names = [name for name, value in vars(module).items() if inspect.isfunction(value)]
        return {"type": "error", "code": "TOOL_INVALID", "message": "%s does not define the function \"%s\". It defines %s." % (file, task["function"], ", ".join(names) or "none")}
    try:
        output = function(task["parameters"], Context(task))
        if inspect.isawaitable(output):
            output = asyncio.run(wait_for(output))
    except BaseException as error:
        return {"type": "error", "message": "%s: %s%s" % (type(error).__name__, error, place_of(error, file))}
    try:
        json.dumps(output, allow_nan=False)
    except (TypeError, ValueError) as error:
        return {"type": "error", "code": "OUTPUT_INVALID", "message": "The output cannot be written as JSON: %s" % error}
    return {"type": "output", "output": output}


async def wait_for(awaitable):
    return await awaitable


def main():
    tasks = queue.Queue()

    def read():
        for line in sys.stdin:
            tasks.put(json.loads(line))
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        task = tasks.get()
        send({"id": task["id"], **run(task)})


main()
