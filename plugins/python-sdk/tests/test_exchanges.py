"""The recorded exchanges that every client and host must follow, played from Python."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.exchange import difference, filled, filled_text, read_exchange

from toolkit._program import program_command

FOLDER = Path(__file__).parents[3] / "fixtures" / "host"
FILES = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.stem}: {read_exchange(file)[0]['title']}")
def test_the_program_answers_as_recorded(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    head, *steps = read_exchange(file)
    with subprocess.Popen(
        program_command(["host", *head.get("args", [])]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as host:
        try:
            play(host, steps)
        finally:
            host.kill()


def play(host: subprocess.Popen[str], steps: list[dict[str, Any]]) -> None:
    """Accepts the messages of the host within one run of ``expect`` in any order."""
    assert host.stdin is not None and host.stdout is not None
    bound: dict[str, Any] = {}
    awaited: list[dict[str, Any]] = []
    for step in [*steps, {}]:
        if "expect" in step:
            awaited.append(step["expect"])
            continue
        while awaited:
            line = host.stdout.readline()
            assert line != "", f"the host ended, and was to say {awaited}"
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            problems = [difference(expected, message, bound) for expected in awaited]
            assert None in problems, "\n".join([line, *map(str, problems)])
            del awaited[problems.index(None)]
        if "send" in step:
            host.stdin.write(json.dumps({"jsonrpc": "2.0", **filled(step["send"], bound)}) + "\n")
            host.stdin.flush()
        if "sendText" in step:
            host.stdin.write(filled_text(step["sendText"], bound) + "\n")
            host.stdin.flush()
        if "endInput" in step:
            host.stdin.close()
        if "exit" in step:
            assert host.stdout.read() == ""
            assert host.wait() == step["exit"]


def test_there_are_exchanges() -> None:
    assert len(FILES) > 10
