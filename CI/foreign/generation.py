"""Generates the file of a case with ffmpeg and patches of single boxes."""
import random
import subprocess
from pathlib import Path

import boxes
import damages
import picture
from media import fraction

EXTENSIONS = {"mov": "mov", "mp4": "mp4", "3gp": "3gp", "mkv": "mkv", "avi": "avi", "ts": "ts"}
RATES = {"30fps": "30", "25fps": "25", "ntsc": "30000/1001", "vfr": "30"}
COUNT = 60
# ffmpeg's names of matrix, primaries and transfer function, and whether the range is full.
COLORS = {
    "untagged": (None, False), "full": (None, True), "bt601": ("smpte170m", False), "bt470bg": ("bt470bg", False),
    "bt709": ("bt709", False), "bt709-full": ("bt709", True),
}
ENCODERS = {
    "h264": ["libx264", "-preset", "veryfast", "-crf", "12"],
    "h264-10": ["libx264", "-preset", "veryfast", "-crf", "12"],
    "hvc1": ["libx265", "-preset", "ultrafast", "-crf", "10", "-tag:v", "hvc1"],
    "hev1": ["libx265", "-preset", "ultrafast", "-crf", "10", "-tag:v", "hev1"],
    "hvc1-10": ["libx265", "-preset", "ultrafast", "-crf", "10", "-tag:v", "hvc1"],
    "mpeg4": ["mpeg4", "-q:v", "2"],
    "mjpeg": ["mjpeg", "-q:v", "2"],
    "vp9": ["libvpx-vp9", "-crf", "8", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "8"],
    "av1": ["libaom-av1", "-crf", "8", "-b:v", "0", "-usage", "realtime", "-cpu-used", "8"],
    "prores": ["prores_ks", "-profile:v", "2"],
    "mpeg2": ["mpeg2video", "-q:v", "2"],
    "ffv1": ["ffv1"],
}
PIXELS = {"h264-10": "yuv420p10le", "hvc1-10": "yuv420p10le", "prores": "yuv422p10le", "mjpeg": "yuvj420p"}
AUDIO_CODECS = {
    "silent": [], "aac": ["aac"], "aac2": ["aac", "aac"], "pcm": ["pcm_s16le"], "pcm-be": ["pcm_s16be"],
    "opus": ["libopus"], "mp3": ["libmp3lame"], "ac3": ["ac3"], "alac": ["alac"], "flac": ["flac"],
}
FRAGMENTS = {
    "mov-fragments": "frag_keyframe+empty_moov+default_base_moof", "mp4-fragments": "frag_keyframe+empty_moov",
    "mp4-cmaf": "cmaf+frag_keyframe", "mp4-frames": "frag_every_frame+empty_moov+default_base_moof",
}
SUBTITLES = "1\n00:00:00,200 --> 00:00:00,900\nfirst\n\n2\n00:00:01,000 --> 00:00:01,700\nsecond\n"
CHAPTERS = ";FFMETADATA1\n" + "".join(
    f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={start + 1000}\ntitle=Part {start // 1000 + 1}\n" for start in (0, 1000))


class NotGenerated(Exception):
    """A file that could not be generated: an error of ffmpeg, or of this script."""


def ffmpeg(*words):
    result = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, words)], capture_output=True, text=True)
    if result.returncode:
        raise NotGenerated(f"ffmpeg {' '.join(map(str, words))}: {result.stderr.strip()[-300:]}")


