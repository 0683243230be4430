"""Damages of QuickTime and MPEG-4 files: each function changes the bytes of an intact file."""
import boxes

TABLE = "moov/trak/mdia/minf/stbl/"


def payload(data, path, index=0):
    """Returns the offset of the payload of a box."""
    return boxes.find(data, path)[index][1]


def write(data, offset, value):
    data[offset:offset + 4] = value.to_bytes(4, "big")


def add(data, offset, value):
    write(data, offset, int.from_bytes(data[offset:offset + 4], "big") + value)


def rename(data, path, kind, index=0):
    """Changes the type of a box."""
    offset = payload(data, path, index) - 4
    data[offset:offset + 4] = kind


def duplicate_track(data):
    """The second track has the number of the first."""
    write(data, payload(data, "moov/trak/tkhd", 1) + 12, 1)
    return data


def no_track_header(data):
    rename(data, "moov/trak/tkhd", b"free", 1)
    return data


def short_table(kind, offset):
    """Returns a damage: a table of the video has five entries less than its count."""
    def damage(data):
        add(data, payload(data, TABLE + kind) + offset, 5)
        return data
    return damage


def no_chunks(data):
    write(data, payload(data, TABLE + "stco") + 4, 0)
    return data


def unknown_durations(data):
    """All bits of the durations in the headers of the tracks and the media are set."""
    for index in range(len(boxes.find(data, "moov/trak"))):
        write(data, payload(data, "moov/trak/tkhd", index) + 20, 0xFFFFFFFF)
        write(data, payload(data, "moov/trak/mdia/mdhd", index) + 16, 0xFFFFFFFF)
    return data


def no_timescale(data):
    write(data, payload(data, "moov/mvhd") + 12, 0)
    return data


def unused_box_first(data):
    """An empty box before the file type. The offsets in the file must be relative to its fragments."""
    return b"\0\0\0\x08free" + data


def zeros(data):
    """Space that was reserved for a recording."""
    return data + bytes(100_000)


def relative_tracks_cut(data):
    """The fragments' second track begins where the first one ends, and the file ends within a frame of the first fragment."""
    out = bytearray()
    for kind, begin, start, end in list(boxes.children(data, 0, len(data))):
        if kind == b"mdat" and any(box[0] == b"moof" for box in boxes.children(out, 0, len(out))):
            return out + data[begin:start + 700]
        out += without_offsets(data, start, end) if kind == b"moof" else data[begin:end]
    return out


def without_offsets(data, start, end):
    """Returns a `moof` box whose track fragments other than the first have no base and no data offset."""
    parts, is_first = [], True
    for kind, begin, inside, stop in boxes.children(data, start, end):
        if kind != b"traf":
            parts.append(bytearray(data[begin:stop]))
            continue
        fields = []
        for field, at, body, after in boxes.children(data, inside, stop):
            box = bytearray(data[at:after])
            if not is_first and field == b"tfhd" and box[11] & 1:
                box[11] &= ~1
                del box[16:24]
            elif not is_first and field == b"tfhd":
                box[9] &= ~2
            elif not is_first and field == b"trun":
                box[11] &= ~1
                del box[16:20]
            fields.append(box)
        parts.append(bytearray(wrap(b"traf", b"".join(bytes(wrapped(box)) for box in fields))))
        is_first = False
    moof = bytearray(wrap(b"moof", b"".join(parts)))
    # The first data offset is relative to the fragment, which became smaller.
    run = payload(moof, "moof/traf/trun")
    add(moof, run + 8, len(moof) - (end - start + 8))
    return moof


def large_box(path):
    """Returns a damage: a box is 8 bytes too large, so that it contains the header of the next one."""
    def damage(data):
        add(data, boxes.find(data, path)[0][0], 8)
        return data
    return damage


def cut_index(data):
    """The file ends within the index, after the tables of the first track."""
    return data[:payload(data, TABLE + "stsz", 1) + 40]


def wrap(kind, body):
    return (8 + len(body)).to_bytes(4, "big") + kind + bytes(body)


def wrapped(box):
    """Returns a box with the size of its bytes."""
    return wrap(bytes(box[4:8]), box[8:])


# The damages by the name of their recipe, without its prefix.
DAMAGES = {
    "duplicate-track": duplicate_track, "no-track-header": no_track_header, "no-chunks": no_chunks,
    "short-sizes": short_table("stsz", 8), "short-durations": short_table("stts", 4), "short-sync": short_table("stss", 4),
    "short-chunks": short_table("stco", 4), "short-offsets": short_table("ctts", 4),
    "unknown-durations": unknown_durations, "no-timescale": no_timescale, "unused-box-first": unused_box_first,
    "zeros": zeros, "relative-tracks-cut": relative_tracks_cut,
    "large-track-header": large_box("moov/trak/tkhd"), "large-media": large_box("mdat"), "cut-index": cut_index,
}
PREFIX = "damaged-"
# The containers of the files that are fragmented.
CONTAINERS = {"unused-box-first": "mp4-cmaf", "zeros": "mp4-cmaf", "relative-tracks-cut": "mp4-fragments",
              "large-media": "mp4-cmaf"}
# These files are not damaged for players.
INTACT = {"unknown-durations", "unused-box-first", "zeros"}
