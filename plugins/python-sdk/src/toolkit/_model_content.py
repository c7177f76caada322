"""Content of a tool result for a model, in the form of other frameworks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def text_of(content: Iterable[Mapping[str, Any]]) -> str:
    """Joins the parts of MCP to one text. A part that is no text becomes a note about its kind."""
    return "\n\n".join(part_text(part) for part in content)


def part_text(part: Mapping[str, Any]) -> str:
    """Returns one part as text."""
    kind = part["type"]
    if kind == "text":
        return str(part["text"])
    if kind == "resource_link":
        return f"{part['name']}: {part['uri']}"
    if kind != "resource":
        return f"[{kind} of type {part['mimeType']}, not shown here]"
    resource = part["resource"]
    return str(resource["text"]) if "text" in resource else f"[file {resource['uri']}, not shown here]"
