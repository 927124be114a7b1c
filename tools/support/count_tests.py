#!/usr/bin/env python3
"""Counts the tests of one run, and refuses a run that proved less than it seems to.

Usage: count_tests.py ROOT REPORT [--filtered]
Prints a line a test target, then `RAN FAILED` alone on the last line. Exits with 1 when REPORT (in
xUnit form) is absent or holds no test that ran, or when a target in ROOT/Tests ran none (a run
that was filtered on purpose is excused from that).
"""

import collections
import pathlib
import sys
import xml.etree.ElementTree


def cases(report):
    """The test cases of a report; none when the run broke off before it was whole."""
    try:
        return list(xml.etree.ElementTree.parse(report).iter("testcase"))
    except (FileNotFoundError, xml.etree.ElementTree.ParseError):
        return []


def main():
    root, report = (pathlib.Path(argument) for argument in sys.argv[1:3])
    ran, failed, skipped = (collections.Counter() for _ in range(3))
    for case in cases(report):
        target = case.get("classname", "").split(".")[0]
        if case.find("skipped") is not None:
            skipped[target] += 1
            continue
        ran[target] += 1
        failed[target] += case.find("failure") is not None
    for target in sorted(ran | skipped):
        print(f"{target}: {ran[target]} ran, {failed[target]} failed, {skipped[target]} skipped")
    idle = []
    if ran and "--filtered" not in sys.argv:
        idle = [folder.name for folder in root.glob("Tests/*Tests") if ran[folder.name] == 0]
    for target in sorted(idle):
        print(f"{target}: no test of this target ran")
    if not ran:
        print("no test ran to its end: a crash, which shows above, or a filter that matches none")
    print(ran.total(), failed.total())
    return 1 if idle or not ran else 0


sys.exit(main())
