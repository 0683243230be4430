"""The colors of the chart's patches, and their differences from those of photos."""
import math
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "SimDevices/Scene/ChartScene.swift"
# The patches of the gray scale between black and white, from which the exposure is computed.
GRAYS = (20, 21, 22)
# Linear BT.709 to CIE XYZ with the white point D65 (IEC 61966-2-1).
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


def reflectances():
    """Returns the linear reflectances of the patches, from the source of the chart."""
    table = SOURCE.read_text(encoding="utf-8").partition("static let patches")[2].partition("]\n")[0]
    patches = [tuple(map(float, row)) for row in re.findall(r"\((\d\.\d+), (\d\.\d+), (\d\.\d+)\)", table)]
    assert len(patches) == 24, f"{SOURCE} has {len(patches)} patches"
    return patches


def patch_area(index, width, height):
    """Returns the inner half of a patch in pixels: left, top, right, bottom; as `ChartScene.patchFrame`."""
    x, y = 0.05 + index % 6 * 0.09, 0.2 + index // 6 * 0.17
    return (int((x + 0.02) * width), int((y + 0.0375) * height), int((x + 0.06) * width), int((y + 0.1125) * height))


def patch_means(samples, width, height, bits):
    """Returns the mean red, green and blue of each patch, 0 to 1, from rows of interleaved samples.

    `samples` are bytes, with two of them for each sample of more than 8 bits, in big-endian order.
    """
    size = 2 if bits > 8 else 1
    means = []
    for index in range(24):
        left, top, right, bottom = patch_area(index, width, height)
        sums, count = [0, 0, 0], (right - left) * (bottom - top)
        for row in range(top, bottom):
            line = samples[(row * width + left) * 3 * size:(row * width + right) * 3 * size]
            for color in range(3):
                if size == 1:
                    sums[color] += sum(line[color::3])
                else:
                    sums[color] += 256 * sum(line[2 * color::6]) + sum(line[2 * color + 1::6])
        means.append(tuple(value / count / ((1 << 8 * size) - 1) for value in sums))
    return means


def linear(patches):
    """Returns linear light of signals with the transfer function of sRGB."""
    def light(signal):
        return ((signal + 0.055) / 1.055) ** 2.4 if signal > 0.04045 else signal / 12.92
    return [tuple(map(light, patch)) for patch in patches]


def lab(color):
    def root(value):
        return value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116
    x, y, z = (root(sum(c * f for c, f in zip(color, row)) / white) for row, white in zip(TO_XYZ, WHITE))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(first, second):
    """Returns the color difference of two colors in CIELAB (ISO/CIE 11664-6)."""
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2)))
    difference = h2 - h1 if c1 * c2 else 0.0
    difference += 360 if difference < -180 else -360 if difference > 180 else 0
    hue = h1 + h2
    if c1 * c2:
        hue = hue / 2 if abs(h1 - h2) <= 180 else (hue + 360) / 2 if hue < 360 else (hue - 360) / 2
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (1 - 0.17 * math.cos(math.radians(hue - 30)) + 0.24 * math.cos(math.radians(2 * hue))
         + 0.32 * math.cos(math.radians(3 * hue + 6)) - 0.20 * math.cos(math.radians(4 * hue - 63)))
    sl = 1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = (-2 * math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7))
                * math.sin(math.radians(60 * math.exp(-((hue - 275) / 25) ** 2))))
    dl, dc = (l2 - l1) / sl, (c2 - c1) / sc
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(difference / 2)) / sh
    return math.sqrt(max(0, dl * dl + dc * dc + dh * dh + rotation * dc * dh))


def difference(patches):
    """Returns the mean and the largest difference of linear colors from the chart, and the patch of the largest one.

    One factor for all colors, the exposure, makes the grays equal.
    """
    chart = reflectances()
    factor = sum(chart[index][1] for index in GRAYS) / sum(patches[index][1] for index in GRAYS)
    values = [
        ciede2000(lab(expected), lab([max(0, value * factor) for value in patch]))
        for expected, patch in zip(chart, patches)
    ]
    largest = max(values)
    return sum(values) / len(values), largest, values.index(largest)
