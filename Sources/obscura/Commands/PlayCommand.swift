import ArgumentParser
import CaptureHAL
import Foundation
import MediaAssets
import MediaCodecs
import MediaStorage
import MediaTypes
import Playback

/// `obscura play`.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Plays a movie in virtual time and reports the frames that are shown.",
        discussion:
            "The display has 60 Hz. Nothing is shown on a screen or played by a loudspeaker; --frames writes the frames "
            + "as PNG files, --sound what is heard as a WAV file.")

    @Argument(help: "The movie.", completion: .file()) var movie: String
    @Option(
        help: "An existing folder for the frames; no file in it is overwritten. (default: none)", completion: .directory
    )
    var frames: String?
    @Option(parsing: .unconditional, help: "The rate, from -8 to 8 except 0; negative plays from the end.")
    var rate: Float = 1
    @Option(
        help: "A new WAV file for the sound; at rates other than 1 the pitch changes with the rate. (default: none)",
        completion: .file(extensions: ["wav"]))
    var sound: String?
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

    func validate() throws {
        guard rate.isFinite, rate != 0, abs(rate) <= 8 else {
            throw ValidationError("--rate must be from -8 to 8 and not 0, not \(rate)")
        }
        if let frames { try OutputFile.requireFolderName(frames) }
        if let sound {
            try OutputFile.require(sound, endsWith: ["wav"])
            guard Self.audibleRates.contains(rate) else {
                throw ValidationError("--sound requires a --rate from 1/16 to 6, not \(rate)")
            }
        }
    }

    /// The rates at which varispeed plays sound.
    private static let audibleRates: ClosedRange<Float> = 1 / 16...6

    func run() throws {
        if let frames { try OutputFile.checkFolder(of: frames + "/frame") }
        if let sound { try OutputFile.check(sound) }
        let clock = SimClock()
        let system = CaptureSystem(hosts: [], clock: clock)
        let player = system.run { AVPlayer(url: URL(fileURLWithPath: movie)) }
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
        item.audioTimePitchAlgorithm = .varispeed
        player.playImmediately(atRate: rate)
        var refresh: Int64 = 0
        repeat {
            let now = player.currentTime()
            if output.hasNewPixelBuffer(forItemTime: now) {
                var time = CMTime.invalid
                if let buffer = output.copyPixelBuffer(forItemTime: now, itemTimeForDisplay: &time) {
                    report.frames.append(time.seconds)
                    if let frames {
                        report.files?.append(try write(buffer, report.frames.count, to: frames))
                    }
                }
            }
            refresh += 1
            // Rounded up: a frame that begins with a refresh is shown by it.
            clock.advance(to: start + CMTime(nanoseconds: (refresh * 1_000_000_000 + 59) / 60))
            try checkStatus(of: item)
        } while player.rate != 0
        if let sound {
            try writeSound(of: system, CMTimeRange(start: start, end: clock.now), to: sound)
        }
        if json { return try printJSON(report) }
        try printLine(
            "\(movie): \(report.frames.count) frames shown at rate \(plainNumber(Double(rate)))"
                + (frames.map { ", written to \($0)" } ?? "") + (sound.map { ", sound written to \($0)" } ?? ""))
    }

    /// Writes what a system plays in a range of its time, in 32-bit floating point.
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
                // Ten seconds at a time limit the memory.
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
            throw CommandFailure("\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    private func checkStatus(of item: AVPlayerItem) throws(CommandFailure) {
        guard item.status == .failed else { return }
        throw CommandFailure((item.error as? AVError)?.errorDescription ?? "\(movie) cannot be played")
    }

    private func write(_ buffer: CVPixelBuffer, _ number: Int, to folder: String) throws(CommandFailure) -> String {
        let path = "\(folder)/frame-\(String(format: "%05d", number)).png"
        try OutputFile.check(path)
        try OutputFile.writePNG(buffer, "frame \(number)", to: path)
        return path
    }
}
