"""The protocol between `holdfast work` and a handler: one line of JSON in, JSON Lines out.

`holdfast help work` describes it. Invariants: what is printed is whole lines of ASCII, written at
once; a line that is no protocol line ends the handler with 65 before it has printed anything.
"""

import json
import math
import signal
import sys

# EX_DATAERR and EX_TEMPFAIL are numbers of sysexits.h.
DONE, FAILED, INPUT_NEVER_WORKS, TRY_LATER = 0, 1, 65, 75


def leave(code, message):
    """Ends the handler; the last line on standard error is what `holdfast tasks` shows."""
    print(message, file=sys.stderr, flush=True)
    sys.exit(code)


def read_order():
    """The order on standard input, as a dictionary; unknown keys are the caller's to ignore."""
    # A `work` that is gone takes its handler with it, at the next line that this prints.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        order = json.loads(sys.stdin.buffer.readline().decode("utf-8"))
    except (ValueError, RecursionError):
        leave(INPUT_NEVER_WORKS, "the input is no line of JSON; holdfast help work has the form")
    if not isinstance(order, dict) or not isinstance(order.get("task"), dict):
        leave(INPUT_NEVER_WORKS, "the input has no task; holdfast help work has the form")
    return order


def part(order, name, kind, default):
    """A part of the order that may be absent, but not of another kind."""
    value = order.get(name)
    if value is None:
        return default
    if not isinstance(value, kind):
        leave(INPUT_NEVER_WORKS, f"{name} in the input is no {kind.__name__}")
    return value


def number(value, default=0.0):
    """A finite number, or the default for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return default
    return float(value) if math.isfinite(value) else default


def emit(key, value):
    """Prints one line of output."""
    sys.stdout.write(json.dumps({key: value}) + "\n")
    sys.stdout.flush()
