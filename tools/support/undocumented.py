#!/usr/bin/env python3
"""Lists the public declarations without a doc comment in the symbol graphs of a folder.

Usage: undocumented.py ROOT GRAPHS
Prints `file:line: kind name`, the files relative to ROOT. Exits with 1 when there is one, or when
the graphs hold no declaration at all, since a gate that saw nothing has proven nothing.
"""

import json
import pathlib
import sys
from urllib.parse import unquote, urlparse


def place(symbol, root):
    """Where a declaration stands; None for one that the compiler made."""
    location = symbol.get("location")
    if location is None:
        return None
    path = pathlib.Path(unquote(urlparse(location["uri"]).path))
    path = path.relative_to(root) if path.is_relative_to(root) else path
    return path, location["position"]["line"] + 1


def main():
    root, graphs = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    declarations, missing = 0, []
    for graph in graphs.glob("*.symbols.json"):
        for symbol in json.loads(graph.read_text())["symbols"]:
            where = place(symbol, root)
            if where is None:
                continue
            declarations += 1
            lines = symbol.get("docComment", {}).get("lines", [])
            if not any(line["text"].strip() for line in lines):
                missing.append((where, symbol["kind"]["displayName"], symbol["pathComponents"]))
    for (path, line), kind, names in sorted(missing, key=lambda entry: entry[0]):
        print(f"{path}:{line}: {kind} {'.'.join(names)} has no doc comment", file=sys.stderr)
    print(f"{declarations - len(missing)} of {declarations} public declarations are documented")
    return 1 if missing or declarations == 0 else 0


sys.exit(main())
