"""Descriptions of a function or a class and of its parameters, parsed from the docstring.

Three styles are read, as they are commonly written: Google (``Args:`` and indented ``name (type): text``), NumPy (``Parameters`` underlined
with dashes, ``name : type`` and indented text) and reStructuredText (``:param type name: text``). Types in docstrings are ignored: the
hints of the signature count. Other sections (``Raises``, ``Examples``, …) are left out.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_PARAMETERS = {"args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters", "attributes"}
_RETURNS = {"returns", "return", "yields"}
_OTHERS = {
    "raises", "warns", "warnings", "warning", "note", "notes", "example", "examples", "see also", "references", "todo", "methods", "receives",
}  # fmt: skip
_SECTIONS = _PARAMETERS | _RETURNS | _OTHERS

_GOOGLE_HEAD = re.compile(r"^([A-Za-z][A-Za-z ]*):\s*$")
_GOOGLE_ENTRY = re.compile(r"^\*{0,2}(\w+)\s*(?:\([^)]*(?:\([^)]*\)[^)]*)*\))?\s*:\s*(.*)$")
_NUMPY_ENTRY = re.compile(r"^(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")
_REST_FIELD = re.compile(r"^:(\w+)(?:\s+([^:]*?))?:\s*(.*)$")
_TYPED_RETURN = re.compile(r"^[\w.\[\], |]+:\s+(.*)$", re.DOTALL)


@dataclass
class Docstring:
    """The parts of a docstring. Texts have line breaks between paragraphs only."""

    #: The text before the first section.
    description: str = ""
    #: Descriptions of parameters, or of the attributes of a class, by name.
    parameters: dict[str, str] = field(default_factory=dict)
    returns: str = ""


def parse_docstring(text: str | None) -> Docstring:
    """Parses a docstring; missing parts are empty. Never raises: text in an unknown style stays in the description."""
    found = Docstring()
    before: list[str] = []
    for name, lines in _sections(inspect.cleandoc(text or "").splitlines()):
        if name is None:
            before += [*lines, ""]
        elif name in _PARAMETERS:
            found.parameters |= _entries(lines)
        elif name in _RETURNS:
            found.returns = _joined(_without_type(lines))
    found.description = _joined(_without_fields(before, found))
    typed = _TYPED_RETURN.match(found.returns)
    if typed is not None:
        found.returns = typed[1]
    return found


def _sections(lines: list[str]) -> Iterator[tuple[str | None, list[str]]]:
    """Yields the sections: the name in lower case and the lines without their common indentation."""
    name: str | None = None
    body: list[str] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        below = lines[index + 1] if index + 1 < len(lines) else ""
        google = _GOOGLE_HEAD.match(line)
        is_google = google is not None and google[1].lower() in _SECTIONS and (below.startswith((" ", "\t")) or not below.strip())
        is_numpy = line.strip().lower() in _SECTIONS and re.fullmatch(r"\s*-{3,}\s*", below) is not None
        # A Google section ends at the first line without indentation.
        ends = name is not None and _is_google_body(body) and line != "" and not line.startswith((" ", "\t"))
        if is_google or is_numpy or ends:
            yield name, _dedented(body)
            body = []
            name = google[1].lower() if is_google and google is not None else line.strip().lower() if is_numpy else None
            index += 2 if is_numpy else 1 if is_google else 0
            if ends and not is_google and not is_numpy:
                body.append(line)
                index += 1
            continue
        body.append(line)
        index += 1
    yield name, _dedented(body)


def _is_google_body(body: list[str]) -> bool:
    first = next((line for line in body if line.strip()), "")
    return first.startswith((" ", "\t"))


def _dedented(lines: list[str]) -> list[str]:
    return inspect.cleandoc("\n" + "\n".join(lines)).splitlines()


def _entries(lines: list[str]) -> dict[str, str]:
    """Returns texts by name. Indented lines belong to the name above them."""
    texts: dict[str, list[str]] = {}
    names: list[str] = []
    for line in lines:
        is_indented = line.startswith((" ", "\t"))
        google = None if is_indented else _GOOGLE_ENTRY.match(line)
        numpy = None if is_indented or not line.strip() else _NUMPY_ENTRY.match(line)
        # "name : type" is NumPy style; in Google style the text follows the colon.
        if numpy is not None and (google is None or re.match(r"^[\w, *]+\s:", line) is not None):
            names = [name.strip().lstrip("*") for name in numpy[1].split(",")]
            texts |= {name: [] for name in names}
        elif google is not None:
            names = [google[1]]
            texts[google[1]] = [google[2]]
        else:
            for name in names:
                texts[name].append(line)
    return {name: joined for name, found in texts.items() if (joined := _joined(found))}


def _without_type(lines: list[str]) -> list[str]:
    """Removes the type of a NumPy section, which has a line of its own."""
    is_numpy = len(lines) > 1 and ":" not in lines[0] and lines[1].startswith((" ", "\t"))
    return lines[1:] if is_numpy else lines


def _without_fields(lines: list[str], found: Docstring) -> list[str]:
    """Returns the lines outside reST fields, and adds the texts of the fields to ``found``."""
    rest: list[str] = []
    fields: list[tuple[str, str, list[str]]] = []
    for line in lines:
        match = _REST_FIELD.match(line)
        if match is not None:
            fields.append((match[1], match[2] or "", [match[3]]))
        elif fields and (line.startswith((" ", "\t")) or not line.strip()):
            fields[-1][2].append(line)
        else:
            rest.append(line)
    for kind, argument, text in fields:
        if kind in ("param", "parameter", "arg", "argument", "key", "keyword", "ivar", "var", "cvar") and argument:
            found.parameters[argument.split()[-1].lstrip("*")] = _joined(text)
        elif kind in ("return", "returns"):
            found.returns = _joined(text)
    return rest


def _joined(lines: list[str]) -> str:
    """Joins each paragraph to one line, with an empty line between paragraphs."""
    paragraphs = re.split(r"\n\s*\n", "\n".join(line.strip() for line in lines).strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
