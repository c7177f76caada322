"""Prints as JSON the names that a Python file defines, or the position of its syntax error. Does not run the file."""

import ast
import json
import symtable
import sys


def outline(path):
    with open(path, "rb") as file:
        source = file.read()
    try:
        tree = ast.parse(source, path)
        table = symtable.symtable(source, path, "exec")
    except SyntaxError as error:
        return {"flaw": error.msg, "line": error.lineno, "column": error.offset}
    except ValueError as error:
        return {"flaw": str(error)}
    if any(isinstance(node, ast.ImportFrom) and any(name.name == "*" for name in node.names) for node in ast.walk(tree)):
        return {}
    symbols = table.get_symbols()
    return {"names": [symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()]}


json.dump(outline(sys.argv[1]), sys.stdout)
