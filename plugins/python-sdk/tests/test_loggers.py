"""Loggers."""

from __future__ import annotations

import json
import logging
import os
import subprocess
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from toolkit import ToolkitError
from toolkit._program import find_node, find_program
from toolkit.loggers import (
    LoggingLogger,
    StreamLogger,
    ToolkitLogger,
    as_toolkit_logger,
    get_global_toolkit_logger,
    own_global_logger,
    set_global_toolkit_logger,
    setup_logger,
)

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)


def logger(level: Any = "debug", format: Any = "json", env: dict[str, str] | None = None) -> tuple[StreamLogger, list[str]]:
    lines: list[str] = []
    return StreamLogger(level, format, write=lines.append, env=env or {}, now=lambda: NOW), lines


@pytest.fixture(autouse=True)
def without_global() -> Iterator[None]:
    yield
    set_global_toolkit_logger(None)


def test_records_are_as_specified() -> None:
    written, lines = logger()
    written.info("Tool called", {"tool": "a", "ms": 1.0}, caller="ann")
    written.warn("Plain")
    simple, simple_lines = logger(format="simple")
    simple.info("Tool called", {"tool": "a", "ms": 1.0}, caller="ann")
    simple.error("Plain")
    assert lines == [
        '{"timestamp":"2026-01-02 03:04:05","level":"info","message":"Tool called","tool":"a","ms":1,"caller":"ann"}\n',
        '{"timestamp":"2026-01-02 03:04:05","level":"warn","message":"Plain"}\n',
    ]
    assert simple_lines == ['[2026-01-02 03:04:05] [INFO] Tool called {"tool":"a","ms":1,"caller":"ann"}\n', "[2026-01-02 03:04:05] [ERROR] Plain\n"]


#: Messages and metadata for both loggers.
RECORDS: list[tuple[str, Any]] = [
    ("plain", None),
    ("empty", {}),
    ("line\nbreak\ttab \u001b[31m \u202e \u2028 \u200d é 😀", {"a\n": "b\u0007", "nested": {"list": [1, 2.5, True, None, "x"]}}),
    ("keys", {"timestamp": 1, "level": "x", "_level": "y", "message": None}),
    ("a list", [1, 2]),
    ("a text", "metadata"),
    ("long", {"text": "a" * 20_000, "many": list(range(300)), "members": {f"m{i}": i for i in range(200)}}),
    ("b" * 20_000, {"number": 1e21, "small": -0.5}),
    ("deep", {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": {"j": {"k": {"l": 1}}}}}}}}}}}}),
]


@pytest.mark.parametrize("format", ["json", "simple"])
def test_the_text_is_that_of_the_program(tmp_path: Path, format: str) -> None:
    script = tmp_path / "log.mjs"
    kernel = find_program().parent.parent.parent / "kernel" / "index.js"
    script.write_text(
        f"import {{ createLogger }} from {json.dumps(kernel.as_uri())};\n"
        f"const logger = createLogger({{ level: 'info', format: {json.dumps(format)}, env: {{}}, now: () => new Date({NOW.timestamp() * 1000}),\n"
        "  write: (line) => process.stdout.write(line) });\n"
        f"for (const [message, meta] of {json.dumps(RECORDS)}) logger.info(message, meta);\n"
    )
    ran = subprocess.run([find_node(), script], capture_output=True, check=True, env={**os.environ, "NODE_ENV": ""})
    written, lines = logger("info", format)
    for message, meta in RECORDS:
        written.info(message, meta)
    assert lines == [f"{line}\n" for line in ran.stdout.decode().splitlines()]


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("silent", []),
        ("error", ["error"]),
        ("warn", ["warn", "error"]),
        ("info", ["info", "warn", "error"]),
        ("debug", ["info", "warn", "error", "debug"]),
        (None, ["info", "warn", "error"]),
    ],
)
def test_a_level_shows_itself_and_what_is_worse(level: str | None, expected: list[str]) -> None:
    written, lines = logger(level)
    for name in ("info", "warn", "error", "debug"):
        getattr(written, name)("x")
    assert [json.loads(line)["level"] for line in lines] == expected


@pytest.mark.parametrize(
    ("env", "level", "format"),
    [
        ({}, "info", "simple"),
        ({"NODE_ENV": "production"}, "info", "json"),
        ({"TOOLKIT_LOG_LEVEL": " DEBUG ", "TOOLKIT_LOG_FORMAT": "Json"}, "debug", "json"),
        ({"TOOLKIT_LOG_FORMAT": "simple", "NODE_ENV": "production"}, "info", "simple"),
    ],
)
def test_the_environment_decides(env: dict[str, str], level: str, format: str) -> None:
    written, _ = logger(None, None, env)
    assert (written.level, written.format) == (level, format)


