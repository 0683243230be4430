import CaptureHAL
import MediaTypes

/// One device under one check, and the steps of which checks are made.
struct DeviceBench: Sendable {
    let bench: ConformanceBench
    let device: any HardwareDevice

    var id: String { device.descriptor.uniqueID }
    var host: any HardwareHost { bench.host }
    var time: ConformanceTime { bench.time }
    var traits: HostTraits { bench.subject.traits }
    var levers: HostLevers { bench.subject.levers }

    /// The same bench for another instance of the device.
    func with(_ device: any HardwareDevice) -> DeviceBench { DeviceBench(bench: bench, device: device) }

    // MARK: What is found

    func fail(_ message: String, _ format: StreamFormat? = nil) { bench.fail(device, format, message) }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String, _ format: StreamFormat? = nil) {
        if !condition { fail(message(), format) }
    }

    /// Checks that a call is refused, and by this code.
    func expectRefusal<Value>(
        _ code: DeviceError.Code, _ call: String, _ format: StreamFormat? = nil, _ body: () throws -> Value
    ) {
        do {
            _ = try body()
            fail("\(call) was not refused; it should throw .\(code.rawValue)", format)
        } catch let error as DeviceError {
            expect(
                error.code == code, "\(call) threw .\(error.code.rawValue), not .\(code.rawValue): \(error.message)",
                format)
        } catch {
            fail("\(call) threw \(error), which is no DeviceError", format)
        }
    }

    /// The lever, or the reason why the check cannot be made.
    func lever<Lever>(_ path: KeyPath<HostLevers, Lever?>, _ deed: String) throws -> Lever {
        guard let lever = levers[keyPath: path] else { throw ConformanceSkip("nothing can \(deed) on this host") }
        return lever
    }

    /// Lets what is done next have a time of its own, by which a trace can tell it from what came before.
    func passAMoment() { time.pass(.milliseconds(1)) }

    // MARK: Devices and formats

    /// Opens the device; the suite closes it at the end of the check.
    func open() throws -> any OpenDevice {
        let opened = try device.open()
        bench.keepForClosing(opened)
        return opened
    }

    /// The device's own formats of a medium.
    func formats(_ media: DeviceMedia) -> [StreamFormat] { device.formats.filter { $0.media == media } }

    /// The format in which checks are made: of pictures the smallest uncompressed one, of sound the first.
    ///
    /// - Parameter media: A medium that the device may lack; nil is what it lists first.
    func handyFormat(_ media: DeviceMedia? = nil) throws -> StreamFormat {
        guard let first = device.formats.first else { throw ConformanceSkip("the device lists no formats") }
        func cost(_ format: StreamFormat) -> Int {
            guard case .video(let video) = format else { return 0 }
            let area = Int(video.dimensions.width) * Int(video.dimensions.height)
            if case .compressed = video.encoding { return area + 1 << 40 }
            return area
        }
        let media = media ?? first.media
        guard let format = formats(media).min(by: { cost($0) < cost($1) }) else {
            throw ConformanceSkip("the device delivers no \(media.rawValue)")
        }
        return format
    }

    /// The time between frames at which checks are made: the nearest to a thirtieth of a second; of sound 10 ms.
    func handyDuration(_ format: StreamFormat) -> CMTime {
        guard case .video(let video) = format else { return CMTime(value: 1, timescale: 100) }
        return Self.nearest(to: CMTime(value: 1, timescale: 30), video)
    }

    /// Another one, longer by about half where the format has one.
    func otherDuration(_ format: StreamFormat) -> CMTime? {
        guard case .video(let video) = format else { return nil }
        let other = Self.nearest(to: CMTime(value: 1, timescale: 20), video)
        return other == handyDuration(format) ? nil : other
    }

    private static func nearest(to wish: CMTime, _ video: VideoStreamFormat) -> CMTime {
        let candidates = video.frameDurations.map { min(max(wish, $0.minimum), $0.maximum) }
        return candidates.min { abs(($0 - wish).seconds) < abs(($1 - wish).seconds) } ?? wish
    }

    func configuration(
        _ format: StreamFormat, duration: CMTime? = nil, bufferCount: Int = 8
    ) -> StreamConfiguration {
        StreamConfiguration(
            format: format, frameDuration: duration ?? handyDuration(format), bufferCount: bufferCount)
    }

    /// A stream in the format in which checks are made.
    func stream(_ opened: any OpenDevice, _ format: StreamFormat) throws -> any DeviceStream {
        try opened.makeStream(configuration(format))
    }

    // MARK: Streams

    /// Starts a stream with a receiver of its own.
    func start(
        _ stream: any DeviceStream, holding: Int = 0, onEvent: (@Sendable (Int) -> Void)? = nil
    ) throws -> ConformanceReceiver {
        let receiver = ConformanceReceiver(stream.configuration.format, time.clock, holding: holding, onEvent: onEvent)
        try stream.start { receiver.receive($0) }
        return receiver
    }

    /// Lets time pass until so many frames or chunks have come; else the check ends here.
    func wait(_ receiver: ConformanceReceiver, _ count: Int, _ format: StreamFormat) throws {
        let came = time.pass(
            until: { receiver.payloadCount >= count || receiver.isOver }, limit: traits.patience)
        guard came, receiver.payloadCount >= count else {
            let last = receiver.seen.last.map { "; the last event was \($0.kind)" } ?? ""
            let what = format.media == .video ? "frames" : "chunks"
            fail("\(receiver.payloadCount) of \(count) \(what) came within \(traits.patience)\(last)", format)
            tell(receiver, format)
            throw ConformanceStop()
        }
    }

    /// Stops the stream, and checks that nothing comes any more.
    func stop(_ stream: any DeviceStream, _ receiver: ConformanceReceiver, _ format: StreamFormat) {
        stream.stop()
        receiver.close()
        passFrames(2, format)
        tell(receiver, format)
    }

    /// Starts, waits for some frames, and stops: the stream works.
    @discardableResult
    func run(
        _ stream: any DeviceStream, _ format: StreamFormat, frames count: Int = 3
    ) throws -> [ConformanceReceiver.Seen] {
        let receiver = try start(stream)
        try wait(receiver, count, format)
        stop(stream, receiver, format)
        return receiver.seen
    }

    /// Lets so many frame durations pass.
    func passFrames(_ count: Int, _ format: StreamFormat) {
        time.pass(.nanoseconds(handyDuration(format).nanoseconds * Int64(count)))
    }

    /// Tells what was wrong with the events themselves.
    func tell(_ receiver: ConformanceReceiver, _ format: StreamFormat) {
        for problem in receiver.problems { fail(problem, format) }
    }
}
