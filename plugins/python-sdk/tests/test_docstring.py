"""Docstrings in three styles."""

from __future__ import annotations

import pytest

from toolkit._docstring import parse_docstring

GOOGLE = """Finds orders.

    The newest come
    first.

    Args:
        customer (str): Whose they are,
            by number: 4711.
        *tags: Any of these.
        limit (Optional[int]): At most.

    Returns:
        list[str]: Their ids.

    Raises:
        ValueError: never
"""

NUMPY = """Finds orders.

    The newest come
    first.

    Parameters
    ----------
    customer : str
        Whose they are,
        by number: 4711.
    tags
        Any of these.
    limit : int, optional
        At most.

    Returns
    -------
    list[str]
        Their ids.

    Raises
    ------
    ValueError
        never
"""

REST = """Finds orders.

    The newest come
    first.

    :param str customer: Whose they are,
        by number: 4711.
    :param tags: Any of these.
    :type limit: int
    :param limit: At most.
    :returns: Their ids.
    :raises ValueError: never
"""


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, REST], ids=["google", "numpy", "rest"])
def test_the_styles_say_the_same(text: str) -> None:
    found = parse_docstring(text)
    assert found.description == "Finds orders.\n\nThe newest come first."
    assert found.parameters == {"customer": "Whose they are, by number: 4711.", "tags": "Any of these.", "limit": "At most."}
    assert found.returns == "Their ids."


@pytest.mark.parametrize(
    ("text", "description"),
    [
        (None, ""),
        ("", ""),
        ("One line.", "One line."),
        ("Note: this is text.", "Note: this is text."),
        ("Reads this:\n\n    code", "Reads this:\n\ncode"),
        ("Does it.\n\nArgs:\n    x: a\n\nMore about it.", "Does it.\n\nMore about it."),
    ],
)
def test_what_is_no_section_is_description(text: str | None, description: str) -> None:
    assert parse_docstring(text).description == description


def test_several_numpy_parameters_share_a_text() -> None:
    assert parse_docstring("A.\n\nParameters\n----------\nx, y : int\n    Where.\n").parameters == {"x": "Where.", "y": "Where."}
