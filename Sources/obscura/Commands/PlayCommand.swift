import ArgumentParser
import AssetTypes
import CaptureBackends
import CaptureHAL
import CaptureScenarios
import CaptureSimulation
import Foundation
import LinuxDevices
import MediaAssets
import MediaCodecs
import MediaStorage
import MediaTypes
import PixelKernels
import Playback

/// `obscura play`.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Plays a movie and reports the frames that are shown.",
        discussion:
            "Plays in virtual time, for a display with a refresh rate of 60 Hz, without showing it on a screen. --frames "
            + "writes the frames as PNG files, --sound writes the sound as a WAV file. With --realtime the sound is played "
            + "by ALSA's default output.")

    @Argument(help: "The movie: a file, or a URL that begins with http:// or https://.", completion: .file())
    var movie: String
    @Option(
        help: "An existing folder for the frames; no file in it is overwritten. (default: none)", completion: .directory
    )
    var frames: String?
    @Option(parsing: .unconditional, help: "The rate, from -8 to 8 except 0; a negative rate plays backward.")
    var rate: Float = 1
    @Option(help: "A new WAV file for the sound. (default: none)", completion: .file(extensions: ["wav"]))
    var sound: String?
    @Option(
        help: """
            The algorithm at rates other than 1: spectral (for music) and time-domain (for voice) keep the pitch, \
            varispeed changes it. (default: time-domain)
            """,
        completion: .list(PitchAlgorithm.names), transform: PitchAlgorithm.init(argument:))
    var pitch = PitchAlgorithm.timeDomain
    @Flag(help: "Play in real time, with sound; not with --frames and --sound. (default: off)")
    var realtime = false
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    private struct Report: Encodable {
        var movie: String
        var rate: Float
        /// In seconds.
        var duration: Double
        /// The time of each frame that was shown, in seconds on the movie's timeline.
        var frames: [Double]
        var files: [String]?
        var sound: String?
    }

    private struct RealTimeReport: Encodable {
        var movie: String
        var rate: Float
        // In seconds of the movie.
        var duration: Double
        var start: Double
        var end: Double
    }

    func validate() throws {
        guard rate.isFinite, rate != 0, abs(rate) <= 8 else {
            throw ValidationError("--rate is \(plainNumber(Double(rate))); it must be from -8 to 8, except 0")
        }
        if let frames { try OutputFile.requireFolderName(frames) }
        if let sound {
            try OutputFile.require(sound, endsWith: ["wav"])
            guard rate >= Self.slowestAudibleRate else {
                throw ValidationError("--sound requires a --rate from 1/32 to 8, not \(plainNumber(Double(rate)))")
            }
        }
        if realtime, frames != nil || sound != nil {
            throw ValidationError("--realtime writes no files; leave out --frames and --sound")
        }
    }

    /// At lower rates, players are silent.
    private static let slowestAudibleRate: Float = 1 / 32

    func run() throws {
        if let frames { try OutputFile.checkFolder(forFilesIn: frames) }
        if let sound { try OutputFile.check(sound) }
        if realtime { return try playInRealTime() }
        let clock = SimClock()
        let system = CaptureSystem(hosts: [], clock: clock)
        let world = SimulatedWorld(clock: clock)
        world.open()
        defer { world.close() }
        let player = system.run { AVPlayer(url: url) }
        let output = AVPlayerItemVideoOutput(
            pixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
        guard let item = player.currentItem else { throw CommandFailure("\(movie) cannot be played") }
        item.add(output)
        clock.settle()
        try checkStatus(of: item)
        guard !item.asset.tracks(withMediaType: .video).isEmpty else {
            throw CommandFailure("\(movie) has no video track to play")
        }
        if rate < 0 {
            player.seek(to: item.duration, toleranceBefore: .zero, toleranceAfter: .zero)
            clock.settle()
        }
        let start = clock.now
        var report = Report(
            movie: movie, rate: rate, duration: item.duration.seconds, frames: [],
            files: frames.map { _ in [] }, sound: sound)
        item.audioTimePitchAlgorithm = pitch.algorithm
        player.playImmediately(atRate: rate)
        var refresh: Int64 = 0
        var isComplete = false
        // Some of the frames could be mistaken for all of them.
        defer {
            if !isComplete { for file in report.files ?? [] { try? FileManager.default.removeItem(atPath: file) } }
        }
        repeat {
            let now = player.currentTime()
            if output.hasNewPixelBuffer(forItemTime: now) {
                var time = CMTime.invalid
                if let buffer = output.copyPixelBuffer(forItemTime: now, itemTimeForDisplay: &time) {
                    report.frames.append(time.seconds)
                    if let frames {
                        let image = try upright(buffer, item.asset.tracks.firstVideoTrack)
                        report.files?.append(try write(image, report.frames.count, to: frames))
                    }
                }
            }
            refresh += 1
            // Rounded up, so that a frame that starts at a refresh is shown at this refresh.
            clock.advance(to: start + CMTime(nanoseconds: (refresh * 1_000_000_000 + 59) / 60))
            try checkStatus(of: item)
        } while player.rate != 0
        if let sound {
            try writeSound(of: system, CMTimeRange(start: start, end: clock.now), to: sound)
        }
        isComplete = true
        if json { return try printJSON(report) }
        try printLine(
            "\(movie): \(report.frames.count) frames shown at rate \(plainNumber(Double(rate)))"
                + (frames.map { ", written to \($0)" } ?? "") + (sound.map { ", sound written to \($0)" } ?? ""))
    }

    private var url: URL {
        let isRemote = ["http://", "https://"].contains { movie.lowercased().hasPrefix($0) }
        return (isRemote ? URL(string: movie) : nil) ?? URL(fileURLWithPath: movie)
    }

    /// Plays with sound until the end, or until a termination signal arrives.
    private func playInRealTime() throws {
        let system = CaptureSystem(hosts: [], clock: HostClock.shared, speaker: ALSASpeaker())
        let command = CommandSystem(system: system, virtualClock: nil, backend: .sim, source: nil)
        let interrupt = Interrupt(waking: command.wakeUp)
        let player = system.run { AVPlayer(url: url) }
        guard let item = player.currentItem else { throw CommandFailure("\(movie) cannot be played") }
        command.run { item.status != .unknown || interrupt.isRaised }
        try checkStatus(of: item)
        item.audioTimePitchAlgorithm = pitch.algorithm
        if rate < 0 {
            let isAtEnd = Lock(false)
            player.seek(to: item.duration, toleranceBefore: .zero, toleranceAfter: .zero) { _ in
                isAtEnd.withLock { $0 = true }
            }
            command.run { isAtEnd.withLock { $0 } || interrupt.isRaised }
        }
        let start = player.currentTime()
        player.playImmediately(atRate: rate)
        command.run(pollingEvery: 0.02) { player.rate == 0 || interrupt.isRaised }
        player.pause()
        let end = player.currentTime()
        try checkStatus(of: item)
        if json {
            return try printJSON(
                RealTimeReport(
                    movie: movie, rate: rate, duration: item.duration.seconds, start: start.seconds, end: end.seconds))
        }
        let length = String(format: "%.2f", abs((end - start).seconds))
        try printLine("\(movie): \(length) s played at rate \(plainNumber(Double(rate)))")
    }

    /// Writes the sound output of a system in a range of its clock, in 32-bit floating point.
    private func writeSound(of system: CaptureSystem, _ range: CMTimeRange, to path: String) throws {
        let rate = Int32(SoundOutput.sampleRate)
        let pcm = PCMFormat(bitsPerSample: 32, isFloat: true)
        do {
            let writer = try AudioFileWriter(
                url: URL(fileURLWithPath: path), storage: DiskStorage(),
                configuration: AudioFileWriter.Configuration(container: .wav))
            let track = try writer.addTrack(
                MovieTrackConfiguration(
                    format: .audio(
                        AudioSampleFormat(
                            codec: .pcm(pcm), sampleRate: rate, channelCount: SoundOutput.channelCount)),
                    timescale: rate))
            var position: Int64 = 0
            var time = range.start
            while time < range.end {
                // Blocks of ten seconds limit the memory use.
                let end = min(range.end, time + CMTime(value: 10, timescale: 1))
                let samples = try system.soundOutput.samples(in: CMTimeRange(start: time, end: end))
                let count = samples.count / SoundOutput.channelCount
                try writer.append(
                    EncodedSample(
                        data: samples.withUnsafeBytes { Data($0) },
                        presentationTime: CMTime(value: position, timescale: rate),
                        duration: CMTime(value: Int64(count), timescale: rate), sampleCount: count),
                    to: track)
                position += Int64(count)
                time = end
            }
            try writer.finish()
        } catch {
            throw CommandFailure("\(path) cannot be written: \(errorReason(error))")
        }
    }

    private func checkStatus(of item: AVPlayerItem) throws(CommandFailure) {
        guard item.status == .failed else { return }
        throw CommandFailure((item.error as? AVError)?.errorDescription ?? "\(movie) cannot be played")
    }

    /// Returns a frame as a display shows it: upright, with square pixels.
    private func upright(_ frame: CVPixelBuffer, _ track: AVAssetTrack?) throws(CommandFailure) -> CVPixelBuffer {
        let (width, height) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
        guard let track else { return frame }
        let size = track.uprightSize(width: width, height: height)
        if track.uprightTransform == .identity, size == (width, height) { return frame }
        guard
            let upright = CVPixelBuffer(
                width: size.width, height: size.height, pixelFormat: CVPixelBufferGetPixelFormatType(frame))
        else { throw CommandFailure("not enough memory for a frame of \(size.width)x\(size.height)") }
        CVBufferPropagateAttachments(frame, upright)
        do throws(ImageError) {
            try PixelConverter().convert(frame, to: upright, track.uprightTransform)
        } catch {
            throw CommandFailure("a frame of \(movie) cannot be converted: \(error.message)")
        }
        return upright
    }

    private func write(_ buffer: CVPixelBuffer, _ number: Int, to folder: String) throws(CommandFailure) -> String {
        let path = "\(folder)/frame-\(String(format: "%05d", number)).png"
        try OutputFile.check(path)
        try OutputFile.writePNG(buffer, "frame \(number)", to: path, isFast: true)
        return path
    }
}
