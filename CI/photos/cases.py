"""The photos that CI/photo-files takes, and what each file must have."""
import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTH, HEIGHT = 1440, 1080


class Failure(Exception):
    pass


@dataclass
class File:
    """A file and what programs must find in it. Width and height are those of the upright image."""

    path: Path
    kind: str
    width: int
    height: int
    orientation: int = 1
    has_depth: bool = False
    has_thumbnail: bool = False
    # The last parts of the types of the mattes.
    mattes: tuple = ()
    is_p3: bool = False
    bits: int = 8
    has_chart: bool = True
    # For a Live Photo: the movie.
    movie: Path = None


@dataclass
class Case:
    name: str
    # The extensions of the files; the first one is that of the command line.
    kinds: tuple
    options: tuple = ()
    profile: str = "phone"
    device: str = "back-wide"
    size: tuple = (WIDTH, HEIGHT)
    scene: str = "chart"
    expected: dict = field(default_factory=dict)
    is_live: bool = False

    def take(self, obscura, profiles, folder):
        """Takes the photo and returns its files."""
        path = folder / f"{self.name}.{self.kinds[0]}"
        width, height = self.size
        machine = "phone" if self.profile == "phone" else f"{self.profile}-phone"
        command = [
            obscura, "photo", str(path), "--profile", profiles[self.profile], "--device", f"{machine}.{self.device}",
            "--scene", self.scene, "--shake", "0", "--size", f"{width}x{height}", "--after", "1s", "--json", *self.options,
        ]
        if "--depth" in self.options:
            command[command.index("--depth") + 1] = str(folder / f"{self.name}-depth.png")
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if result.returncode:
            raise Failure(f"{' '.join(command)}: {result.stderr.strip()}")
        report = json.loads(result.stdout)
        if (report["width"], report["height"]) != self.size:
            raise Failure(f"obscura reports {report['width']}x{report['height']}, not {width}x{height}")
        if self.expected.get("orientation", 1) >= 5:
            width, height = height, width
        return [
            File(path.with_suffix(f".{kind}"), kind, width, height, has_chart=self.scene == "chart",
                 movie=path.with_suffix(".mov") if self.is_live else None,
                 **{key: value for key, value in self.expected.items() if kind != "dng" or key == "orientation"})
            for kind in self.kinds
        ]


MATTES = ("portraiteffectsmatte", "semantichairmatte", "semanticskinmatte")
PORTRAIT = {"device": "front-true-depth", "size": (640, 480), "scene": "portrait"}
ALL = [
    Case("jpeg", ("jpg",)),
    Case("jpeg-thumbnail", ("jpg",), ("--thumbnail", "--hold", "portrait"), size=(640, 480), scene="street",
         expected={"orientation": 6, "has_thumbnail": True}),
    Case("jpeg-depth", ("jpg",), ("--depth", "", "--hold", "portrait"),
         expected={"orientation": 6, "has_depth": True}, **PORTRAIT),
    Case("jpeg-mattes", ("jpg",), ("--mattes", "--hold", "portrait"),
         expected={"orientation": 6, "has_depth": True, "mattes": MATTES}, **PORTRAIT),
    Case("jpeg-p3", ("jpg",), profile="p3", expected={"is_p3": True}),
    Case("heif", ("heic",)),
    Case("heif-thumbnail", ("heic",), ("--thumbnail", "--hold", "portrait"), size=(640, 480), scene="street",
         expected={"orientation": 6, "has_thumbnail": True}),
    Case("heif-depth", ("heic",), ("--depth", "", "--hold", "portrait"),
         expected={"orientation": 6, "has_depth": True}, **PORTRAIT),
    Case("heif-mattes", ("heic",), ("--mattes", "--hold", "portrait"),
         expected={"orientation": 6, "has_depth": True, "mattes": MATTES}, **PORTRAIT),
    Case("heif-p3", ("heic",), profile="p3", expected={"is_p3": True}),
    Case("heif-10", ("heic",), profile="deep", expected={"bits": 10}),
    Case("dng", ("dng",)),
    Case("dng-portrait", ("dng",), ("--hold", "portrait"), size=(640, 480), scene="street", expected={"orientation": 6}),
    Case("proraw", ("dng",), ("--format", "proraw")),
    Case("dng+heif", ("heic", "dng"), ("--format", "dng+heif")),
    Case("dng+jpeg-p3", ("jpg", "dng"), ("--format", "dng+jpeg"), profile="p3", expected={"is_p3": True}),
    Case("live", ("heic",), ("--live",), size=(640, 480), is_live=True),
]


def write_profiles(work):
    """Writes the profiles of a phone with P3 and of one whose frames have 10 bits. Returns the profiles by name."""
    phone = (ROOT / "SimDevices/Profiles/phone.yaml").read_text(encoding="utf-8")
    p3 = phone.replace("profile: 1\nname: phone\n", "profile: 1\nname: p3-phone\n", 1)
    p3 = re.sub(r"^( *)highlightHeadroom: 4$", r"\g<0>\n\1colorSpace: p3", p3, flags=re.MULTILINE)
    deep = phone.replace("profile: 1\nname: phone\n", "profile: 1\nname: deep-phone\n", 1)
    deep = deep.replace(f"{{size: {WIDTH}x{HEIGHT}, pixelFormats: [420v, 420f]", f"{{size: {WIDTH}x{HEIGHT}, pixelFormats: [x420]")
    profiles = {"phone": "phone"}
    for name, text in (("p3", p3), ("deep", deep)):
        if text.count("\n") == phone.count("\n") and "x420]" not in text.replace("420f, x420]", ""):
            raise Failure(f"phone.yaml has no place for the profile {name}")
        path = work / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        profiles[name] = str(path)
    return profiles
