"""Examples of the documentation that need no framework, as programs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.examples import example

import toolkit


@pytest.mark.parametrize(
    ("word", "output", "log"),
    [
        ("search_tools", "{'slug': 'hello-world'}\nINVALID_PARAMETERS", ""),
        ("asyncio.gather", "[{'slug': 'one-title'}, {'slug': 'another-title'}]\n", ""),
        ("shop_order", "1 x A1 on 02 January, slow\n", ""),
        ("class Texts", "two-words\n", ""),
        ("setup_logger", "", '"level":"warn","message":"Disk is nearly full","free_percent":3}\n'),
    ],
)
def test_an_example_prints_what_it_says(tmp_path: Path, word: str, output: str, log: str) -> None:
    (tmp_path / "tools").mkdir()
    script = tmp_path / "example.py"
    script.write_text(f"from __future__ import annotations\n{example(word)}")
    env = {**os.environ, "PYTHONPATH": str(Path(toolkit.__file__).parent.parent)}
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert output in ran.stdout
    assert log in ran.stderr
