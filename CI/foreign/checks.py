"""The commands of obscura, each with what its result must have in common with the file that it read."""
import shutil

import boxes
from cases import ISO
from comparing import COLOR_TOLERANCE, TIME_TOLERANCE, Comparison, brief, clipped, rounded
from media import Media, image
from picture import PATCHES

# The width of the border around the frames of a contact sheet.
CELL_GAP = 4


class Run(Comparison):
    """The commands that read the file of a case."""

    def check_generated(self):
        """Checks that ffmpeg reads from the file what the case means."""
        reference = self.reference
        if self.case.is_cut or self.case.recipe in ("no-index", "amr-ten-frames") or not reference.video:
            return
        if reference.video.orientation != self.orientation:
            self.differ("generated", "orientation", self.orientation, reference.video.orientation)
        if any(b != (a + 1) % 60 for a, b in zip(self.numbers, self.numbers[1:])) or len(self.numbers) != len(reference.frames):
            self.differ("generated", "frames", "ascending numbers", brief(self.numbers))
        errors = [max(abs(a - b) for a, b in zip(x, y)) for x, y in zip(self.patches, PATCHES.values())]
        if max(errors) > COLOR_TOLERANCE:
            self.differ("generated", "color", list(PATCHES.values()), [rounded(color) for color in self.patches])
        if any(audio.step is None for audio in reference.decoded_audio):
            self.differ("generated", "audio", "a step", "none")

    def run(self, only=None):
        """Runs each command, or, of an intact file, only one of CHECKS."""
        case = self.case
        if case.recipe == "no-index":
            return self.check_refusals(("record", "inspect", "edit", "repair", "play", "sheet", "import"))
        if case.is_damaged:
            return self.check_damaged()
        self.check_generated()
        if only:
            return self.CHECKS[only](self)
        self.check_record()
        self.check_sheet()
        self.check_import()
        if case.container not in ISO:
            return self.check_refusals(("inspect", "edit", "repair"))
        self.check_inspect()
        self.check_repair()
        if case.is_cut:
            return
        self.check_edit_whole()
        self.check_play()
        if len(self.times) > 1:
            self.check_edit_cut()
            self.check_edit_speed()
            self.check_edit_constant_rate()

    def check_refusals(self, commands):
        """Checks that each command fails with one sentence, writes no file, and leaves the original unchanged."""
        before = self.generated.read_bytes()
        output = self.folder / ("refused.mp4" if self.case.container == "mp4" else "refused.mov")
        words = {
            "record": ("record", output, "--backend", f"file:{self.generated}"), "inspect": ("inspect", self.generated),
            "edit": ("edit", self.generated, output), "repair": ("repair", self.generated), "play": ("play", self.generated),
            "sheet": ("sheet", self.generated, self.folder / "refused.png"),
            "import": ("library", "import", self.generated, "--library", self.folder / "refused-library"),
        }
        for name in commands:
            result = self.command(name, *words[name], status=1)
            error = result["error"] if result else ""
            if result and name != "inspect" and not (error.startswith("Error: ") and self.generated.name in error):
                self.differ(name, "message", f"an error that names {self.generated.name}", error[-300:])
            if result and self.case.recipe == "no-index" and "index" not in error + result["output"]:
                self.differ(name, "message", "an error that names the missing index", error[-300:])
            if output.exists():
                self.differ(name, "output", "no file", output.name)
                output.unlink()
        if self.generated.read_bytes() != before:
            self.differ("repair", "original", "unchanged", "changed")

    def check_damaged(self):
        """Checks that no command loses a packet that ffprobe reads from the damaged file without reporting it."""
        before = self.generated.read_bytes()
        self.command("inspect", "inspect", self.generated, "--json", status=0 if self.case.is_intact else (0, 1))
        for name, words in {"repair": ("repair", self.generated, "--output"), "edit": ("edit", self.generated)}.items():
            output = self.folder / f"damaged-{name}.mp4"
            result = self.command(name, *words, output, status=(0, 1))
            if output.exists() == result["error"].startswith("Error: "):
                self.differ(name, "output", "a file, or an error", "both or none")
            elif output.exists():
                self.check_contained(name, output, "omitted" in result["output"] or "left out" in result["output"])
        if self.generated.read_bytes() != before:
            self.differ("edit", "original", "unchanged", "changed")
        replaced = self.folder / "replaced.mp4"
        replaced.write_bytes(before)
        result = self.command("replace", "repair", replaced, status=(0, 1))
        if replaced.read_bytes() != before:
            if result["error"].startswith("Error: "):
                self.differ("replace", "original", "unchanged", "changed")
            self.check_contained("replace", replaced, False)

    def check_contained(self, command, path, has_omissions):
        """Checks that a movie has only packets of the intact file, unless the command lists omissions all that ffprobe reads
        from the damaged file, and that it has no boxes of unknown types.
        """
        found, damaged, intact = (
            {(stream.kind, packet["data_hash"]) for stream in media.streams for packet in stream.packets if "data_hash" in packet}
            for media in (Media(path, self.folder, decodes=False), self.reference, self.whole))
        self.compared += len(found)
        if found - intact:
            self.differ(command, "packets", "packets of the intact file", f"{len(found - intact)} others")
        if (missing := damaged & intact - found) and not has_omissions:
            self.differ(command, "packets", f"{len(damaged & intact)} packets", f"{len(missing)} are missing")
        data = path.read_bytes()
        kinds = [kind.decode("latin-1") for kind, *_ in boxes.children(data, 0, len(data))]
        if kinds[0] != "ftyp" or not all(kind.isalnum() for kind in kinds):
            self.differ(command, "boxes", "ftyp and others", kinds)

    def check_record(self):
        output = self.folder / "recorded.mov"
        if self.case.is_cut and not self.reference.streams:
            return
        result = self.command("record", "record", output, "--backend", f"file:{self.generated}", "--json")
        if not result:
            return
        media = Media(output, self.folder, packets=False)
        times = [time - self.first for time in self.times]
        tolerance = 0.25 if self.case.recipe.startswith("jump") else TIME_TOLERANCE
        # The frames around the position of a cut.
        margin = 3 if self.case.is_cut else 0
        self.check_frames("record", media, self.numbers, times, margin, tolerance)
        self.check_picture("record", media.pictures, max(0, media.pictures.count // 2))
        self.check_range("record", media)
        # The last frame of a cut file can be incomplete.
        if self.numbers and result["report"].get("droppedFrames", 0) > self.case.is_cut:
            self.differ("record", "dropped", 0, result["report"]["droppedFrames"])
        if self.reference.decoded_audio and self.reference.decoded_audio[0].samples:
            found = media.decoded_audio[0] if media.decoded_audio else None
            self.check_audio("record", found, self.reference.decoded_audio[0], -self.first)
        elif media.decoded_audio:
            self.differ("record", "audio", "none", "audio")

    def check_sheet(self):
        output = self.folder / "sheet.png"
        if not self.numbers:
            return
        result = self.command("sheet", "sheet", self.generated, output, "--json")
        if not result:
            return
        sheet = image(output, self.folder)
        width = (sheet.width - CELL_GAP) // 4 - CELL_GAP
        height = (sheet.height - CELL_GAP) // 3 - CELL_GAP
        count = min(12, len(self.numbers))
        wanted = [self.numbers[index * len(self.numbers) // count] for index in range(count)]
        cells = [sheet.part(CELL_GAP + index % 4 * (width + CELL_GAP), CELL_GAP + index // 4 * (height + CELL_GAP), width, height)
                 for index in range(count)]
        found = [cell.number(0, self.orientation) for cell in cells]
        self.compared += count
        if found != wanted and not self.case.is_cut and self.check_orientation("sheet", cells[0]):
            self.differ("sheet", "frames", wanted, found)
        self.check_picture("sheet", cells[0], size=False, color=not self.is_high_range)

    def check_import(self):
        library = self.folder / "library"
        if not self.numbers or self.case.container == "ts":
            return
        before = self.generated.read_bytes()
        if not self.command("import", "library", "import", self.generated, "--library", library, "--json"):
            return
        listed = self.command("import", "library", "list", "--library", library, "--json")
        if not listed:
            return
        asset = listed["report"]["assets"][0]
        if abs(asset["duration"] - self.reference.duration) > 0.1 and not self.case.is_cut:
            self.differ("import", "duration", f"{self.reference.duration:.3f} s", f"{asset['duration']:.3f} s")
        aspect = asset["width"] / max(1, asset["height"])
        # The size is that of the pixels, which need not be square.
        pictures = self.reference.pictures
        stored = pictures.width / pictures.height
        upright = 1 / stored if self.orientation[0] == 0 else stored
        if not any(abs(aspect / wanted - 1) < 0.02 for wanted in (pictures.aspect, upright)):
            self.differ("import", "aspect", f"{pictures.aspect:.3f}", f"{asset['width']}x{asset['height']}")
        original = next(path for path in (library / "originals").rglob("*") if path.is_file())
        if original.read_bytes() != before:
            self.differ("import", "original", "the same bytes", "other bytes")
        thumbnail = next((library / "thumbnails").iterdir(), None)
        pictures = image(thumbnail, self.folder) if thumbnail else None
        if pictures is None:
            return self.differ("import", "thumbnail", "a picture", "none")
        self.compared += 1
        self.check_picture("thumbnail", pictures, size=False, color=not self.is_high_range)

    def check_inspect(self):
        result = self.command("inspect", "inspect", self.generated, "--frames", "--json", status=1 if self.case.is_cut else 0)
        if not result:
            return
        report = result["report"]
        streams = self.reference.streams
        if self.case.is_cut:
            return
        if len(report["tracks"]) != len(streams):
            self.differ("inspect", "tracks", [s.tag for s in streams], [t["codec"] for t in report["tracks"]])
            return
        for number, (track, stream) in enumerate(zip(report["tracks"], streams), 1):
            if track["codec"].strip("\0 ") != stream.tag.strip("\0 ").replace("[0]", ""):
                self.differ("inspect", "codec", f"track {number}: {stream.tag}", track["codec"])
            samples = next((track[key] for key in ("frames", "sampleList") if key in track), None)
            if stream.codec.startswith("pcm") or samples is None or stream.kind not in ("video", "audio"):
                continue
            wanted = [float(packet["pts_time"]) for packet in stream.packets
                      if "pts_time" in packet and "D" not in packet["flags"]]
            found = [sample["time"] for sample in samples]
            if len(found) < len(wanted):
                self.differ("inspect", "count", f"track {number}: {len(wanted)}", len(found))
            missing = [time for time in wanted if not any(abs(time - other) <= stream.tick + 1e-6 for other in found)]
            if missing:
                self.differ("inspect", "times", f"track {number}: {missing[0]:.4f} s",
                            f"{brief(sorted(found))}; {len(missing)} missing")

    def check_repair(self):
        output = self.folder / ("repaired.mov" if self.case.family == "mov" else "repaired.mp4")
        before = self.generated.read_bytes()
        if self.case.container in ("mov", "mp4", "3gp"):
            if self.command("repair", "repair", self.generated, "--json") and self.generated.read_bytes() != before:
                self.differ("repair", "original", "unchanged, because it is complete", "changed")
                self.generated.write_bytes(before)
            return
        result = self.command("repair", "repair", self.generated, "--output", output, "--json")
        if self.generated.read_bytes() != before:
            self.differ("repair", "original", "unchanged", "changed")
        if not result:
            return
        media = Media(output, self.folder)
        self.check_copy("repair", media, self.reference, prefix_of=self.whole if self.case.is_cut else None)
        self.check_descriptions("repair", output)
        if self.case.is_cut:
            return
        self.check_frames("repair", media, self.numbers, self.times)
        for audio, expected in zip(media.decoded_audio, self.reference.decoded_audio):
            self.check_audio("repair", audio, expected, 0, tolerance=0.002)
        self.command("repair", "inspect", output)

    def edited(self, name, *options):
        """Runs `obscura edit` and `obscura inspect`. Returns the movie, or None."""
        output = self.folder / f"{name}.{'mov' if self.case.family == 'mov' else 'mp4'}"
        if not self.command(name, "edit", self.generated, output, *options, "--json"):
            return None
        self.command(name, "inspect", output)
        return Media(output, self.folder)

    def check_edit_whole(self):
        media = self.edited("edit")
        if media:
            self.check_copy("edit", media, self.reference)
            if self.case.container != "3gp":
                self.check_descriptions("edit", media.path)
            self.check_frames("edit", media, self.numbers, self.times)
            # ffmpeg decodes only the first of several AMR frames in a sample. The packets are compared.
            is_compared = self.case.recipe != "amr-ten-frames"
            for audio, expected in zip(media.decoded_audio, self.reference.decoded_audio) if is_compared else []:
                self.check_audio("edit", audio, expected, 0, tolerance=0.002)

    def check_edit_cut(self):
        start, end = self.part()
        media = self.edited("edit-cut", "--range", f"{start:.3f}s..{end:.3f}s")
        if not media:
            return
        self.check_tracks("edit-cut", media)
        numbers, times = self.window(start, end)
        self.check_frames("edit-cut", media, numbers, times)
        self.check_picture("edit-cut", media.pictures, media.pictures.count // 2)
        for audio, expected in zip(media.decoded_audio, self.reference.decoded_audio):
            if expected.step is not None and start + 0.1 < expected.step < end - 0.1:
                self.check_audio("edit-cut", audio, clipped(expected, start, end), 0, tolerance=0.002)

    def check_edit_speed(self):
        start, end = self.part()
        media = self.edited("edit-speed", "--range", f"{start:.3f}s..{end:.3f}s", "--speed", "2")
        if not media:
            return
        self.check_tracks("edit-speed", media)

        def faster(time):
            return time if time < start else start + (time - start) / 2 if time < end else time - (end - start) / 2

        self.check_frames("edit-speed", media, self.numbers, [faster(time) for time in self.times])
        self.check_picture("edit-speed", media.pictures, media.pictures.count // 2)
        for audio, expected in zip(media.decoded_audio, self.reference.decoded_audio):
            if expected.step is not None:
                self.check_audio("edit-speed", audio, expected, faster(expected.step) - expected.step, tolerance=0.04, tone=False)

    def check_edit_constant_rate(self):
        media = self.edited("edit-constant", "--constant-fps", "20")
        if not media:
            return
        self.check_tracks("edit-constant", media)
        frames = [media.pictures.number(index, self.orientation) for index in range(media.pictures.count)]
        self.compared += len(frames)
        if not frames:
            return self.differ("edit-constant", "frames", "frames", "none")
        half = (self.first + self.times[-1]) / 2
        middle = next((index for index, time in enumerate(media.frames) if time >= half), len(frames) - 1)
        steps = [b - a for a, b in zip(media.frames, media.frames[1:])]
        if any(abs(step - 0.05) > 0.001 for step in steps):
            self.differ("edit-constant", "times", "0.05 s between frames", f"{min(steps):.4f} to {max(steps):.4f} s")
        wrong = []
        for number, time in zip(frames, media.frames):
            # Times that differ by less than a tick of the file's time scale are the same time.
            allowed = {self.shown(time + change) for change in (-0.0015, 0, 0.0015)}
            if number not in allowed:
                wrong.append((time, self.shown(time), number))
        if wrong and self.check_orientation("edit-constant", media.pictures, middle):
            time, expected, found = wrong[0]
            self.differ("edit-constant", "frames", f"frame {expected} at {time:.3f} s", f"{found}; {len(wrong)} of {len(frames)}")
        # The first and the last frame are also shown while the movie has only audio.
        least, most = (round(end / 0.05) for end in (self.times[-1], self.reference.duration))
        if not least - 1 <= len(frames) <= most + 1:
            self.differ("edit-constant", "count", f"{least} to {most}", len(frames))
        self.check_picture("edit-constant", media.pictures, middle)
        self.check_range("edit-constant", media)
        for audio, expected in zip(media.decoded_audio, self.reference.decoded_audio):
            self.check_audio("edit-constant", audio, expected, 0)

    def check_play(self):
        frames, wave = self.folder / "frames", self.folder / "played.wav"
        frames.mkdir()
        result = self.command("play", "play", self.generated, *(["--frames", frames] if self.numbers else []),
                              *(["--sound", wave] if self.reference.decoded_audio else []), "--json")
        if not result:
            return
        times = result["report"].get("frames", [])
        if self.numbers:
            pictures = image(frames / "frame-%05d.png", self.folder)
            found = [pictures.number(index, self.orientation) for index in range(pictures.count)] if pictures else []
            self.compared += len(found)
            shown = self.refreshed()
            if found != [number for number, _ in shown] and (not pictures or self.check_orientation("play", pictures)):
                self.differ("play", "frames", brief([number for number, _ in shown]), brief(found))
            elif pictures:
                late = [(a, b) for a, (_, b) in zip(times, shown) if abs(a - b) > TIME_TOLERANCE]
                if late:
                    self.differ("play", "times", f"{late[0][1]:.4f} s", f"{late[0][0]:.4f} s; {len(late)} frames")
                self.check_picture("play", pictures, pictures.count // 2)
            shutil.rmtree(frames)
        if self.reference.decoded_audio:
            played = Media(wave, self.folder, packets=False)
            if len(self.reference.decoded_audio) == 1:
                audio = played.decoded_audio[0] if played.decoded_audio else None
                self.check_audio("play", audio, self.reference.decoded_audio[0], 0, tolerance=0.003)
            elif not played.decoded_audio or played.decoded_audio[0].step is None:
                self.differ("play", "audio", "a step", "none")

    # The checks of an intact file that can run alone, by the name that their differences have.
    CHECKS = {
        "record": check_record, "sheet": check_sheet, "inspect": check_inspect, "repair": check_repair, "play": check_play,
        "edit": check_edit_whole, "edit-constant": check_edit_constant_rate,
    }
