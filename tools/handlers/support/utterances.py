"""Cuts sound into utterances, so that a recognizer is given some seconds of speech at a time.

Invariants: utterances are in order and do not overlap; none is longer than 20 s; where nobody
speaks there is none. Bounded memory, whatever the length of the sound.
"""

import array
import collections

from sound import RATE

FRAME_SECONDS = 0.03
FRAME_BYTES = 2 * int(RATE * FRAME_SECONDS)
# In frames: what is kept around speech, how long a pause ends an utterance, how many of the frames
# kept must be speech to begin one, the longest, and where a longer one may be cut.
MARGIN, PAUSE, ENOUGH, LONGEST, LAST = 10, 20, 3, 666, 200


def frames(pieces):
    """Pieces of bytes as frames of one length; the last is filled up with silence."""
    rest = b""
    for piece in pieces:
        rest += piece
        whole = len(rest) - len(rest) % FRAME_BYTES
        for at in range(0, whole, FRAME_BYTES):
            yield rest[at : at + FRAME_BYTES]
        rest = rest[whole:]
    if rest:
        yield rest.ljust(FRAME_BYTES, b"\0")


def loudness(frame):
    """How loud a frame is, on a scale of its own."""
    return sum(map(abs, array.array("h", frame)))


def utterances(pieces, is_speech):
    """Yields (start in seconds, bytes); and (seconds, None) about every second of silence."""
    recent = collections.deque(maxlen=MARGIN)  # (frame, is speech), while nobody speaks.
    spoken, first, quiet = [], 0, 0
    for index, frame in enumerate(frames(pieces)):
        speech = is_speech(frame)
        if not spoken:
            recent.append((frame, speech))
            if sum(flag for _, flag in recent) >= ENOUGH:
                first, quiet = index + 1 - len(recent), 0
                spoken = [frame for frame, _ in recent]
                recent.clear()
            elif index % 33 == 0:
                yield index * FRAME_SECONDS, None
            continue
        spoken.append(frame)
        quiet = 0 if speech else quiet + 1
        if quiet >= PAUSE:
            yield first * FRAME_SECONDS, b"".join(spoken[: len(spoken) - PAUSE + MARGIN])
            spoken = []
        elif len(spoken) >= LONGEST:
            cut = min(range(LONGEST - LAST, LONGEST), key=lambda at: loudness(spoken[at]))
            yield first * FRAME_SECONDS, b"".join(spoken[:cut])
            spoken, first = spoken[cut:], first + cut
    if spoken:
        yield first * FRAME_SECONDS, b"".join(spoken)
