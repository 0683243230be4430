import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes

/// The report of `obscura inspect` on a movie file.
struct MovieReport: Encodable {
    /// A sample. Times in seconds on the timeline of the movie.
    struct Frame: Encodable {
        var time: Double
        var duration: Double
        var decodeTime: Double
        var bytes: Int64
        var offset: Int64
        var isSync: Bool
        var isDroppable: Bool
    }

    /// A track.
    struct Track: Encodable {
        var number: UInt32
        var kind: String
        var codec: String
        var isEnabled: Bool
        var isProtected: Bool
        var width: Int?
        var height: Int?
        var framesPerSecond: Double?
        var sampleRate: Double?
        var channels: Int?
        var language: String?
        var timescale: Int32
        /// In seconds on the timeline of the movie.
        var start: Double
        var duration: Double
        var samples: Int64
        var bytes: Int64
        var syncSamples: Int
        var droppableSamples: Int
        var isReordered: Bool
        /// a, b, c, d, tx, ty.
        var matrix: [Double]
        /// In degrees clockwise; nil if the matrix is not a rotation by a multiple of 90 degrees.
        var rotation: Int?
        var isMirrored: Bool
        var color: String?
        var edits: [String]
        var references: [String: [UInt32]]
        var frames: [Frame]?
    }

    /// A movie fragment. `samples` and `start` (in seconds) by track number.
    struct Fragment: Encodable {
        var number: UInt32
        var offset: Int64
        var samples: [String: Int]
        var start: [String: Double]
    }

    /// A metadata entry.
    struct Entry: Encodable {
        var space: String
        var key: String
        var value: String
        var language: String?
    }

    /// A top-level box.
    struct Box: Encodable {
        var type: String
        var offset: Int64
        var bytes: Int64
        var isCutOff: Bool
    }

    var path: String
    var bytes: Int64
    var brand: String
    var duration: Double
    var created: String?
    var isFragmented: Bool
    var boxes: [Box]
    var tracks: [Track]
    var fragments: [Fragment]
    var metadata: [Entry]
    var problems: [MovieProblem]

    /// Creates the report of a parsed movie.
    init(path: String, map: MovieMap, problems: [MovieProblem], listsFrames: Bool) {
        self.path = path
        self.problems = problems
        bytes = map.byteCount
        brand = map.majorBrand
        duration = map.duration.seconds
        created = map.creationSecondsSince1970.map {
            Date(timeIntervalSince1970: Double($0)).formatted(.iso8601)
        }
        isFragmented = !map.fragments.isEmpty
        boxes = map.boxes.map { Box(type: $0.type, offset: $0.offset, bytes: $0.byteCount, isCutOff: $0.isCutOff) }
        tracks = map.tracks.map { Track($0, listsFrames: listsFrames) }
        fragments = map.fragments.map { fragment in
            Fragment(
                number: fragment.sequenceNumber, offset: fragment.offset,
                samples: Dictionary(
                    fragment.tracks.map { ("\($0.trackNumber)", $0.sampleCount) }, uniquingKeysWith: +),
                start: Dictionary(
                    fragment.tracks.map { part in
                        let time = map.track(part.trackNumber)?.time(part.decodeTime).seconds ?? 0
                        return ("\(part.trackNumber)", time.isFinite ? time : 0)
                    }, uniquingKeysWith: min))
        }
        metadata = (map.metadata + map.tracks.flatMap(\.metadata)).map(Entry.init)
    }
}

extension MovieReport.Entry {
    init(_ entry: MovieMap.Entry) {
        let value: String =
            switch entry.value {
            case .text(let text): text
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            case .data(let data, let type): "\(data.count) bytes of type \(type)"
            }
        self.init(space: entry.space.rawValue, key: entry.key, value: value, language: entry.language)
    }
}

extension MovieReport.Track {
    init(_ track: TrackMap, listsFrames: Bool) {
        let runs = track.samples.runs
        let range = track.timeRange
        let orientation = track.transform.orientation
        number = track.number
        kind = track.handler
        codec = track.sampleEntries.map(\.code).joined(separator: ", ")
        isEnabled = track.isEnabled
        isProtected = track.sampleEntries.contains(where: \.isProtected)
        language = track.extendedLanguageTag ?? track.languageCode
        timescale = track.timescale
        start = Self.finite(range.start)
        duration = Self.finite(range.duration)
        samples = track.samples.sampleCount
        bytes = track.samples.byteCount
        syncSamples = runs.count { $0.isSync }
        droppableSamples = runs.count { $0.isDroppable }
        isReordered = track.samples.isReordered
        let matrix = track.transform
        self.matrix = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty].map { Double($0) }
        rotation = orientation?.degrees
        isMirrored = orientation?.isMirrored ?? false
        references = track.references
        edits = track.edits.map { edit in
            let length = CMTime(value: edit.duration, timescale: max(1, track.movieTimescale)).seconds
            let media = edit.mediaTime < 0 ? "nothing" : "media from tick \(edit.mediaTime)"
            return String(format: "%.6f s: ", length) + media + (edit.rate == 1 ? "" : " at rate \(edit.rate)")
        }
        switch track.sampleEntries.first?.content {
        case .video(let video):
            width = Int(video.dimensions.width)
            height = Int(video.dimensions.height)
            let seconds = Self.finite(track.time(track.samples.decodeEnd - (runs.first?.decodeTime ?? 0)))
            framesPerSecond = seconds > 0 ? Double(samples) / seconds : nil
            color = track.sampleEntries.first?.color.map {
                "\($0.primaries)/\($0.transfer)/\($0.matrix)\($0.isFullRange ? ", full range" : "")"
            }
        case .audio:
            let stream = track.formatDescription?.audioStreamBasicDescription
            sampleRate = stream?.mSampleRate
            channels = stream.map { Int($0.mChannelsPerFrame) }
        case .other, nil: break
        }
        guard listsFrames else { return }
        let segment = track.segments.first { $0.source != nil }
        frames = runs.sorted { $0.presentationTime < $1.presentationTime }.map { run in
            let shift = segment.map { $0.target.start - ($0.source?.start ?? .zero) } ?? .zero
            return MovieReport.Frame(
                time: Self.finite(track.time(run.presentationTime) + shift),
                duration: Self.finite(track.time(run.totalDuration)),
                decodeTime: Self.finite(track.time(run.decodeTime) + shift), bytes: run.byteCount, offset: run.offset,
                isSync: run.isSync, isDroppable: run.isDroppable)
        }
    }

    private static func finite(_ time: CMTime) -> Double { time.isNumeric ? time.seconds : 0 }
}

