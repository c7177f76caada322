"""What a tool shows a model, as other frameworks take it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def text_of(content: Iterable[Mapping[str, Any]]) -> str:
    """Parts of MCP as one text. Of what is no text, what it is."""
    return "\n\n".join(part_text(part) for part in content)


def part_text(part: Mapping[str, Any]) -> str:
    """One part as text."""
    kind = part["type"]
    if kind == "text":
        return str(part["text"])
    if kind == "resource_link":
        return f"{part['name']}: {part['uri']}"
    if kind != "resource":
        return f"[{kind} of type {part['mimeType']}, not shown here]"
    resource = part["resource"]
    return str(resource["text"]) if "text" in resource else f"[file {resource['uri']}, not shown here]"
