"""Type hints of functions and classes. Hints written as texts are resolved."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Mapping
from typing import Any

from ._shape import HintError


def hints_of(target: Any, names: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Returns the hints of a function or class, with ``Annotated``. ``names``: known names in addition to the globals of its module.

    Raises HintError for an unknown name.
    """
    try:
        return typing.get_type_hints(target, localns=_names_for(target, names), include_extras=True)
    except NameError as error:
        missing = getattr(error, "name", None) or str(error)
        where = _place_of(target, missing, place)
        raise HintError(
            where,
            f'a hint with the name "{missing}", which is not known here',
            "Import it outside `if TYPE_CHECKING:`, or define it before the decorator runs.",
        ) from error
    except (TypeError, SyntaxError) as error:
        raise HintError(place, f"a hint that cannot be read ({error})", "Correct it.") from error


def local_names(depth: int, code: types.CodeType | None) -> dict[str, Any]:
    """Returns the local names of the running functions and classes, from ``depth`` frames up, that are in the file of ``code``.

    They resolve types defined in a function, when hints are texts (``from __future__ import annotations``).
    """
    found: dict[str, Any] = {}
    frame = sys._getframe(depth) if code is not None else None
    while frame is not None:
        if code is not None and frame.f_code.co_filename == code.co_filename and frame.f_locals is not frame.f_globals:
            found = {**frame.f_locals, **found}
        frame = frame.f_back
    return found


def _names_for(target: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    closure = getattr(target, "__closure__", None) or ()
    code = getattr(target, "__code__", None)
    held = dict(zip(code.co_freevars, closure)) if code is not None else {}
    own = {name: cell.cell_contents for name, cell in held.items() if _is_filled(cell)}
    own_name = {target.__name__: target} if isinstance(target, type) else {}
    return {**names, **own, **own_name}


def _is_filled(cell: types.CellType) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


def _place_of(target: Any, missing: str, place: str) -> str:
    written = getattr(target, "__annotations__", {})
    for name, hint in written.items():
        if isinstance(hint, str) and missing in hint:
            return f'{place}, "{name}",' if isinstance(target, type) else "the result" if name == "return" else f'the parameter "{name}"'
    return place
