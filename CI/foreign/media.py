"""What ffprobe and ffmpeg read from a file: streams, packets, decoded frames with their times, and audio."""
import array
import json
import math
import re
import subprocess
from pathlib import Path

from picture import LOUD, QUIET, ORIENTATIONS, Pictures

RATE = 8000
MATRICES = {"bt709": "bt709", "smpte170m": "bt601", "bt470bg": "bt601", "fcc": "fcc", "smpte240m": "smpte240m",
            "bt2020nc": "bt2020", "bt2020c": "bt2020"}


def run(command, timeout=120):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)


def fraction(text):
    above, _, below = str(text).replace(":", "/").partition("/")
    return float(above) / float(below or 1) if float(below or 1) else 0.0


class DecodedAudio:
    """A decoded audio track that starts at a time: one channel at 8 kHz."""

    def __init__(self, samples, start=0.0):
        self.start = start
        self.samples = array.array("h")
        self.samples.frombytes(samples[:len(samples) // 2 * 2])
        # The time at which the tone becomes loud, or None. AAC encoders overshoot in the first packet.
        limit = int(32767 * (LOUD + QUIET) / 2 * 0.8)
        first = int(0.05 * RATE)
        index = next((n for n, value in enumerate(self.samples) if n >= first and abs(value) > limit), None)
        self.step = None if index is None else start + index / RATE

    @property
    def end(self):
        return self.start + len(self.samples) / RATE

    def part(self, start, end):
        """Returns the samples between two times."""
        return self.samples[max(0, round((start - self.start) * RATE)):max(0, round((end - self.start) * RATE))]

    def level(self, start, end):
        """Returns the level between two times in dB relative to full scale."""
        part = self.part(start, end)
        if not part:
            return -120.0
        return 10 * math.log10(max(1e-12, sum(value * value for value in part) / len(part) / 32767 ** 2))

    def hertz(self, start, end):
        """Returns the frequency of the tone between two times, from its zero crossings."""
        part = self.part(start, end)
        crossings = sum((a < 0) != (b < 0) for a, b in zip(part, part[1:]))
        return crossings / 2 / (len(part) / RATE) if part else 0.0


class Stream:
    """A track with its packets, in the order of the file."""

    def __init__(self, fields):
        self.fields = fields
        self.kind, self.codec, self.tag = (fields.get(k, "") for k in ("codec_type", "codec_name", "codec_tag_string"))
        self.tick = fraction(fields.get("time_base", "1/1000"))
        self.packets = []
        matrix = next((data["displaymatrix"] for data in fields.get("side_data_list", []) if "displaymatrix" in data), "")
        rows = [[int(word) for word in line.partition(":")[2].split()] for line in matrix.strip().split("\n") if line.strip()]
        signs = [(rows[i][j] > 0) - (rows[i][j] < 0) for i in (0, 1) for j in (0, 1)] if rows else ORIENTATIONS["up"]
        self.orientation = tuple(signs)
        aspect = fields.get("sample_aspect_ratio", "N/A")
        self.pixel_aspect = fraction(aspect) if ":" in aspect and not aspect.startswith("0:") else 1.0


class Media:
    """A file as ffprobe and ffmpeg read it.

    `frames` has the time of each decoded frame of the first video track in seconds, and `pictures` its pixels.
    """

    def __init__(self, path, scratch, packets=True, decodes=True, fills_gaps=True):
        self.path = Path(path)
        show = ["-show_packets", "-show_data_hash", "MD5"] if packets else []
        result = run(["ffprobe", "-v", "quiet", "-of", "json", "-show_format", "-show_streams", *show, path])
        report = json.loads(result.stdout.decode("utf-8", "replace") or "{}")
        self.streams = [Stream(fields) for fields in report.get("streams", [])]
        self.duration = float(report.get("format", {}).get("duration", 0))
        for packet in report.get("packets", []):
            self.streams[packet["stream_index"]].packets.append(packet)
        self.frames, self.pictures, self.decoded_audio = [], Pictures(b"", 0, 0), []
        if decodes:
            self._decode(Path(scratch), fills_gaps)
        # ffprobe adds the start of a file without an index of all samples, or not.
        if self.frames and self.duration < self.frames[-1]:
            self.duration += float(report["format"].get("start_time", 0))

    @property
    def video(self):
        return next((stream for stream in self.streams if stream.kind == "video"), None)

    @property
    def audio_streams(self):
        return [stream for stream in self.streams if stream.kind == "audio"]

    def _decode(self, scratch, fills_gaps):
        command = ["ffmpeg", "-v", "info", "-nostats", "-y", "-noautorotate", "-copyts", "-i", self.path]
        video, pixels = self.video, scratch / "decoded.rgb"
        if video:
            size = int(video.fields["width"]), int(video.fields["height"])
            matrix = MATRICES.get(video.fields.get("color_space"), "bt709" if size[1] >= 720 else "bt601")
            full = video.fields.get("color_range") == "pc" or video.fields.get("pix_fmt", "").startswith("yuvj")
            scale = (f"showinfo,scale={size[0]}:{size[1]}:in_color_matrix={matrix}:in_range={'pc' if full else 'tv'}"
                     ":flags=accurate_rnd+full_chroma_int+bilinear,format=rgb24")
            command += ["-map", "0:v:0", "-fps_mode", "passthrough", "-vf", scale, "-f", "rawvideo", pixels]
        paths = [scratch / f"decoded-{index}.s16" for index in range(len(self.audio_streams))]
        for index, path in enumerate(paths):
            # Only gaps that are longer than a packet are filled; the first time is in the log.
            gap = 0.033 if fills_gaps else 1e9
            resample = f"ashowinfo@audio{index},aresample={RATE}:async=1:min_hard_comp={gap}"
            command += ["-map", f"0:a:{index}", "-af", resample, "-ac", "1", "-f", "s16le", path]
        if not video and not paths:
            return
        log = run(command).stderr.decode("utf-8", "replace")
        if video and pixels.exists():
            self.frames = [float(time) for time in re.findall(r"^\[Parsed_showinfo.* pts_time:([-\d.e+]+)", log, re.M)]
            # Some decoders also return the frames before the start of an edit list.
            hidden = sum(time < -0.001 for time in self.frames)
            self.frames = self.frames[hidden:]
            shown = pixels.read_bytes()[hidden * size[0] * size[1] * 3:]
            self.pictures = Pictures(shown, *size, video.orientation, video.pixel_aspect)
            pixels.unlink()
        for index, path in enumerate(paths):
            first = re.search(rf"^\[ashowinfo@audio{index} .* n:0 .*pts_time:([-\d.e+]+)", log, re.M)
            samples = path.read_bytes() if path.exists() else b""
            self.decoded_audio.append(DecodedAudio(samples, float(first[1]) if first else 0.0))
            path.unlink(missing_ok=True)


def image(path, scratch):
    """Decodes an image file, or numbered image files with a pattern such as `frame-%05d.png`, as ffmpeg displays it."""
    report = json.loads(run(["ffprobe", "-v", "quiet", "-of", "json", "-show_streams", path]).stdout or "{}")
    if not report.get("streams"):
        return None
    fields = report["streams"][0]
    pixels = Path(scratch) / "image.rgb"
    run(["ffmpeg", "-v", "quiet", "-y", "-i", path, "-fps_mode", "passthrough",
         "-vf", "scale=flags=accurate_rnd+full_chroma_int,format=rgb24", "-f", "rawvideo", pixels])
    stream = Stream(fields)
    size = int(fields["width"]), int(fields["height"])
    pictures = Pictures(pixels.read_bytes(), *size, pixel_aspect=stream.pixel_aspect)
    pixels.unlink()
    return pictures
