"""Comparisons of the results of commands with the file that they read."""
import json
import math
import subprocess
import zlib
from pathlib import Path

import boxes
from media import Media, DecodedAudio, run
from picture import ORIENTATIONS

# The largest difference of a color component of a patch after a lossy encoder.
COLOR_TOLERANCE = 12
LEVEL_TOLERANCE = 1.0
# The duration of a frame of the codecs that obscura writes, with a margin for the length of the filters.
AUDIO_TOLERANCE = 0.024
TIME_TOLERANCE = 0.00105
# The fields of ffprobe that a copy of a track has in common with the track.
FIELDS = ("width", "height", "color_range", "color_space", "color_transfer", "color_primaries", "sample_rate", "channels")


class Comparison:
    """One case: its file, what ffmpeg reads from it, and the differences of the results."""

    def __init__(self, case, obscura, folder, generated, uncut):
        self.case, self.obscura, self.folder, self.generated = case, obscura, Path(folder), Path(generated)
        self.orientation = ORIENTATIONS[case.orientation]
        fills_gaps = not case.recipe.startswith("jump")
        self.reference = Media(generated, folder, fills_gaps=fills_gaps)
        if (raw := self.generated.with_suffix(".amr")).exists():
            # ffmpeg decodes only the first of several AMR frames in a sample.
            self.reference.decoded_audio = Media(raw, folder).decoded_audio
        self.whole = Media(uncut, folder, decodes=False) if uncut != generated else self.reference
        for media in {self.reference, self.whole}:
            move_video(media, boxes.first_fragment_time(media.path.read_bytes()) if case.is_iso else None)
        pictures = self.reference.pictures
        self.numbers = [pictures.number(index, self.orientation) for index in range(pictures.count)]
        self.times = self.reference.frames[:len(self.numbers)]
        if not fills_gaps:
            # Two parts without a gap, whatever their times say.
            self.times = [self.times[0] + index / 30 for index in range(len(self.times))]
        self.patches = pictures.patches(len(self.numbers) // 2, self.orientation) if self.numbers else []
        self.first = self.times[0] if self.times else 0.0
        video = self.reference.video
        # High dynamic range: obscura converts it for images.
        self.is_high_range = bool(video) and video.fields.get("color_transfer") in ("arib-std-b67", "smpte2084")
        # ffmpeg writes one time for two audio packets if each fragment has one frame, and discards one of them when it reads.
        self.has_exact_sound = case.container != "mp4-frames"
        self.differences = []
        self.commands = self.compared = 0

    def differ(self, command, property, expected, found):
        difference = (command, property, str(expected), str(found))
        if difference not in self.differences:
            self.differences.append(difference)

    def command(self, name, *words, status=0):
        """Runs a command. Returns its report and its output, or None after reporting an exit status other than `status`, which
        is one or several.
        """
        self.commands += 1
        line = [str(word) for word in (self.obscura, *words)]
        try:
            result = run(line)
        except subprocess.TimeoutExpired:
            self.differ(name, "status", "an end", "none after 120 s")
            return None
        error = result.stderr.decode("utf-8", "replace").strip()
        if result.returncode not in (status if isinstance(status, tuple) else (status,)):
            self.differ(name, "status", f"exit status {status}", f"{result.returncode}: {error[-300:]}")
            return None
        try:
            report = json.loads(result.stdout)
        except ValueError:
            report = {}
        return {"report": report, "output": result.stdout.decode("utf-8", "replace"), "error": error}

    # What pictures and audio of a result must have in common with the file

    def check_frames(self, command, media, numbers, times, margin=0, tolerance=TIME_TOLERANCE):
        """Compares the frames of a result by their numbers and times. A file that was cut may differ by `margin` frames."""
        found = [media.pictures.number(index, self.orientation) for index in range(media.pictures.count)]
        self.compared += len(found)
        if not found:
            return numbers and self.differ(command, "frames", f"{len(numbers)} frames", "none")
        common = min(len(found), len(numbers))
        if margin == 0 and len(found) != len(numbers) or abs(len(found) - len(numbers)) > margin:
            self.differ(command, "count", len(numbers), f"{len(found)}: {brief(found)}")
        wrong = [index for index in range(common) if found[index] != numbers[index]]
        if wrong:
            self.differ(command, "frames", brief(numbers), f"{brief(found)}, first difference at {wrong[0]}")
            return self.check_orientation(command, media.pictures)
        tick = media.video.tick if media.video else 0
        late = [index for index in range(min(common, len(media.frames)))
                if abs(media.frames[index] - times[index]) > tolerance + tick / 2]
        if late:
            index = late[0]
            self.differ(command, "times", f"frame {index} at {times[index]:.4f} s",
                        f"{media.frames[index]:.4f} s; {len(late)} of {common} frames")

    def check_orientation(self, command, pictures, index=0):
        """Compares the orientation of a picture. Returns whether it is right."""
        best = pictures.best_orientation(index) if pictures.count > index else "none"
        if ORIENTATIONS.get(best) != self.orientation:
            self.differ(command, "orientation", self.case.orientation, best)
            return False
        return True

    def check_picture(self, command, pictures, index=0, size=True, color=True):
        """Compares orientation, aspect, and if requested size and colors of a picture."""
        if not pictures.count or not self.patches:
            return
        if self.check_orientation(command, pictures, index):
            found = pictures.patches(index, self.orientation)
            errors = [max(abs(a - b) for a, b in zip(x, y)) for x, y in zip(found, self.patches)]
            if color and max(errors) > COLOR_TOLERANCE:
                worst = errors.index(max(errors))
                self.differ(command, "color", rounded(self.patches[worst]), rounded(found[worst]))
        reference = self.reference.pictures
        if abs(pictures.aspect / reference.aspect - 1) > 0.02:
            self.differ(command, "aspect", f"{reference.aspect:.3f}", f"{pictures.aspect:.3f}")
        if size and min(pictures.width, pictures.height) < min(reference.width, reference.height):
            self.differ(command, "size", f"{reference.width}x{reference.height}", f"{pictures.width}x{pictures.height}")

    def check_range(self, command, media):
        """Compares the dynamic range of encoded video: without 10 bits and the transfer function, it is not high."""
        transfer, result = self.reference.video and self.reference.video.fields.get("color_transfer"), media.video
        if self.is_high_range and result and (
                result.fields.get("color_transfer") != transfer or "10" not in result.fields["pix_fmt"]):
            found = f"{result.fields.get('color_transfer')}, {result.fields['pix_fmt']}"
            self.differ(command, "range", f"{transfer} of 10 bits", found)

    def check_audio(self, command, audio, expected, offset, tolerance=AUDIO_TOLERANCE, tone=True):
        """Compares the time of the step of a tone, minus `offset`, its level and its frequency."""
        if audio is None:
            return self.differ(command, "audio", "audio", "none")
        if not self.has_exact_sound:
            return
        if expected.step is None or self.case.recipe == "amr-ten-frames":
            # Noise.
            return abs(audio.level(0, 9) - expected.level(0, 9)) > 3 and self.differ(
                command, "level", f"{expected.level(0, 9):.1f} dB", f"{audio.level(0, 9):.1f} dB")
        if audio.step is None:
            return self.differ(command, "level", "a step", f"{audio.level(0, 9):.1f} dB without a step")
        if abs(audio.step - (expected.step + offset)) > tolerance:
            self.differ(command, "offset", f"step at {expected.step + offset:.4f} s", f"{audio.step:.4f} s")
        spans = [(0.2, min(0.6, expected.end - expected.step)), (-min(0.6, expected.step - expected.start), -0.2)]
        for start, end in spans:
            if end - start < 0.1 or audio.step + start < audio.start:
                continue
            wanted = expected.level(expected.step + start, expected.step + end)
            found = audio.level(audio.step + start, audio.step + end)
            if wanted > -60 and abs(wanted - found) > LEVEL_TOLERANCE:
                self.differ(command, "level", f"{wanted:.1f} dB", f"{found:.1f} dB")
                break
        start, end = spans[0]
        if tone and end - start >= 0.1:
            wanted = expected.hertz(expected.step + start, expected.step + end)
            found = audio.hertz(audio.step + start, audio.step + end)
            if abs(wanted - found) > 0.03 * wanted:
                self.differ(command, "tone", f"{wanted:.0f} Hz", f"{found:.0f} Hz")

    def check_tracks(self, command, media, kinds=("video", "audio", "subtitle", "data")):
        expected = [stream.kind for stream in self.reference.streams if stream.kind in kinds]
        found = [stream.kind for stream in media.streams if stream.kind in kinds]
        if sorted(expected) != sorted(found):
            self.differ(command, "tracks", " ".join(expected), " ".join(found))
            return False
        return True

    def check_copy(self, command, media, expected, prefix_of=None):
        """Compares the packets and properties of each track. With `prefix_of`, a track of `media` may have more packets
        than that of `expected`, but only those of the track of `prefix_of`.
        """
        if prefix_of and not expected.streams:
            # ffprobe does not read the cut file.
            expected = prefix_of
        if [stream.kind for stream in media.streams] != [stream.kind for stream in expected.streams]:
            return self.differ(command, "tracks", " ".join(f"{s.kind}/{s.tag}" for s in expected.streams),
                               " ".join(f"{s.kind}/{s.tag}" for s in media.streams))
        longest = (prefix_of or expected).streams
        for number, (copy, stream, limit) in enumerate(zip(media.streams, expected.streams, longest), 1):
            where = f"track {number} ({stream.tag})"
            if self.check_packets(command, where, copy, stream, limit, is_cut=bool(prefix_of)):
                self.check_packet_times(command, where, copy, limit)
            copied = properties(copy)
            for name, value in properties(stream).items():
                if value != copied[name]:
                    self.differ(command, name, f"{where}: {value}", copied[name])

    def check_packets(self, command, where, copy, stream, limit, is_cut):
        """Compares the bytes of packets. Returns whether they are right."""
        if stream.codec.startswith("pcm"):
            # The packets of uncompressed audio are those of ffprobe, not of the file: the first one of an edit and the last
            # one of a cut file are incomplete.
            sizes = [int(packet["size"]) for packet in self.presented(stream)]
            found = sum(int(packet["size"]) for packet in self.presented(copy))
            if not 0 <= sum(sizes) - found < max(sizes, default=1):
                self.differ(command, "packets", f"{where}: {sum(sizes)} bytes", found)
            return False
        found, wanted, longest = ([packet["data_hash"] for packet in self.presented(s) if "data_hash" in packet]
                                  for s in (copy, stream, limit))
        if is_cut:
            # The last packet of a cut file is incomplete.
            wanted = wanted if stream is not limit else []
            mismatches = (index for index, (a, b) in enumerate(zip(wanted, longest)) if a != b)
            wanted = wanted[:next(mismatches, min(len(wanted), len(longest)))]
        self.compared += len(found) if stream.kind == "video" else 0
        if found[:len(wanted)] == wanted and found == longest[:len(found)]:
            return True
        equal = sum(a == b for a, b in zip(found, longest))
        self.differ(command, "packets", f"{where}: {len(wanted)} packets", f"{len(found)}, {equal} of them at the same place")
        return False

    def check_packet_times(self, command, where, copy, limit):
        """Compares the presentation times of packets."""
        if limit.kind == "audio" and not self.has_exact_sound:
            return
        tick = max(copy.tick, limit.tick, TIME_TOLERANCE)
        pairs = zip(*([packet for packet in self.presented(s) if "pts_time" in packet] for s in (copy, limit)))
        wrong = [(a["pts_time"], b["pts_time"]) for a, b in pairs
                 if abs(float(a["pts_time"]) - float(b["pts_time"])) > tick and "D" not in b["flags"]]
        if wrong:
            self.differ(command, "times", f"{where}: packet at {wrong[0][1]} s", f"{wrong[0][0]} s; {len(wrong)} packets")

    def presented(self, stream):
        """Returns the packets that a copy must have: all video, but not the audio that an edit list hides."""
        hides = stream.kind == "audio" and self.has_exact_sound
        return [packet for packet in stream.packets if not (hides and "D" in packet["flags"])]

    def check_descriptions(self, command, path):
        """Compares the sample descriptions of each track, byte by byte."""
        expected, found = (
            [(handler, data[(stsd := boxes.find(data, "mdia/minf/stbl/stsd", payload, end)[0])[0]:stsd[2]])
             for handler, payload, end in boxes.tracks(data)]
            for data in (self.generated.read_bytes(), path.read_bytes()))
        for number, (a, b) in enumerate(zip(expected, found), 1):
            if a != b:
                self.differ(command, "description", f"track {number}: {describe(*a)}", describe(*b))

    def part(self):
        """Returns the start and end of the part of the movie that edits cut out or play faster."""
        length = self.times[-1] - self.first
        # The end is not at the start of a frame: whether that frame is in the part would depend on rounding.
        return round(self.first + min(0.5, length / 3), 3), round(self.first + min(1.5, length - 0.01), 3)

    def window(self, start, end):
        """Returns the numbers and times of the frames that are presented in a time range; the range begins at 0."""
        ends = self.times[1:] + [float("inf")]
        hits = [(number, max(0.0, time - start)) for number, time, stop in zip(self.numbers, self.times, ends)
                if time < end - 0.0002 and stop > start + 0.0002]
        return [number for number, _ in hits], [time for _, time in hits]

    def refreshed(self):
        """Returns the numbers and times of the frames that a display with 60 Hz shows."""
        ticks = [math.ceil(round(time * 60, 2)) for time in self.times]
        return [(number, time) for number, time, tick, next in zip(self.numbers, self.times, ticks, ticks[1:] + [None])
                if tick != next]

    def shown(self, time):
        """Returns the number of the frame that is presented at a time, or else of the nearest one."""
        index = max((index for index, start in enumerate(self.times) if start <= time), default=0)
        return self.numbers[index]


def clipped(audio, start, end):
    """Returns the part of an audio track between two times, with times from the start of the part."""
    return DecodedAudio(audio.part(start, end).tobytes(), max(0.0, audio.start - start))


def move_video(media, first):
    """Moves the times of the video of a fragmented file so that it begins at `first`, if ffprobe finds another time.

    ffprobe adds the largest negative composition offset to the times of a file without an edit list.
    """
    times = [float(packet["pts_time"]) for packet in media.video.packets if "pts_time" in packet] if media.video else []
    change = first - times[0] if times and first is not None else 0
    if change:
        media.frames = [time + change for time in media.frames]
        for packet in media.video.packets:
            if "pts_time" in packet:
                packet["pts_time"] = f"{float(packet['pts_time']) + change:.6f}"


def describe(handler, description):
    """Returns a sample description as text."""
    kind, codec = handler.decode("latin-1"), description[20:24].decode("latin-1")
    return f"{kind} {codec}, {len(description)} bytes, checksum {zlib.crc32(description):08x}"


def properties(stream):
    """Returns what a copy of a track has in common with the track, by name."""
    fields = stream.fields
    return {
        "codec": stream.codec, "tag": stream.tag, "orientation": stream.orientation, "aspect": stream.pixel_aspect,
        "default": fields["disposition"]["default"], "language": fields.get("tags", {}).get("language", "und"),
        **{name: fields.get(name) for name in FIELDS},
    }


def brief(values):
    """Returns a list as text: its first and last values."""
    values = [round(value, 4) if isinstance(value, float) else value for value in values]
    return str(values) if len(values) <= 8 else f"{str(values[:4])[:-1]} … {str(values[-3:])[1:]} ({len(values)})"


def rounded(color):
    return tuple(round(value) for value in color)
