"""Boxes of QuickTime and MPEG-4 files: finding, replacing and patching them."""
CONTAINERS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"dinf", b"udta", b"gmhd", b"moof", b"traf", b"mvex"}


def children(data, start, end):
    """Yields (type, start of the box, start of its payload, end) of each box between two offsets."""
    while start + 8 <= end:
        size, header = int.from_bytes(data[start:start + 4], "big"), 8
        if size == 1:
            size, header = int.from_bytes(data[start + 8:start + 16], "big"), 16
        elif size == 0:
            size = end - start
        if size < header or start + size > end:
            return
        yield bytes(data[start + 4:start + 8]), start, start + header, start + size
        start += size


def find(data, path, start=0, end=None):
    """Returns (start, payload, end) of all boxes with a path such as `moov/trak/tkhd`."""
    first, _, rest = path.partition("/")
    hits = []
    for kind, begin, payload, stop in children(data, start, len(data) if end is None else end):
        if kind == first.encode():
            hits += find(data, rest, payload, stop) if rest else [(begin, payload, stop)]
    return hits


def tracks(data):
    """Returns (handler type, start of the `trak` payload, end) of each track."""
    result = []
    for _, payload, end in find(data, "moov/trak"):
        handler = find(data, "mdia/hdlr", payload, end)[0][1]
        result.append((bytes(data[handler + 8:handler + 12]), payload, end))
    return result


def set_matrix(data, orientation, moves):
    """Writes a matrix into the header of each video track.

    `orientation` is (a, b, c, d). If `moves` is true, the matrix also moves the rotated picture to the origin.
    """
    for handler, payload, end in tracks(data):
        if handler != b"vide":
            continue
        header = find(data, "tkhd", payload, end)[0][1]
        matrix = header + (52 if data[header] == 1 else 40)
        width, height = (int.from_bytes(data[matrix + 36 + i:matrix + 40 + i], "big") for i in (0, 4))
        a, b, c, d = orientation
        x = -min(0, a * width, c * height, a * width + c * height) if moves else 0
        y = -min(0, b * width, d * height, b * width + d * height) if moves else 0
        values = (a << 16, b << 16, 0, c << 16, d << 16, 0, x, y, 1 << 30)
        data[matrix:matrix + 36] = b"".join((value & 0xFFFFFFFF).to_bytes(4, "big") for value in values)


def first_fragment_time(data):
    """Returns the presentation time of the first sample of the video in a fragmented file, in seconds.

    Returns None if the file has no fragments, or an edit list that can move the time.
    """
    video = next(((payload, end) for handler, payload, end in tracks(data) if handler == b"vide"), None)
    if video is None or find(data, "edts/elst", *video):
        return None
    header, media = find(data, "tkhd", *video)[0][1], find(data, "mdia/mdhd", *video)[0][1]
    number = data[header + (20 if data[header] == 1 else 12):][:4]
    timescale = int.from_bytes(data[media + (20 if data[media] == 1 else 12):][:4], "big")
    for _, payload, end in find(data, "moof/traf"):
        if data[find(data, "tfhd", payload, end)[0][1] + 4:][:4] != number:
            continue
        decoding, run = (find(data, kind, payload, end)[0][1] for kind in ("tfdt", "trun"))
        start = int.from_bytes(data[decoding + 4:decoding + (12 if data[decoding] == 1 else 8)], "big")
        flags = int.from_bytes(data[run + 1:run + 4], "big")
        # The fields before the composition offset of the first sample: data offset, flags of the first sample, duration,
        # size and flags.
        offset = run + 8 + 4 * sum(bool(flags & bit) for bit in (0x1, 0x4, 0x100, 0x200, 0x400))
        if flags & 0x800:
            start += int.from_bytes(data[offset:offset + 4], "big", signed=data[run] == 1)
        return start / timescale
    return None


def replace_boxes(data, new):
    """Returns a file in which the boxes at some paths have new bytes.

    `new` maps the path of a box, such as `moov/trak/mdia`, to the bytes that replace it. The offsets of chunks stay valid only if
    the `moov` box is the last one.
    """
    def rebuild(start, end, prefix):
        out = bytearray()
        for kind, begin, payload, stop in children(data, start, end):
            here = f"{prefix}/{kind.decode('latin-1')}".lstrip("/")
            if here in new:
                out += new[here]
            elif kind in CONTAINERS:
                body = rebuild(payload, stop, here)
                out += (8 + len(body)).to_bytes(4, "big") + kind + body
            else:
                out += data[begin:stop]
        return out

    return rebuild(0, len(data), "")


def full_box(kind, values):
    """Returns a box of version 0 with 32-bit values."""
    body = b"\0\0\0\0" + b"".join(value.to_bytes(4, "big") for value in values)
    return (8 + len(body)).to_bytes(4, "big") + kind + body