extension MovieReport {
    /// The report as text.
    var lines: [String] {
        var lines: [String] = []
        let kind = brand == "qt  " || brand.isEmpty ? "QuickTime" : "MPEG-4 (\(brand))"
        lines.append(
            "\(path): \(kind), \(Self.seconds(duration)), \(bytes) bytes" + (created.map { ", created \($0)" } ?? "")
                + (isFragmented ? ", unfinished: \(fragments.count) fragments" : ", one plain movie"))
        for track in tracks { lines += track.lines }
        for fragment in fragments {
            let parts = fragment.samples.keys.sorted().map { number in
                "\(fragment.samples[number] ?? 0) samples of track \(number) from \(Self.seconds(fragment.start[number] ?? 0))"
            }
            lines.append("fragment \(fragment.number) at byte \(fragment.offset): \(parts.joined(separator: ", "))")
        }
        for entry in metadata {
            lines.append("\(entry.space)/\(entry.key)\(entry.language.map { " (\($0))" } ?? ""): \(entry.value)")
        }
        let tops = boxes.map { "\($0.type) \($0.bytes)\($0.isCutOff ? " (cut off)" : "")" }
        lines.append(
            "boxes: "
                + (tops.count > 24 ? tops.prefix(24) + ["… \(tops.count) in all"] : tops[...]).joined(separator: ", "))
        for problem in problems { lines.append("\(problem)".styled(problem.severity == .error ? .red : .yellow)) }
        lines.append(
            problems.isEmpty ? "no problems found" : "\(problems.count) problem\(problems.count == 1 ? "" : "s")")
        return lines
    }

    fileprivate static func seconds(_ value: Double) -> String { String(format: "%.3f s", value) }
}

extension MovieReport.Track {
    fileprivate var lines: [String] {
        var text = "track \(number) \(kind) \(codec)"
        if let width, let height { text += " \(width)x\(height)" }
        if let framesPerSecond { text += String(format: ", %.3f fps", framesPerSecond) }
        if let sampleRate, let channels { text += String(format: ", %.0f Hz, %d channels", sampleRate, channels) }
        if let language { text += ", \(language)" }
        text +=
            ", \(MovieReport.seconds(duration)) from \(MovieReport.seconds(start)), \(samples) samples, \(bytes) bytes"
        if !isEnabled { text += ", disabled" }
        if isProtected { text += ", protected" }
        var lines = [text]
        if kind == "vide" {
            var more = "    \(syncSamples) sync samples"
            if droppableSamples > 0 { more += ", \(droppableSamples) droppable" }
            if isReordered { more += ", reordered" }
            if let color { more += ", color \(color)" }
            if let rotation, rotation != 0 || isMirrored {
                more += ", rotation \(rotation) degrees" + (isMirrored ? ", mirrored" : "")
            } else if rotation == nil {
                more += ", matrix \(matrix)"
            }
            lines.append(more)
        }
        for edit in edits { lines.append("    edit of \(edit)") }
        for (kind, numbers) in references.sorted(by: { $0.key < $1.key }) {
            lines.append("    \(kind) is track \(numbers.map(String.init).joined(separator: ", "))")
        }
        for frame in frames ?? [] {
            lines.append(
                String(
                    format: "    %12.6f s  %9.6f s  %8lld bytes at %lld%@%@", frame.time, frame.duration, frame.bytes,
                    frame.offset, frame.isSync ? "  sync" : "", frame.isDroppable ? "  droppable" : ""))
        }
        return lines
    }
}

extension CGAffineTransform {
    /// The clockwise rotation, and whether a horizontal flip follows it; nil for other transforms.
    fileprivate var orientation: (degrees: Int, isMirrored: Bool)? {
        for (degrees, x, y) in [(0, 1.0, 0.0), (90, 0, 1), (180, -1, 0), (270, 0, -1)] {
            for sign in [1.0, -1.0] where a == sign * x && b == y && c == -sign * y && d == x {
                return (degrees, sign < 0)
            }
        }
        return nil
    }
}
