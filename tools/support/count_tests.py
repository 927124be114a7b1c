#!/usr/bin/env python3
"""Counts the tests of one run, and refuses a run that proved less than it seems to.

Usage: count_tests.py ROOT REPORT EVENTS [--filtered]
Prints a line a test target, then `RAN FAILED` alone on the last line. Exits with 1 when REPORT (in
xUnit form) is absent or holds no test that ran, or when a target in ROOT/Tests ran none (a run
that was filtered on purpose is excused from that). Of a run that broke off, EVENTS (a JSON line
each) tell which tests had not ended.
"""

import collections
import json
import pathlib
import sys
import xml.etree.ElementTree


def cases(report):
    """The test cases of a report; none when the run broke off before it was whole."""
    try:
        return list(xml.etree.ElementTree.parse(report).iter("testcase"))
    except (FileNotFoundError, xml.etree.ElementTree.ParseError):
        return []


def unfinished(events):
    """The tests that began and did not end, in the order in which they began."""
    running = {}
    for line in events.read_text().splitlines() if events.exists() else []:
        try:
            event = json.loads(line)["payload"]
        except ValueError:  # The last line may be cut.
            break
        if event["kind"] == "testStarted":
            running[event["testID"]] = True
        elif event["kind"] == "testEnded":
            running.pop(event["testID"], None)
    return [name for name in running if "(" in name]  # A suite has no parentheses.


def main():
    root, report, events = (pathlib.Path(argument) for argument in sys.argv[1:4])
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
        print("no whole report: a crash, which shows above, or a filter that matches no test")
        for name in unfinished(events):
            print(f"was running: {name}")
    print(ran.total(), failed.total())
    return 1 if idle or not ran else 0


sys.exit(main())
