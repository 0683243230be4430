"""The programs that open the photos of CI/photo-files."""
import base64
import html
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import colors

# The largest difference of the colors of a developed RAW photo.
RAW_LIMIT = 3
# Processed photos have the tone curve of the camera, so that only other decoders of the same photo must agree with it.
SRGB_PROFILES = ("/usr/share/color/icc/ghostscript/srgb.icc", "/usr/share/color/icc/sRGB.icc", "/usr/share/color/icc/colord/sRGB.icc")


class Difference(Exception):
    pass


@dataclass
class Result:
    opened: bool = False
    problems: list = field(default_factory=list)
    # Rows of (image, linear colors of the patches, limit).
    colors: list = field(default_factory=list)

    def expect(self, what, found, expected):
        if found != expected:
            self.problems.append(f"{what} is {found}, not {expected}")


def run(*command, binary=False):
    """Returns the standard output of a program. Its messages are those of a failure."""
    result = subprocess.run([str(word) for word in command], capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    if result.returncode:
        messages = (result.stderr or result.stdout).decode(errors="replace").strip().splitlines()
        raise Difference(f"{Path(str(command[0])).name} fails: {messages[-1] if messages else result.returncode}")
    return result.stdout if binary else result.stdout.decode(errors="replace")


def srgb_profile():
    """Returns the path of a profile of sRGB."""
    profile = next((path for path in SRGB_PROFILES if Path(path).exists()), None)
    if profile is None:
        raise Difference(f"there is no profile of sRGB: {', '.join(SRGB_PROFILES)}")
    return profile


def read_ppm(data):
    """Returns the samples, width, height and bits of a binary PPM image."""
    match = re.match(rb"P6\s+(?:#[^\n]*\s+)*(\d+)\s+(\d+)\s+(\d+)\s", data)
    if not match:
        raise Difference("the decoded image is not a PPM file")
    width, height, most = map(int, match.groups())
    return data[match.end():], width, height, 16 if most > 255 else 8


def compare_image(data, file, result, image, is_linear=False, limit=None):
    """Compares a decoded PPM image with the size of the file, and records the colors of the patches."""
    samples, width, height, bits = read_ppm(data)
    result.expect(f"the size of the {image}", f"{width}x{height}", f"{file.width}x{file.height}")
    if not file.has_chart or (width, height) != (file.width, file.height):
        return
    patches = colors.patch_means(samples, width, height, bits)
    result.colors.append((image, patches if is_linear else colors.linear(patches), limit))


# MARK: exiftool

def exiftool(file, program, work, result):
    """Validates the file, and compares its metadata."""
    report = json.loads(run(
        program, "-json", "-n", "-a", "-validate", "-warning", "-error", "-FileType", "-ImageWidth", "-ImageHeight",
        "-Orientation", "-ProfileDescription", "-ColorSpace", "-ThumbnailLength", "-ThumbnailImage", "-MPImage2",
        "-NumberOfImages",
        "-PreviewColorSpace", "-AuxiliaryImageType", "-SubIFD:all", file.path))[0]
    # Each auxiliary image of a HEIF file has its own reference (ISO/IEC 14496-12, 8.11.12), of which exiftool warns.
    repeats = file.kind == "heic" and bool(file.mattes)
    for key in ("Warning", "Error"):
        if key in report and not (repeats and "Duplicate tag 'auxl'" in report[key]):
            result.problems.append(f"{file.path.name}: {report[key]}")
    result.expect("the validation", str(report.get("Validate")), "0 1 0" if repeats else "0 0 0")
    result.expect("the type", report.get("FileType"),
                  # exiftool names the brand of more than 8 bits.
                  "HEIF" if file.bits > 8 else {"jpg": "JPEG", "heic": "HEIC", "dng": "DNG"}[file.kind])
    result.expect("the orientation", report.get("Orientation"), file.orientation)
    result.expect("the profile", report.get("ProfileDescription"), "Display P3" if file.is_p3 else None)
    if file.kind != "dng":
        result.expect("the color space", report.get("ColorSpace"), 65535 if file.is_p3 else 1)
    if file.kind == "jpg":
        result.expect("the thumbnail", "ThumbnailImage" in report, file.has_thumbnail)
        result.expect("the depth map", "MPImage2" in report, file.has_depth)
        images = 1 + file.has_depth + len(file.mattes)
        result.expect("the number of images", report.get("NumberOfImages", 1), images)
    if file.kind == "heic":
        # The first value is that of the photo, others are those of auxiliary images.
        depths = run(program, "-s3", "-a", "-ImagePixelDepth", file.path).splitlines()
        result.expect("the bits", depths[:1], [" ".join([str(file.bits)] * 3)])
    if file.kind == "dng":
        result.expect("the color space of the preview", report.get("PreviewColorSpace"), 2)
        preview = work / "preview.jpg"
        preview.write_bytes(run(program, "-b", "-PreviewImage", file.path, binary=True)
                            or run(program, "-b", "-IFD0:PreviewImage", file.path, binary=True))
        width, height = map(int, run("ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of",
                                     "csv=p=0:s=x", preview).strip().split("x"))
        upright = (height, width) if file.orientation >= 5 else (width, height)
        result.expect("the size of the preview", upright, (file.width, file.height))
        if file.has_chart:
            data = run("ffmpeg", "-v", "error", "-i", preview, "-f", "image2pipe", "-c:v", "ppm", "-", binary=True)
            compare_image(data, file, result, "preview")
    if file.movie:
        identifiers = run(program, "-s3", "-ContentIdentifier", "-MediaGroupUUID", file.path, file.movie)
        found = re.findall(r"[0-9A-F]{8}-[0-9A-F-]{27}", identifiers)
        result.expect("the number of content identifiers", (len(found), len(set(found))), (2, 1))


# MARK: libheif

def libheif(file, program, work, result):
    """Decodes a HEIF file with heif-convert, and compares the description of heif-info."""
    description = run("heif-info", file.path)
    size = re.search(r"^image: (\d+)x(\d+)", description, re.MULTILINE)
    result.expect("the size", size and tuple(map(int, size.groups())), (file.width, file.height))
    result.expect("the depth map", "depth channel: yes" in description, file.has_depth)
    result.expect("the thumbnail", "thumbnail:" in description, file.has_thumbnail)
    profile = re.search(r"color profile: (.*)", description)
    result.expect("the profile", bool(profile) and "prof" in profile.group(1), file.is_p3)
    target = work / "heif.png"
    for earlier in work.glob("heif-*.png"):
        earlier.unlink()
    run(program, "--with-aux", file.path, target)
    mattes = {path.stem.rpartition(":")[2]: path for path in work.glob("heif-urn*.png")}
    result.expect("the mattes", tuple(sorted(mattes)), file.mattes)
    for name, path in mattes.items():
        shutil.copy(path, file.path.with_name(f"{file.path.stem}-{name}.png"))
        levels = run("ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-", binary=True)
        # Outside and inside of what the matte covers.
        result.expect(f"the range of the {name}", (min(levels) < 32, max(levels) > 223), (True, True))
    if file.is_p3:
        # heif-convert copies the profile to the PNG file and does not convert the colors.
        data = run("convert", target, "-profile", srgb_profile(), "-depth", "8", "ppm:-", binary=True)
    else:
        data = run("ffmpeg", "-v", "error", "-i", target, "-f", "image2pipe", "-c:v", "ppm", "-", binary=True)
    compare_image(data, file, result, "image")


# MARK: LibRaw

def libraw(file, program, work, result):
    """Develops a DNG file with the matrices and the white balance of the camera to linear light of sRGB."""
    copy = work / "raw.dng"
    shutil.copy(file.path, copy)
    # -c 0: LibRaw otherwise lowers the white level to the largest sample. -W: it otherwise brightens the image.
    run(program, "-c", "0", "-w", "-W", "-4", "-o", "1", copy)
    compare_image((work / "raw.dng.ppm").read_bytes(), file, result, "RAW image", is_linear=True, limit=RAW_LIMIT)


# MARK: Adobe

def adobe(file, program, work, result):
    """Opens a DNG file with the parser of Adobe's DNG SDK, which prints warnings."""
    code = ("import dngpy, json, sys; d = dngpy.Dng(sys.argv[1]); i = d.image_info; "
            "print('\\n' + json.dumps([d.raw_pixels.shape, str(i)]))")
    process = subprocess.run([program, "-c", code, str(file.path)], capture_output=True, text=True, timeout=120,
                             stdin=subprocess.DEVNULL)
    lines = [line for line in (process.stdout + process.stderr).splitlines() if line.strip()]
    if process.returncode:
        raise Difference(f"Adobe's parser fails: {lines[-1] if lines else process.returncode}")
    for line in lines:
        # The simulated sensor has no pixels outside of the photo, which is as large as the client requests.
        if "Too little padding" in line:
            continue
        if re.search(r"warning|error|unexpected|missing|bad|invalid", line, re.IGNORECASE):
            result.problems.append(f"{file.path.name}: {line.strip()}")
    shape, _ = json.loads(lines[-1] if lines[-1].startswith("[") else next(l for l in lines if l.startswith("[")))
    stored = (file.width, file.height) if file.orientation < 5 else (file.height, file.width)
    result.expect("the size", (shape[1], shape[0]), stored)


# MARK: ImageMagick

def imagemagick(file, program, work, result):
    """Opens a file with ImageMagick, which converts the colors of a profile to sRGB."""
    described = run(program, file.path, "-auto-orient", "-format", "%w %h %[profile:icc]|", "info:").split("|")[0].split(" ", 2)
    result.expect("the size", (int(described[0]), int(described[1])), (file.width, file.height))
    result.expect("the profile", "P3" in described[2], file.is_p3)
    options = ["-auto-orient", *(["-profile", srgb_profile()] if file.is_p3 else [])]
    data = run(program, f"{file.path}[0]", *options, "-depth", "8", "ppm:-", binary=True)
    compare_image(data, file, result, "image")


# MARK: ffprobe

def ffprobe(file, program, work, result):
    """Reads the movie of a Live Photo."""
    report = json.loads(run(program, "-v", "error", "-of", "json", "-show_streams", "-show_format", file.movie))
    types = sorted(stream["codec_type"] for stream in report["streams"])
    result.expect("the tracks of the movie", types, ["audio", "data", "video"])
    duration = float(report["format"]["duration"])
    if not 2 <= duration <= 3.2:
        result.problems.append(f"the movie lasts {duration} s, not 2 to 3.2 s")
    if "com.apple.quicktime.content.identifier" not in report["format"].get("tags", {}):
        result.problems.append("the movie has no content identifier")
    run("ffmpeg", "-v", "error", "-xerror", "-i", file.movie, "-f", "null", "-")


# MARK: Chromium

PAGE = """<!doctype html><html lang="en"><title>photo</title><img id="photo" alt="" src="data:image/jpeg;base64,%s"><script>
addEventListener("load", () => {
    const image = document.getElementById("photo"), canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const means = %s.map(([left, top, right, bottom]) => {
        const data = context.getImageData(left, top, right - left, bottom - top).data, sums = [0, 0, 0];
        for (let index = 0; index < data.length; index += 4) for (let c = 0; c < 3; c++) sums[c] += data[index + c];
        return sums.map((sum) => sum / (data.length / 4) / 255);
    });
    document.documentElement.dataset.result = JSON.stringify([image.naturalWidth, image.naturalHeight, means]);
});
</script></html>"""


def chromium(file, program, work, result):
    """Shows a JPEG photo in a page, and reads the pixels from a canvas, which has the colors of sRGB."""
    areas = [colors.patch_area(index, file.width, file.height) for index in range(24)]
    page = work / "photo.html"
    page.write_text(PAGE % (base64.b64encode(file.path.read_bytes()).decode(), json.dumps(areas)), encoding="utf-8")
    document = run(
        program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--disable-sync", "--force-color-profile=srgb",
        "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={work / 'browser'}", "--virtual-time-budget=5000",
        "--dump-dom", f"file://{page}")
    found = re.search(r'<html[^>]* data-result="([^"]*)"', document)
    if not found:
        raise Difference("Chromium does not show the photo")
    width, height, means = json.loads(html.unescape(found.group(1)))
    result.expect("the size", (width, height), (file.width, file.height))
    if file.has_chart and (width, height) == (file.width, file.height):
        result.colors.append(("image", colors.linear([tuple(patch) for patch in means]), None))


JUDGES = {
    "exiftool": exiftool, "libheif": libheif, "LibRaw": libraw, "Adobe": adobe, "ImageMagick": imagemagick,
    "ffprobe": ffprobe, "Chromium": chromium,
}
NAMES = list(JUDGES)
PACKAGES = {
    "exiftool": "exiftool (libimage-exiftool-perl)", "libheif": "libheif (libheif-examples)",
    "LibRaw": "LibRaw (libraw-bin)", "Adobe": "Adobe's DNG parser (pip install dngpy)",
    "ImageMagick": "ImageMagick (imagemagick)", "ffprobe": "ffprobe (ffmpeg)", "Chromium": "Chromium (chromium)",
}


def available(browser):
    """Returns the paths of the programs that are installed, by name."""
    programs = {
        "exiftool": shutil.which("exiftool"), "libheif": shutil.which("heif-info") and shutil.which("heif-convert"),
        "LibRaw": shutil.which("dcraw_emu"), "ImageMagick": shutil.which("convert"),
        "ffprobe": shutil.which("ffmpeg") and shutil.which("ffprobe"), "Chromium": shutil.which(browser),
        "Adobe": sys.executable if importlib.util.find_spec("dngpy") else None,
    }
    return {name: path for name, path in programs.items() if path}


def reads(name, file):
    """Whether a program opens the kind of a file."""
    return {
        "exiftool": True, "libheif": file.kind == "heic", "LibRaw": file.kind == "dng", "Adobe": file.kind == "dng",
        # The HEIF reader of ImageMagick 6 ignores color profiles.
        "ImageMagick": file.kind == "jpg" or file.kind == "heic" and not file.is_p3,
        "ffprobe": file.movie is not None, "Chromium": file.kind == "jpg",
    }[name]
