"""``python -m toolkit mcp …`` and all other commands of the program."""

from __future__ import annotations

import os
import subprocess
import sys

from ._program import program_command
from ._session import program_environment
from .errors import ToolkitError


def main() -> int:
    """Runs the program with the arguments of this process. On POSIX it replaces this process."""
    try:
        command = program_command(sys.argv[1:])
    except ToolkitError as error:
        print(error, file=sys.stderr)
        return 2
    environment = program_environment()
    if sys.platform != "win32":
        os.execve(command[0], command, environment)
    try:
        return subprocess.run(command, env=environment, check=False).returncode
    except KeyboardInterrupt:  # the program got it too, and has ended
        return 130


if __name__ == "__main__":
    sys.exit(main())
