"""The cases of CI/foreign-files: combinations of factors that cover each pair of values, and named single cases."""
import random
from dataclasses import dataclass, replace

import damages

# The values of each factor; the first is the default and is not part of the name of a case.
FACTORS = {
    "container": ["mov", "mp4", "3gp", "mov-fragments", "mp4-fragments", "mp4-cmaf", "mp4-frames", "mkv", "avi", "ts"],
    "video": ["h264", "h264-10", "hvc1", "hev1", "hvc1-10", "mpeg4", "mjpeg", "vp9", "av1", "prores", "mpeg2", "ffv1"],
    "reordering": ["ip", "b2"],
    "orientation": ["up", "r90", "r180", "r270", "fh", "fv", "tp", "at"],
    "translation": ["moved", "bare"],
    "pixels": ["sar0", "sar1x1", "sar4x3", "sar64x45", "sar12x11", "sar16x15"],
    "color": ["untagged", "bt601", "bt470bg", "bt709", "bt709-full", "full"],
    "rate": ["30fps", "25fps", "ntsc", "vfr"],
    "edit": ["whole", "late-video", "late-audio", "trimmed", "start10"],
    "audio": ["aac", "silent", "aac2", "pcm", "pcm-be", "opus", "mp3", "ac3", "alac", "flac"],
    "data": ["plain", "timecode", "text", "unknown", "chapters"],
    "cut": ["full-length", "cut35", "cut60", "cut85", "cut97"],
}
FRAGMENTED = {"mov-fragments", "mp4-fragments", "mp4-cmaf", "mp4-frames"}
ISO = FRAGMENTED | {"mov", "mp4", "3gp"}
VIDEO_OF = {
    "mov": {"h264", "h264-10", "hvc1", "hev1", "hvc1-10", "mpeg4", "mjpeg", "prores", "mpeg2"},
    "mp4": {"h264", "h264-10", "hvc1", "hev1", "hvc1-10", "mpeg4", "mjpeg", "vp9", "av1", "mpeg2"},
    "3gp": {"h264", "mpeg4"},
    "mkv": set(FACTORS["video"]) - {"hev1"},
    "avi": {"h264", "mpeg4", "mjpeg", "ffv1"},
    "ts": {"h264", "hvc1", "mpeg2", "mpeg4"},
}
AUDIO_OF = {
    "mov": {"aac", "silent", "aac2", "pcm", "pcm-be", "mp3", "ac3", "alac"},
    "mp4": {"aac", "silent", "aac2", "opus", "mp3", "ac3", "alac", "flac"},
    "3gp": {"aac", "silent"},
    "mkv": set(FACTORS["audio"]),
    "avi": {"silent", "pcm", "mp3", "ac3"},
    "ts": {"aac", "silent", "aac2", "mp3", "ac3"},
}


@dataclass(frozen=True)
class Case:
    """One file: a value of each factor, or a named recipe of `generation.RECIPES`."""
    container: str = "mov"
    video: str = "h264"
    reordering: str = "ip"
    orientation: str = "up"
    translation: str = "moved"
    pixels: str = "sar0"
    color: str = "untagged"
    rate: str = "30fps"
    edit: str = "whole"
    audio: str = "aac"
    data: str = "plain"
    cut: str = "full-length"
    recipe: str = ""

    @property
    def name(self):
        """The identifier of the case: its recipe, or the container and each value that is not the default."""
        if self.recipe:
            return self.recipe
        values = [getattr(self, factor) for factor in FACTORS]
        return ".".join([values[0]] + [v for v, (f, all) in zip(values[1:], list(FACTORS.items())[1:]) if v != all[0]])

    @property
    def family(self):
        """The container without its fragmentation."""
        return self.container.partition("-")[0]

    @property
    def is_iso(self):
        return self.container in ISO

    @property
    def is_damaged(self):
        return self.recipe.startswith(damages.PREFIX)

    @property
    def is_intact(self):
        return not self.is_cut and (not self.is_damaged or self.recipe[len(damages.PREFIX):] in damages.INTACT)

    @property
    def is_cut(self):
        return self.cut != FACTORS["cut"][0]


