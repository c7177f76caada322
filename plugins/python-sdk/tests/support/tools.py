"""Definitions that the tests load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_CLONE = Path(__file__).parents[4]

ECHO = """\
name: echo_path
description: Asks the loopback server.
version: 1.0.0
risk: low
parameters:
  word: { type: string, required: true, description: A word. }
execution:
  type: http
  method: GET
  url: {URL}/echo/{word}
  headers: { Authorization: 'Bearer {ECHO_TOKEN}' }
"""

OPEN = """\
name: open_path
description: Asks the loopback server without a credential.
version: 1.0.0
risk: high
requires_approval: true
parameters:
  word: { type: string, required: true, description: A word. }
execution:
  type: http
  method: GET
  url: {URL}/open/{word}
"""


def tools_folder(folder: Path, url: str) -> Path:
    """Writes a folder with these tools, for the server at ``url``."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "echo_path.yaml").write_text(ECHO.replace("{URL}", url))
    (tools / "open_path.yaml").write_text(OPEN.replace("{URL}", url))
    return tools


def greet(name: str) -> dict[str, str]:
    """Greets somebody.

    Args:
        name: Who is greeted.
    """
    return {"greeting": f"Hello {name}"}


def loopback_options(folder: Path, url: str) -> dict[str, Any]:
    """Returns options that load the core tools, these tools, and those for collections of requests."""
    return {
        "tool_paths": [tools_folder(folder, url), _CLONE / "tools" / "apiclient"],
        "allow_hosts": ["127.0.0.1"],
        "secret_resolver": {"ECHO_TOKEN": "value-of-the-chain"},
        "log_level": "error",
    }
