"""Recorded exchanges between a client and its host; see the page of the protocol."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_PLACEHOLDER = re.compile(r"<(any|absent|text|number|is:[\w-]+|has:[^>]*)>", re.DOTALL)
_ABSENT = object()


def read_exchange(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line != ""]


def difference(expected: Any, received: Any, bound: dict[str, Any]) -> str | None:
    """Returns the path at which a message differs from the expected one. If all fits, ``bound`` gets the values of the placeholders."""
    found = dict(bound)
    problem = _difference("", expected, received, found)
    if problem is None:
        bound.update(found)
    return problem


def filled(value: Any, bound: dict[str, Any]) -> Any:
    """Returns the message with values in place of the placeholders."""
    if isinstance(value, str):
        match = _PLACEHOLDER.fullmatch(value)
        return bound[match[1]] if match is not None and match[1].startswith("is:") else value
    if isinstance(value, list):
        return [filled(one, bound) for one in value]
    if isinstance(value, dict):
        return {name: filled(one, bound) for name, one in value.items()}
    return value


def filled_text(text: str, bound: dict[str, Any]) -> str:
    return re.sub(r"<(is:[\w-]+)>", lambda match: json.dumps(bound[match[1]]), text)


def _difference(path: str, expected: Any, received: Any, bound: dict[str, Any]) -> str | None:
    wrong = f"{path or 'the message'}: expected {expected!r}, received {received!r}"
    if isinstance(expected, str) and (match := _PLACEHOLDER.fullmatch(expected)) is not None:
        return None if _fits(match[1], received, bound) else wrong
    if isinstance(expected, list):
        if not isinstance(received, list) or len(received) != len(expected):
            return wrong
        pairs = [(f"{path}[{index}]", one, received[index]) for index, one in enumerate(expected)]
    elif isinstance(expected, dict):
        if not isinstance(received, dict):
            return wrong
        pairs = [(f"{path}.{name}", one, received.get(name, _ABSENT)) for name, one in expected.items()]
    else:
        return None if expected == received and isinstance(expected, bool) == isinstance(received, bool) else wrong
    return next((problem for pair in pairs if (problem := _difference(*pair, bound)) is not None), None)


def _fits(name: str, received: Any, bound: dict[str, Any]) -> bool:
    if name == "absent" or received is _ABSENT:
        return name == "absent" and received is _ABSENT
    if name == "any":
        return True
    if name == "text":
        return isinstance(received, str)
    if name == "number":
        return isinstance(received, (int, float)) and not isinstance(received, bool)
    if name.startswith("has:"):
        return isinstance(received, str) and name[len("has:") :] in received
    return bool(bound.setdefault(name, received) == received)