def is_possible(case):
    """Returns whether ffmpeg can write the combination, and the combination means something."""
    family = case.family
    if case.video not in VIDEO_OF[family] or case.audio not in AUDIO_OF[family]:
        return False
    if case.reordering == "b2" and (case.video not in {"h264", "h264-10", "hvc1", "hev1", "hvc1-10", "mpeg4", "mpeg2"}
                                    or family == "avi"):
        return False
    if not case.is_iso and (case.orientation != "up" or case.data not in ("plain", "text") or case.edit == "trimmed"):
        return False
    if family in ("avi", "ts") and case.data != "plain":
        return False
    if case.translation == "bare" and case.orientation in ("up",):
        return False
    if case.is_cut and case.container not in FRAGMENTED:
        return False
    if case.edit == "late-audio" and case.audio == "silent":
        return False
    if family == "avi" and (case.edit != "whole" or case.rate == "vfr" or case.pixels not in ("sar0", "sar1x1")):
        return False
    if case.video == "mpeg2" and (case.rate == "vfr" or case.pixels not in ("sar0", "sar4x3")):
        return False
    # These codecs have no full range, ffmpeg's encoder writes only full range, or its reader finds no tags.
    if case.color in ("bt709-full", "full") and case.video in {"mpeg4", "mpeg2", "ffv1"}:
        return False
    if case.video == "prores" and case.color != "untagged":
        return False
    if case.video == "mjpeg" and (case.color not in ("full", "untagged")):
        return False
    # These tracks need a QuickTime file, or a complete index.
    if case.data == "timecode" and case.container not in ("mov", "mp4"):
        return False
    if case.data in ("text", "unknown", "chapters") and case.container in FRAGMENTED | {"3gp"}:
        return False
    # ffmpeg cannot copy these.
    if case.edit == "trimmed" and (case.container in FRAGMENTED or case.rate == "vfr" or case.data in ("timecode", "chapters")):
        return False
    if case.color not in ("untagged", "full") and (family == "3gp" or family == "avi"):
        return False
    return True


def pairs(case):
    values = [(factor, getattr(case, factor)) for factor in FACTORS]
    return {(a, b) for i, a in enumerate(values) for b in values[i + 1:]}


def combinations(count, seed=36):
    """Returns `count` cases that cover the possible pairs of values, the rarest first. The same on every machine."""
    generator = random.Random(seed)

    def draw():
        while True:
            case = Case(**{factor: generator.choice(values) for factor, values in FACTORS.items()})
            if is_possible(case):
                return case

    covered, cases = set(), {}
    while len(cases) < count:
        drawn = [draw() for _ in range(60)]
        # After all pairs are covered, the gain is 0 for each, and the first drawn case is taken.
        best = max(drawn, key=lambda case: len(pairs(case) - covered))
        covered |= pairs(best)
        cases[best.name] = best
    return list(cases.values())


# Each kind of issue that a combination cannot express; `generation.RECIPES` has the recipe of each name.
NAMED = [
    Case(recipe="hev1-fragments", container="mp4-fragments", video="hev1"),
    Case(recipe="hev1-fragments-cut", container="mp4-fragments", video="hev1", cut="cut60"),
    Case(recipe="cmaf-b-frames", container="mp4-cmaf", reordering="b2"),
    Case(recipe="cmaf-b-frames-cut", container="mp4-cmaf", reordering="b2", cut="cut60"),
    Case(recipe="negative-offsets", container="mov", reordering="b2"),
    Case(recipe="negative-offsets-hevc", container="mp4", video="hvc1", reordering="b2"),
    Case(recipe="three-audio-tracks", container="mov", audio="aac2"),
    Case(recipe="sar-conflict", container="mp4", pixels="sar1x1"),
    Case(recipe="sar-conflict-mov", container="mov", pixels="sar1x1"),
    Case(recipe="amr-ten-frames", container="3gp", audio="silent"),
    Case(recipe="jump-forward", container="ts"),
    Case(recipe="jump-back", container="ts"),
    Case(recipe="one-frame", container="mov", audio="silent"),
    Case(recipe="hd-untagged", container="mp4", audio="silent"),
    Case(recipe="hlg", container="mov", video="hvc1-10"),
    Case(recipe="pq", container="mp4", video="hvc1-10"),
    Case(recipe="no-index", container="mov"),
    Case(recipe="low-audio-rate", container="mov", audio="pcm"),
    Case(recipe="mp4-in-mov-name", container="mov"),
] + [
    Case(recipe=damages.PREFIX + name, container=damages.CONTAINERS.get(name, "mp4"), reordering="b2")
    for name in damages.DAMAGES
]


def singles():
    """Yields cases in which a single value differs from the default: a difference in one of them has one cause."""
    for container in ("mov", "mp4"):
        for factor, values in FACTORS.items():
            for value in values[1:]:
                case = replace(Case(container=container), **{factor: value})
                if factor == "translation":
                    continue
                if factor == "cut":
                    case = replace(case, container=f"{container}-fragments")
                if is_possible(case):
                    yield case


def all_cases():
    """Returns all cases by name, in the order in which they run."""
    return {case.name: case for case in [*NAMED, *singles(), *combinations(200)]}