def test_the_environment_wins_over_options_and_what_it_says_wrong_is_told_and_ignored() -> None:
    written, _ = logger("error", "json", {"TOOLKIT_LOG_LEVEL": "debug", "TOOLKIT_LOG_FORMAT": "simple"})
    assert (written.level, written.format) == ("debug", "simple")
    written, lines = logger("error", "json", {"TOOLKIT_LOG_LEVEL": "debgu"})
    assert written.level == "error"
    assert json.loads(lines[0])["message"] == (
        'TOOLKIT_LOG_LEVEL expected one of silent, error, warn, info, debug, received "debgu". Did you mean "debug"? It is ignored.'
    )
    assert logger("silent", "json", {"TOOLKIT_LOG_FORMAT": "xml"})[1] == []


def test_wrong_options_are_refused() -> None:
    with pytest.raises(ToolkitError, match='The option log_level expected one of silent, .* received "verbose"') as caught:
        setup_logger("verbose")  # type: ignore[arg-type]
    assert caught.value.code == "CONFIG_INVALID"


class Unreadable:
    def __str__(self) -> str:
        raise RuntimeError("no")


def test_nothing_makes_it_raise() -> None:
    written, lines = logger("info")
    circular: dict[str, Any] = {}
    circular["self"] = circular
    written.info("a", circular)
    written.info("b", {"bytes": b"secret", "set": {1}, "nan": float("nan"), "lock": logger, "object": Unreadable()})
    written.info(Unreadable())  # type: ignore[arg-type]
    written.info("\ud800", ValueError("wrong"), where="here")  # type: ignore[arg-type]
    assert [json.loads(line) for line in lines[:2]] == [
        {"timestamp": "2026-01-02 03:04:05", "level": "info", "message": "a", "self": "[circular]"},
        {
            "timestamp": "2026-01-02 03:04:05", "level": "info", "message": "b", "bytes": "[bytes, 6 bytes]", "set": [1], "nan": "NaN",
            "lock": "[function logger]", "object": "[Unreadable]",
        },
    ]  # fmt: skip
    assert json.loads(lines[2])["message"] == "[unreadable: no]"
    assert json.loads(lines[3])["error"] == {"name": "ValueError", "message": "wrong"} and json.loads(lines[3])["where"] == "here"

    def fail(_line: str) -> None:
        raise OSError("gone")

    StreamLogger("info", write=fail, env={}).info("x")


def test_stacks_are_shown_at_level_debug() -> None:
    try:
        raise ToolkitError("TIMEOUT", "too slow", {"tool": "a"}) from KeyError("k")
    except ToolkitError as caught:
        error = caught
    for level, has_stack in (("info", False), ("debug", True)):
        written, lines = logger(level)
        written.error("failed", {"error": error})
        told = json.loads(lines[0])["error"]
        assert (told["code"], told["retryable"], told["tool"], told["cause"]["name"]) == ("TIMEOUT", True, "a", "KeyError")
        assert ("test_loggers.py" in told.get("stack", "")) is has_stack


def test_the_global_logger_is_set_and_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    made = setup_logger("warn", "json")
    assert get_global_toolkit_logger() is made is own_global_logger()
    made.info("not shown")
    made.warn("shown")
    assert '"message":"shown"' in capsys.readouterr().err
    set_global_toolkit_logger(None)
    assert own_global_logger() is None and isinstance(get_global_toolkit_logger(), StreamLogger)
    assert get_global_toolkit_logger() is get_global_toolkit_logger()


def test_a_subclass_takes_records() -> None:
    class Kept(ToolkitLogger):
        def __init__(self) -> None:
            self.records: list[tuple[str, str]] = []

        def info(self, message: str, meta: Any = None, **fields: Any) -> None:
            self.records.append(("info", message))

        warn = error = debug = info

    kept = Kept()
    set_global_toolkit_logger(kept)
    get_global_toolkit_logger().info("a")
    assert kept.records == [("info", "a")]

    class Partly(ToolkitLogger):
        def info(self, message: str, meta: Any = None, **fields: Any) -> None: ...

    with pytest.raises(TypeError, match="abstract"):
        Partly()  # type: ignore[abstract]


def test_logging_is_a_target(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "shop")
    target = as_toolkit_logger(logging.getLogger("shop"))
    assert isinstance(target, LoggingLogger)
    target.warn("100 % full", {"disk": "a"}, free=0)
    target.debug("not shown")
    [record] = caplog.records
    assert (record.levelname, record.getMessage()) == ("WARNING", '100 % full {"disk":"a","free":0}')
    assert record.toolkit == {"disk": "a", "free": 0}  # type: ignore[attr-defined]
    assert record.funcName == "test_logging_is_a_target"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (7, "expected a ToolkitLogger or a logging.Logger, received one without info, warn, error, debug"),
        (StreamLogger, "received the class StreamLogger, not an object of it"),
    ],
)
def test_what_is_no_logger_is_refused(given: Any, message: str) -> None:
    refusing: list[Callable[[Any], Any]] = [as_toolkit_logger, set_global_toolkit_logger]
    for function in refusing:
        with pytest.raises(ToolkitError) as caught:
            function(given)
        assert caught.value.code == "CONFIG_INVALID" and message in str(caught.value)
