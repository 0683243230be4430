import CaptureHAL
import MediaTypes

/// Checks of a device's formats, and of streams with these formats.
extension DeviceCheckContext {
    func everyFormatDelivers() throws {
        let opened = try open()
        for format in sampledFormats {
            do {
                let stream = try stream(opened, format)
                expect(stream.configuration.format == format, "the stream has another configuration", format)
                try run(stream, format)
            } catch is ConformanceStop {
                continue
            } catch {
                fail("\(error)", format)
            }
        }
        opened.close()
    }

    /// At most `formatLimit` evenly distributed formats, including the first and the last.
    private var sampledFormats: [StreamFormat] {
        let formats = device.formats
        let count = min(formats.count, max(1, traits.formatLimit))
        guard count > 1 else { return Array(formats.prefix(count)) }
        return (0..<count).map { formats[$0 * (formats.count - 1) / (count - 1)] }
    }

    func unsupportedFormatsAreRefused() throws {
        let format = try testFormat()
        let opened = try open()
        func expectRefused(_ variant: String, _ configuration: StreamConfiguration) {
            expectRefusal(.unsupportedFormat, "makeStream \(variant)", format) {
                try opened.makeStream(configuration)
            }
        }
        let audioFormat = AudioStreamFormat(sampleRate: 12_345, channelCount: 3, sample: .int32)
        switch format {
        case .video(let video):
            var other = video
            other.dimensions.width += 2
            expectRefused("of another size", configuration(.video(other), duration: testDuration(format)))
            other = video
            other.encoding = .compressed(0x6e6f_6e65)  // "none"
            expectRefused("of an unknown codec", configuration(.video(other), duration: testDuration(format)))
            expectRefused("of another medium", configuration(.audio(audioFormat)))
            let shortest = video.frameDurations.map(\.minimum).min() ?? .zero
            let longest = video.frameDurations.map(\.maximum).max() ?? .zero
            let faster = CMTimeMultiplyByRatio(shortest, multiplier: 1, divisor: 3)
            let slower = CMTimeMultiply(longest, multiplier: 3)
            for duration in [.invalid, .indefinite, .positiveInfinity, .zero, faster, slower] {
                expectRefused(
                    "with a frame duration of \(duration.seconds) s", configuration(format, duration: duration))
            }
        case .audio(let audio):
            var other = audio
            other.sampleRate += 1
            expectRefused("of another rate", configuration(.audio(other)))
            other = audio
            other.channelCount += 16
            expectRefused("of more channels", configuration(.audio(other)))
            let size = CMVideoDimensions(width: 640, height: 480)
            let video = VideoStreamFormat(
                dimensions: size, encoding: .pixels(kCVPixelFormatType_32BGRA),
                frameDurations: [FrameDurationRange(CMTime(value: 1, timescale: 30))])
            expectRefused("of another medium", configuration(.video(video)))
            // The chunk duration is only a hint, so any value is accepted.
            for duration in [CMTime.invalid, .zero, .positiveInfinity, CMTime(value: 86_400, timescale: 1)] {
                try run(opened.makeStream(configuration(format, duration: duration)), format, frames: 1)
            }
        }
        try run(stream(opened, format), format)
        opened.close()
    }

    func oneStreamAtATime() throws {
        let format = try testFormat()
        let opened = try open()
        let first = try stream(opened, format)
        let early = try start(first)
        try wait(early, 1, format)
        expectRefusal(.busy, "makeStream while another stream of the medium runs", format) {
            try stream(opened, format)
        }
        try wait(early, early.payloadCount + 2, format)
        stop(first, early, format)
        let second = try stream(opened, format)
        expectRefusal(.invalidState, "start of a stream that another one replaced", format) {
            try first.start { _ in }
        }
        let late = try start(second)
        try wait(late, 1, format)
        // Calls on the first stream do not affect the second.
        first.stop()
        expectRefusal(.invalidState, "start of a stream that another one replaced", format) {
            try first.start { _ in }
        }
        try wait(late, late.payloadCount + 2, format)
        stop(second, late, format)
        opened.close()
    }
}