class Sources:
    """The inputs that all cases share: pictures, tones, subtitles and chapters."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.frames = self._write("frames.rgb", picture.raw_frames(COUNT))
        self.large = self._write("large.rgb", picture.raw_frames(10, 1280, 720))
        self.tones = [self._write(f"tone{hertz}.wav", picture.tone(hertz)) for hertz in (500, 800, 1100)]
        self.low_tone = self._write("low.wav", picture.tone(500, rate=16000))
        self.subtitles = self._write("texts.srt", SUBTITLES.encode())
        self.chapters = self._write("chapters.txt", CHAPTERS.encode())

    def _write(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path


def encode(case, sources, path, **changes):
    """Encodes the test picture and the tones as the factors of a case say.

    `changes` replaces parts: `count`, `color` (names of matrix, primaries, transfer), `tones`, `flags`, `more` (options
    of the output), `offset` (seconds).
    """
    rate, size = RATES[case.rate], f"{picture.WIDTH}x{picture.HEIGHT}"
    frames = sources.frames
    if changes.get("large"):
        frames, size = sources.large, "1280x720"
    inputs = []
    delay = ["-itsoffset", "0.4"]
    inputs += [*(delay if case.edit == "late-video" else []), "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate,
               "-i", frames]
    codecs = AUDIO_CODECS[case.audio]
    tones = changes.get("tones") or sources.tones[:len(codecs)]
    for tone in tones:
        inputs += [*(delay if case.edit == "late-audio" else []), "-i", tone]
    maps = [word for index in range(1 + len(tones)) for word in ("-map", f"{index}:0")]
    output = []
    if case.data in ("text", "unknown"):
        inputs += ["-i", sources.subtitles]
        maps += ["-map", f"{1 + len(tones)}:0"]
        output += ["-c:s", "subrip" if case.container == "mkv" else "mov_text"]
    elif case.data == "chapters":
        inputs += ["-i", sources.chapters]
        output += ["-map_chapters", 1 + len(tones)]
    elif case.data == "timecode":
        output += ["-timecode", "01:00:00:00"]
    name, full = COLORS[case.color]
    names = changes.get("color") or (name, name, "smpte170m" if name == "bt470bg" else name)
    matrix = {None: "bt709" if changes.get("large") else "bt601", "smpte170m": "bt601", "bt470bg": "bt601",
              "bt2020nc": "bt2020"}.get(names[0], names[0])
    full = full or case.video == "mjpeg"
    filters = ["settb=1/30000"] if case.rate == "vfr" else []
    filters += ["setpts=(N+0.4*mod(N\\,3))/30/TB"] if case.rate == "vfr" else []
    filters += [f"scale=out_color_matrix={matrix}:out_range={'pc' if full else 'tv'}:flags=accurate_rnd+full_chroma_inp",
                f"format={PIXELS.get(case.video, 'yuv420p')}"]
    filters += [f"setsar={case.pixels[3:].replace('x', '/')}"]
    output += ["-vf", ",".join(filters), "-c:v", *ENCODERS[case.video], "-g", "15"]
    output += ["-fps_mode", "vfr", "-enc_time_base", "1/30000"] if case.rate == "vfr" else ["-fps_mode", "passthrough"]
    bframes = 2 if case.reordering == "b2" else 0
    if case.video in ("hvc1", "hev1", "hvc1-10"):
        output += ["-x265-params", f"log-level=error:keyint=15:bframes={bframes}:b-adapt=0:open-gop=0:pools=1:frame-threads=1"]
    elif case.video in ("h264", "h264-10", "mpeg4", "mpeg2"):
        output += ["-bf", bframes]
    if names[0]:
        output += ["-colorspace", names[0], "-color_primaries", names[1], "-color_trc", names[2]]
    if full or names[0]:
        output += ["-color_range", "pc" if full else "tv"]
    for index, codec in enumerate(codecs):
        output += [f"-c:a:{index}", codec]
    flags = changes.get("flags") or FRAGMENTS.get(case.container)
    if flags and case.audio == "ac3":
        # The description of AC-3 is only known after the first packet.
        flags = flags.replace("empty_moov", "delay_moov").replace("cmaf", "cmaf+delay_moov")
    output += ["-movflags", flags] if flags else []
    offset = changes.get("offset", 10 if case.edit == "start10" else 0)
    output += ["-output_ts_offset", offset] if offset else []
    output += ["-frames:v", changes["count"]] if "count" in changes else []
    # The 3GP muxer of ffmpeg marks its files with another brand only.
    ffmpeg(*inputs, *maps, *output, "-map_metadata", "-1", "-strict", "experimental", "-threads", "1",
           *changes.get("more", []), path)


def hide_type(data):
    """Changes the text track of a movie into a track of an unknown kind."""
    for handler, payload, end in boxes.tracks(data):
        if handler in (b"sbtl", b"text", b"subt"):
            position = boxes.find(data, "mdia/hdlr", payload, end)[0][1] + 8
            data[position:position + 4] = b"meta"
            entry = boxes.find(data, "mdia/minf/stbl/stsd", payload, end)[0][1] + 12
            data[entry:entry + 4] = b"gpmd"


def generate(case, sources, folder):
    """Generates the file of a case. Returns its path and that of the same file before the cut or the damage."""
    path = Path(folder) / f"generated.{EXTENSIONS[case.family]}"
    if case.recipe:
        RECIPES[case.recipe](case, sources, path)
    elif case.edit == "trimmed":
        long = path.with_name("long." + path.suffix[1:])
        encode(case, sources, long)
        # At the start of a frame: if an edit starts inside of a frame, ffmpeg presents it or not, depending on time scales.
        start = f"{21 / fraction(RATES[case.rate]):.6f}"
        ffmpeg("-ss", start, "-i", long, "-map", "0", "-c", "copy", "-strict", "experimental", path)
        long.unlink()
    else:
        encode(case, sources, path)
    data = bytearray(path.read_bytes())
    if case.data == "unknown":
        hide_type(data)
    if case.orientation != "up":
        boxes.set_matrix(data, picture.ORIENTATIONS[case.orientation], case.translation == "moved")
    path.write_bytes(data)
    if not case.is_cut and not case.is_damaged:
        return path, path
    uncut = path.with_name("uncut." + path.suffix[1:])
    path.rename(uncut)
    if case.is_damaged:
        path.write_bytes(damages.DAMAGES[case.recipe[len(damages.PREFIX):]](data))
    else:
        path.write_bytes(data[:len(data) * int(case.cut[3:]) // 100])
    return path, uncut


def plain(case, sources, path):
    encode(case, sources, path)


def three_audio_tracks(case, sources, path):
    """A recording with three audio tracks in one alternate group: only the first is enabled."""
    three = Path(path.parent / "three.mov")
    ffmpeg("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{picture.WIDTH}x{picture.HEIGHT}", "-r", "30", "-i", sources.frames,
           *[word for tone in sources.tones for word in ("-i", tone)], *[word for n in range(4) for word in ("-map", n)],
           "-c:v", "libx264", "-crf", "12", "-pix_fmt", "yuv420p", "-c:a", "aac", three)
    data = bytearray(three.read_bytes())
    seen = 0
    for handler, payload, end in boxes.tracks(data):
        if handler == b"soun":
            header = boxes.find(data, "tkhd", payload, end)[0][1]
            data[header + 3] = 0x0F if seen == 0 else 0x0E
            data[header + 34:header + 36] = (1).to_bytes(2, "big")
            seen += 1
    path.write_bytes(data)
    three.unlink()


def negative_offsets(case, sources, path):
    encode(case, sources, path, flags="negative_cts_offsets")


def sar_conflict(case, sources, path):
    """A parameter set that says 4:3, and a container that says 1:1."""
    first = path.with_name("first." + path.suffix[1:])
    encode(case, sources, first)
    ffmpeg("-i", first, "-map", "0", "-c", "copy", "-bsf:v", "h264_metadata=sample_aspect_ratio=4/3", "-aspect", "4:3", path)
    first.unlink()


def amr_ten_frames(case, sources, path):
    """Ten AMR frames in each sample, and the index of ten samples. Keeps the frames in a file of their own."""
    generator = random.Random(36)
    raw = path.with_suffix(".amr")
    # 12.2 kbit/s: the header of a frame, then 31 bytes.
    raw.write_bytes(b"#!AMR\n" + b"".join(b"\x3c" + generator.randbytes(31) for _ in range(100)))
    first = path.with_name("first.3gp")
    ffmpeg("-i", raw, "-c", "copy", first)
    data = first.read_bytes()
    table = "moov/trak/mdia/minf/stbl/"
    offset = int.from_bytes(data[(start := boxes.find(data, table + "stco")[0][1] + 8):start + 4], "big")
    path.write_bytes(boxes.replace_boxes(data, {
        table + "stts": boxes.full_box(b"stts", [1, 10, 1600]), table + "stsz": boxes.full_box(b"stsz", [320, 10]),
        table + "stsc": boxes.full_box(b"stsc", [1, 1, 10, 1]), table + "stco": boxes.full_box(b"stco", [1, offset]),
    }))
    first.unlink()


def jump(seconds):
    def recipe(case, sources, path):
        """Two parts of a transport stream; the second has times that jump."""
        parts = [path.with_name(f"part{index}.ts") for index in range(2)]
        for part, offset in zip(parts, (20, 20 + seconds)):
            encode(case, sources, part, offset=offset, more=["-f", "mpegts"])
        path.write_bytes(b"".join(part.read_bytes() for part in parts))
        for part in parts:
            part.unlink()
    return recipe


def one_frame(case, sources, path):
    encode(case, sources, path, count=1)


def large(case, sources, path):
    encode(case, sources, path, large=True)


def high_range(transfer):
    def recipe(case, sources, path):
        encode(case, sources, path, color=("bt2020nc", "bt2020", transfer))
    return recipe


def no_index(case, sources, path):
    encode(case, sources, path)
    data = path.read_bytes()
    path.write_bytes(data[:boxes.find(data, "moov")[0][0]])


def low_rate(case, sources, path):
    encode(case, sources, path, tones=[sources.low_tone])


def other_brand(case, sources, path):
    encode(case, sources, path, more=["-f", "mp4"])


RECIPES = {
    "hev1-fragments": plain, "hev1-fragments-cut": plain, "cmaf-b-frames": plain, "cmaf-b-frames-cut": plain,
    "negative-offsets": negative_offsets, "negative-offsets-hevc": negative_offsets, "three-audio-tracks": three_audio_tracks,
    "sar-conflict": sar_conflict, "sar-conflict-mov": sar_conflict,
    "amr-ten-frames": amr_ten_frames, "jump-forward": jump(37600), "jump-back": jump(-15), "one-frame": one_frame,
    "hd-untagged": large, "hlg": high_range("arib-std-b67"),
    "pq": high_range("smpte2084"), "no-index": no_index, "low-audio-rate": low_rate, "mp4-in-mov-name": other_brand,
    **{damages.PREFIX + name: plain for name in damages.DAMAGES},
}
