"""The test picture: four patches of known color, and the number of the frame as a row of black and white blocks."""
import math
import struct

WIDTH, HEIGHT = 128, 96
BITS = 8
# The patches by the position of their center in the stored picture.
PATCHES = {(0.25, 0.2): (190, 40, 40), (0.75, 0.2): (40, 170, 60), (0.25, 0.8): (40, 60, 190), (0.75, 0.8): (200, 180, 40)}
# The matrix (a, b, c, d) of each orientation: a stored point (x, y) is displayed at (a x + c y, b x + d y).
ORIENTATIONS = {
    "up": (1, 0, 0, 1), "r90": (0, 1, -1, 0), "r180": (-1, 0, 0, -1), "r270": (0, -1, 1, 0),
    "fh": (-1, 0, 0, 1), "fv": (1, 0, 0, -1), "tp": (0, 1, 1, 0), "at": (0, -1, -1, 0),
}
# The audio: a tone that becomes five times louder after a second.
STEP_SECONDS, QUIET, LOUD = 1.0, 0.1, 0.5


def raw_frames(count, width=WIDTH, height=HEIGHT):
    """Returns `count` frames as RGB, 8 bits each."""
    left, right = width // 2, width - width // 2
    colors = list(PATCHES.values())
    top = (bytes(colors[0]) * left + bytes(colors[1]) * right) * (height * 5 // 12)
    bottom = (bytes(colors[2]) * left + bytes(colors[3]) * right) * (height * 5 // 12)
    rows = height - 2 * (height * 5 // 12)
    frames = bytearray()
    for number in range(count):
        bits = [number >> (BITS - 1 - index) & 1 for index in range(BITS)]
        frames += top + b"".join((b"\xff" if bit else b"\0") * 3 * (width // BITS) for bit in bits) * rows + bottom
    return bytes(frames)


def tone(hertz, seconds=2.0, rate=48000):
    """Returns the audio as a WAVE file with one channel of 16 bits."""
    step = int(STEP_SECONDS * rate)
    samples = b"".join(
        struct.pack("<h", round(32767 * (LOUD if n >= step else QUIET) * math.sin(2 * math.pi * hertz * n / rate)))
        for n in range(int(seconds * rate)))
    return struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(samples), b"WAVE", b"fmt ", 16, 1, 1, rate, 2 * rate, 2, 16,
                       b"data", len(samples)) + samples


def displayed(orientation, u, v):
    """Returns where an orientation displays the point (u, v) of the stored picture; all coordinates are from 0 to 1."""
    a, b, c, d = orientation
    return (a * u + c * v - min(0, a, c, a + c), b * u + d * v - min(0, b, d, b + d))


def stored(orientation, x, y):
    """Returns the point of the stored picture that an orientation displays at (x, y): the inverse of `displayed`."""
    a, b, c, d = orientation
    x, y = x + min(0, a, c, a + c), y + min(0, b, d, b + d)
    return (a * x + b * y, c * x + d * y)


class Pictures:
    """Frames in RGB with the geometry in which they are displayed."""

    def __init__(self, pixels, width, height, orientation=ORIENTATIONS["up"], pixel_aspect=1.0):
        self.pixels, self.width, self.height, self.orientation = pixels, width, height, orientation
        self.count = len(pixels) // (width * height * 3) if width and height else 0
        aspect = width * pixel_aspect / height if height else 0
        self.aspect = 1 / aspect if aspect and orientation[0] == 0 else aspect

    def color(self, number, x, y):
        """Returns the mean color around a displayed point of a frame."""
        u, v = stored(self.orientation, x, y)
        column, row = int(u * self.width), int(v * self.height)
        total = [0, 0, 0]
        for r in range(row - 2, row + 3):
            offset = ((number * self.height + r) * self.width + column - 2) * 3
            block = self.pixels[offset:offset + 15]
            for channel in range(3):
                total[channel] += sum(block[channel::3])
        return tuple(value / 25 for value in total)

    def number(self, index, orientation):
        """Returns the number that a frame shows, if the picture is displayed with `orientation`."""
        value = 0
        for bit in range(BITS):
            color = self.color(index, *displayed(orientation, (bit + 0.5) / BITS, 0.5))
            value = value * 2 + (sum(color) > 384)
        return value

    def patches(self, index, orientation):
        """Returns the colors of the patches of a frame, if the picture is displayed with `orientation`."""
        return [self.color(index, *displayed(orientation, u, v)) for u, v in PATCHES]

    def best_orientation(self, index):
        """Returns the name of the orientation with which the patches of a frame have the smallest difference."""
        def error(name):
            return sum(abs(a - b) for found, wanted in zip(self.patches(index, ORIENTATIONS[name]), PATCHES.values())
                       for a, b in zip(found, wanted))
        return min(ORIENTATIONS, key=error)

    def part(self, x, y, width, height):
        """Returns a rectangle of the first frame as a picture of its own."""
        rows = (self.pixels[(row * self.width + x) * 3:(row * self.width + x + width) * 3] for row in range(y, y + height))
        return Pictures(b"".join(rows), width, height)
