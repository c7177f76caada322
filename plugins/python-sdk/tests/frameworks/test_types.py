"""``toolkit types --python``, checked by mypy. Runs once for all tools of the configuration, for about half a minute."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import toolkit
from toolkit._program import program_command

USE = """
from __future__ import annotations

from toolkit_tools import AsyncToolkit, Toolkit

with Toolkit.init(log_level="error") as tools:
    slug: str = tools.execute("text_slugify", {"text": "Two Words"}, caller="ann")["slug"]
    tools.execute("time_now")
    print(slug)


async def main() -> str:
    async with await AsyncToolkit.init() as tools:
        return (await tools.execute("text_slugify", {"text": "Two Words", "max_length": 3}))["slug"]
"""

WRONG = """
from toolkit_tools import Toolkit


def calls(tools: Toolkit) -> None:
    tools.execute("text_slugify", {"txt": "Two Words"})
    tools.execute("fs_read_file")
    tools.execute("text_slugfy", {"text": "Two Words"})
    tools.execute("text_slugify", {"text": "Two Words"})["slag"]
    tools.execute("text_slugify", {"text": "Two Words"}, color="red")
"""


def test_a_type_checker_knows_all_tools(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "wrong.py").write_text(WRONG)
    subprocess.run(program_command(["types", "--python"]), check=True, cwd=tmp_path, capture_output=True)
    where = str(Path(toolkit.__file__).parent.parent)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--python-version=3.10", "use.py", "wrong.py", "toolkit_tools.py"],
        cwd=tmp_path,
        # mypy finds an installed package by itself, and refuses a path to it.
        env={"PATH": ""} if "site-packages" in where else {"MYPYPATH": where, "PATH": ""},
        capture_output=True,
        text=True,
    )
    errors = re.findall(r"^(\w+\.py):(\d+): error: (.*?)  \[", checked.stdout, re.MULTILINE)
    assert {(file, int(line)) for file, line, _ in errors} == {("wrong.py", line) for line in range(6, 11)}, checked.stdout[-4000:]
    # The same at run time.
    ran = subprocess.run([sys.executable, "use.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": where}, capture_output=True, text=True)
    assert ran.stdout == "two-words\n", ran.stderr
