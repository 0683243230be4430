import ArgumentParser
import AssetTypes
import CaptureHAL
import Dispatch
import Foundation
import MediaAssets
import MediaCodecs
import MediaEditing
import MediaFiles
import MediaTypes

/// `obscura edit`.
struct EditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Cuts a movie or changes its speed, by default without re-encoding the video.",
        discussion: """
            Without --speed, the range is cut out of the movie. With --speed, the range is played faster or slower, and \
            the rest of the movie is kept. All tracks and frames are copied, with their new times; with --constant-fps, \
            the frames are re-encoded at a constant rate. Sound whose speed changes is re-encoded. Tracks that the \
            output cannot contain are listed.
            """)

    @Argument(help: "The movie.", completion: .file()) var input: String
    @Argument(
        help: "A new file ending in .mov, .mp4 or .m4v; an existing file is never overwritten.",
        completion: .file(extensions: ["mov", "mp4", "m4v"]))
    var output: String
    @Option(
        help: "The range: 1s..2s, 500ms.. or ..10s. (default: the whole movie)",
        transform: TimeRangeArgument.init(argument:))
    var range: TimeRangeArgument?
    @Option(help: "The speed of the range, from 0.01 to 100; 0.125 is eightfold slow motion.") var speed: Double = 1
    @Option(
        help: "Re-encode the video with this number of frames per second. (default: copy all frames)",
        transform: FrameRate.init(argument:))
    var constantFps: FrameRate?
    @Option(
        help: """
            How sound changes its speed: spectral and time-domain keep the pitch, varispeed changes it. \
            (default: spectral)
            """,
        completion: .list(PitchAlgorithm.names), transform: PitchAlgorithm.init(argument:))
    var pitch = PitchAlgorithm.spectral
    @Option(
        parsing: .unconditional,
        help: """
            The tracks to keep: numbers, video, audio, subtitles, chapters, metadata, timecode or four-character codes, \
            such as 1,2 or all,-gpmd. (default: all)
            """,
        transform: TrackSelection.init(argument:))
    var tracks: TrackSelection?
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    private struct Report: Encodable {
        var file: String
        /// In seconds.
        var duration: Double
        /// The number of presented frames.
        var frames: Int
        /// The tracks of the movie that the file does not contain.
        var leftOut: [OmittedTrack]
        /// The boxes of the movie, other than tracks, that the file does not contain.
        var leftOutBoxes: [String]
    }

    private static let fileTypes: [String: AVFileType] = ["mov": .mov, "mp4": .mp4, "m4v": .m4v]

    func validate() throws {
        try OutputFile.require(output, endsWith: Self.fileTypes.keys.sorted())
        guard speed.isFinite, (0.01...100).contains(speed) else {
            throw ValidationError("--speed must be from 0.01 to 100, not \(plainNumber(speed))")
        }
    }

    func run() throws {
        try OutputFile.check(output)
        let system = CaptureSystem(hosts: [], clock: HostClock())
        let asset = system.run { AVURLAsset(url: URL(fileURLWithPath: input)) }
        let session: AVAssetExportSession
        do {
            try asset.loadValues()
            session = try makeSession(asset, in: system)
            try export(session)
        } catch let error as AVError {
            throw CommandFailure(error.errorDescription ?? "\(input) cannot be edited")
        }
        let edited = system.run { AVURLAsset(url: URL(fileURLWithPath: output)) }
        let frames = edited.tracks.firstVideoTrack?.map.presentedRuns.reduce(0) { $0 + Int($1.count) } ?? 0
        let report = Report(
            file: output, duration: edited.duration.seconds, frames: frames, leftOut: session.omittedTracks,
            leftOutBoxes: session.omittedBoxes)
        if json { return try printJSON(report) }
        try printLine("\(output): \(String(format: "%.3f", report.duration)) s, \(frames) frames")
        for track in report.leftOut { try printLine("left out \(track)") }
        for box in report.leftOutBoxes { try printLine("left out \(box)") }
    }

    /// Returns the session for the edit.
    private func makeSession(_ asset: AVAsset, in system: CaptureSystem) throws -> AVAssetExportSession {
        let part = try range?.range(in: asset.duration, of: input)
        let selection = try tracks?.trackIDs(of: asset, input)
        let source: AVAsset = try speed == 1 ? asset : retimed(asset, part, in: system)
        let video = asset.tracks.firstVideoTrack
        let isHEVC = video?.map.formatDescription?.mediaSubType.rawValue == kCMVideoCodecType_HEVC
        // H.264 is encoded with 8 bits, which are too few for a high dynamic range.
        let isHDR = constantFps != nil && video.map { SourceVideoFormat(of: $0).isHDR } ?? false
        let encoding = isHEVC || isHDR ? AVAssetExportPresetHEVCHighestQuality : AVAssetExportPresetHighestQuality
        let preset = constantFps == nil ? AVAssetExportPresetPassthrough : encoding
        guard let session = AVAssetExportSession(asset: source, presetName: preset) else {
            if let protection = video?.protection { throw CommandFailure("the video of \(input) \(protection)") }
            throw CommandFailure(
                constantFps == nil
                    ? "\(input) has no video or audio that can be exported"
                    : "\(input) has no video that can be encoded at a constant rate")
        }
        if let constantFps {
            let composition = system.run { AVMutableVideoComposition(propertiesOf: source) }
            composition.sourceTrackIDForFrameTiming = kCMPersistentTrackID_Invalid
            composition.frameDuration = constantFps.frameDuration
            session.videoComposition = composition
        }
        if let part, speed == 1 { session.timeRange = part }
        session.exportedTrackIDs = selection
        session.metadataSource = asset
        session.audioTrackGroupHandling = .preserveAlternateTracks
        session.audioTimePitchAlgorithm = pitch.algorithm
        session.outputURL = URL(fileURLWithPath: output)
        let fileExtension = URL(fileURLWithPath: output).pathExtension.lowercased()
        let type = Self.fileTypes[fileExtension]
        guard let type else { throw CommandFailure("\(output) must end in .m4v, .mov or .mp4") }
        if let problem = session.problem(with: type) {
            let others = Self.fileTypes.filter { session.supportedFileTypes.contains($0.value) }.keys.sorted()
            throw CommandFailure(
                (problem.errorDescription ?? "\(input) cannot be stored in .\(fileExtension) files")
                    + (others.isEmpty ? "" : "; use .\(others.joined(separator: " or ."))"))
        }
        session.outputFileType = type
        return session
    }

    /// Returns a composition of a movie in which a part is played at the requested speed.
    private func retimed(
        _ asset: AVAsset, _ part: CMTimeRange?, in system: CaptureSystem
    ) throws -> AVMutableComposition {
        let composition = system.run { AVMutableComposition() }
        try composition.insertTracks(of: asset)
        let part = part ?? CMTimeRange(start: .zero, duration: asset.duration)
        // The speed is rounded to thousandths; the lowest accepted speed is 0.01.
        let length = CMTimeMultiplyByRatio(
            part.duration, multiplier: 1000, divisor: Int32((speed * 1000).rounded()))
        composition.scaleTimeRange(part, toDuration: length)
        return composition
    }

    /// Exports with a progress bar. A termination signal cancels the export.
    private func export(_ session: AVAssetExportSession) throws {
        let interrupt = Interrupt { session.cancelExport() }
        let isDone = DispatchSemaphore(value: 0)
        session.exportAsynchronously { isDone.signal() }
        let progress = ProgressBar("edit")
        while isDone.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
            progress.show(Double(session.progress))
        }
        progress.finish()
        if interrupt.isRaised { throw CommandFailure("interrupted; \(output) was not written") }
        if let error = session.error { throw error }
    }
}
