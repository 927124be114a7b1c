"""A unit's WAV file as 16 kHz mono, which is what recognizers take. Plain Python, piece by piece.

Invariants: memory is bounded by a second of the file, whatever its length; output frame n is the
sound at n / 16,000 s of the input, also across pieces; there are floor(frames * 16,000 / rate)
output frames.
"""

import array
import math
import operator
import struct
import sys

RATE = 16_000
PIECE_SECONDS = 1


class NotSound(Exception):
    """The file is not what `holdfast work` hands out: a WAV file of 16-bit samples."""


def open_wav(path):
    """The file at its first sample, with its rate, channels and the bytes of its samples."""
    file = open(path, "rb")
    head = file.read(12)
    if head[:4] not in (b"RIFF", b"RF64") or head[8:] != b"WAVE":
        raise NotSound("it is no WAV file")
    rate = channels = 0
    while True:
        chunk = file.read(8)
        if len(chunk) < 8:
            raise NotSound("it has no samples")
        name, size = chunk[:4], struct.unpack("<I", chunk[4:])[0]
        if name == b"data":
            break
        body = file.read(size + size % 2)
        if name == b"fmt " and len(body) >= 16:
            tag, channels, rate, _, _, bits = struct.unpack("<HHIIHH", body[:16])
            if tag not in (1, 0xFFFE) or bits != 16:
                raise NotSound("its samples are not of 16 bits")
    if rate == 0 or channels == 0:
        raise NotSound("it does not say its rate and channels")
    # In RF64 the size stands elsewhere; the samples are last in what holdfast writes.
    return file, rate, channels, math.inf if size == 0xFFFFFFFF else size


def mono(file, channels, frames_a_piece, size):
    """The samples, channels averaged, as lists of numbers; a cut frame at the end is left out."""
    width = 2 * channels
    while size >= width:
        data = file.read(int(min(frames_a_piece * width, size)))
        data = data[: len(data) - len(data) % width]
        if not data:
            return
        size -= len(data)
        samples = array.array("h", data)
        if sys.byteorder == "big":
            samples.byteswap()
        if channels > 1:
            tracks = [samples[channel::channels] for channel in range(channels)]
            yield [sum(frame) / channels for frame in zip(*tracks)]
        else:
            yield list(samples)


class Resampler:
    """Changes the rate to 16 kHz by a windowed sinc, one filter for each place between samples."""

    # Zero crossings on each side, and filters at most: 512 places leave errors below 16 bits' noise
    # of speech.
    CROSSINGS, PLACES = 8, 512

    def __init__(self, rate):
        common = math.gcd(rate, RATE)
        self.up, self.down = RATE // common, rate // common
        cut = min(1.0, RATE / rate)  # What lies above the lower rate's half must go.
        self.side = math.ceil(self.CROSSINGS / cut)
        self.count = min(self.up, self.PLACES)
        self.filters = [self._filter(place / self.count, cut) for place in range(self.count)]
        self.held = [0.0] * (self.side - 1)  # Input from frame `first` on.
        self.first = 1 - self.side
        self.next = 0  # Output frames that are out.

    def _filter(self, place, cut):
        taps = []
        for tap in range(1 - self.side, self.side + 1):
            x = tap - place
            window = 0.5 + 0.5 * math.cos(math.pi * x / (self.side + 1))
            angle = math.pi * x * cut
            taps.append(window * cut * (math.sin(angle) / angle if angle else 1.0))
        total = sum(taps)
        return [tap / total for tap in taps]

    def push(self, samples):
        """Takes input and gives the output that it makes possible."""
        self.held += samples
        out = []
        last = self.first + len(self.held) - 1
        while True:
            whole, rest = divmod(self.next * self.down, self.up)
            if whole + self.side > last:
                break
            start = whole + 1 - self.side - self.first
            taps = self.filters[rest * self.count // self.up]
            out.append(sum(map(operator.mul, taps, self.held[start : start + 2 * self.side])))
            self.next += 1
        done = max(min(whole + 1 - self.side - self.first, len(self.held)), 0)
        del self.held[:done]
        self.first += done
        return out

    def finish(self, frames):
        """The rest, after `frames` frames of input in all."""
        out = self.push([0.0] * (self.side + 1))
        wanted = frames * self.up // self.down
        return out[: max(len(out) - (self.next - wanted), 0)]


def pieces(path):
    """The file as 16 kHz mono, in pieces of bytes: 16-bit samples, little-endian."""
    file, rate, channels, size = open_wav(path)
    with file:
        source = mono(file, channels, rate * PIECE_SECONDS, size)
        if rate == RATE:
            yield from map(packed, source)
            return
        resampler, frames = Resampler(rate), 0
        for piece in source:
            frames += len(piece)
            yield packed(resampler.push(piece))
        yield packed(resampler.finish(frames))


def packed(samples):
    """Numbers as 16-bit samples."""
    data = array.array("h", (max(-32_768, min(32_767, round(sample))) for sample in samples))
    if sys.byteorder == "big":
        data.byteswap()
    return data.tobytes()
