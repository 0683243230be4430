import CaptureHAL
import MediaTypes

/// The context of a check of one device, with the common steps of checks.
struct DeviceCheckContext: Sendable {
    let context: ConformanceContext
    let device: any HardwareDevice

    var id: String { device.descriptor.uniqueID }
    var host: any HardwareHost { context.host }
    var time: ConformanceTime { context.time }
    var traits: HostTraits { context.subject.traits }
    var actions: HostActions { context.subject.actions }

    /// Returns the context for another instance of the device.
    func with(_ device: any HardwareDevice) -> DeviceCheckContext {
        DeviceCheckContext(context: context, device: device)
    }

    // MARK: Results

    /// Records a failure.
    func fail(_ message: String, _ format: StreamFormat? = nil) { context.fail(device, format, message) }

    /// Records a failure if a condition is false.
    func expect(_ condition: Bool, _ message: @autoclosure () -> String, _ format: StreamFormat? = nil) {
        if !condition { fail(message(), format) }
    }

    /// Checks that a call throws a `DeviceError` with a code.
    func expectRefusal<Value>(
        _ code: DeviceError.Code, _ call: String, _ format: StreamFormat? = nil, _ body: () throws -> Value
    ) {
        do {
            _ = try body()
            fail("\(call) did not throw; it should throw .\(code.rawValue)", format)
        } catch let error as DeviceError {
            expect(
                error.code == code, "\(call) threw .\(error.code.rawValue), not .\(code.rawValue): \(error.message)",
                format)
        } catch {
            fail("\(call) threw \(error), which is not a DeviceError", format)
        }
    }

    /// Returns an action of the host.
    ///
    /// - Throws: `ConformanceSkip` if the host does not have the action.
    func action<Action>(_ path: KeyPath<HostActions, Action?>, _ purpose: String) throws -> Action {
        guard let action = actions[keyPath: path] else {
            throw ConformanceSkip("the host has no action to \(purpose)")
        }
        return action
    }

    /// Advances time by 1 ms, so that the next action has a distinct time in a trace.
    func advanceBriefly() { time.advance(.milliseconds(1)) }

    // MARK: Devices and formats

    /// Opens the device. It is closed at the end of the check.
    func open() throws -> any OpenDevice {
        let opened = try device.open()
        context.closeAtEnd(opened)
        return opened
    }

    /// Returns the formats of a medium.
    func formats(_ media: DeviceMedia) -> [StreamFormat] { device.formats.filter { $0.media == media } }

    /// Returns the format for checks: the smallest uncompressed video format, or the first audio format.
    ///
    /// - Parameter media: The medium; nil for the medium of the first format.
    /// - Throws: `ConformanceSkip` if the device does not have the medium.
    func testFormat(_ media: DeviceMedia? = nil) throws -> StreamFormat {
        guard let first = device.formats.first else { throw ConformanceSkip("the device lists no formats") }
        func cost(_ format: StreamFormat) -> Int {
            guard case .video(let video) = format else { return 0 }
            let area = Int(video.dimensions.width) * Int(video.dimensions.height)
            // Larger than any area, so that compressed formats come last.
            if case .compressed = video.encoding { return area + 1 << 40 }
            return area
        }
        let media = media ?? first.media
        guard let format = formats(media).min(by: { cost($0) < cost($1) }) else {
            throw ConformanceSkip("the device delivers no \(media.rawValue)")
        }
        return format
    }

    /// Returns the frame duration for checks: the nearest to 1/30 s; 10 ms for audio.
    func testDuration(_ format: StreamFormat) -> CMTime {
        guard case .video(let video) = format else { return CMTime(value: 1, timescale: 100) }
        return Self.nearest(to: CMTime(value: 1, timescale: 30), video)
    }

    /// Returns a second frame duration, about 1/20 s; nil if the format does not have one.
    func alternativeDuration(_ format: StreamFormat) -> CMTime? {
        guard case .video(let video) = format else { return nil }
        let other = Self.nearest(to: CMTime(value: 1, timescale: 20), video)
        return other == testDuration(format) ? nil : other
    }

    private static func nearest(to target: CMTime, _ video: VideoStreamFormat) -> CMTime {
        let candidates = video.frameDurations.map { min(max(target, $0.minimum), $0.maximum) }
        return candidates.min { abs(($0 - target).seconds) < abs(($1 - target).seconds) } ?? target
    }

    /// Returns a configuration of a stream.
    func configuration(
        _ format: StreamFormat, duration: CMTime? = nil, bufferCount: Int = 8
    ) -> StreamConfiguration {
        StreamConfiguration(
            format: format, frameDuration: duration ?? testDuration(format), bufferCount: bufferCount)
    }

    /// Creates a stream in a format.
    func stream(_ opened: any OpenDevice, _ format: StreamFormat) throws -> any DeviceStream {
        try opened.makeStream(configuration(format))
    }

    // MARK: Streams

    /// Starts a stream with a new receiver.
    func start(
        _ stream: any DeviceStream, retaining: Int = 0, onEvent: (@Sendable (Int) -> Void)? = nil
    ) throws -> ConformanceReceiver {
        let receiver = ConformanceReceiver(
            stream.configuration.format, time.clock, retaining: retaining, onEvent: onEvent)
        try stream.start { receiver.receive($0) }
        return receiver
    }

    /// Advances time until a number of frames or chunks have arrived; otherwise the check ends.
    func wait(_ receiver: ConformanceReceiver, _ count: Int, _ format: StreamFormat) throws {
        let hasArrived = time.advance(
            until: { receiver.payloadCount >= count || receiver.isOver }, limit: traits.timeout)
        guard hasArrived, receiver.payloadCount >= count else {
            let last = receiver.events.last.map { "; the last event was \($0.kind)" } ?? ""
            let unit = format.media == .video ? "frames" : "chunks"
            fail("\(receiver.payloadCount) of \(count) \(unit) arrived within \(traits.timeout)\(last)", format)
            reportProblems(of: receiver, format)
            throw ConformanceStop()
        }
    }

    /// Stops the stream, and checks that no further event arrives.
    func stop(_ stream: any DeviceStream, _ receiver: ConformanceReceiver, _ format: StreamFormat) {
        stream.stop()
        receiver.close()
        advanceFrames(2, format)
        reportProblems(of: receiver, format)
    }

    /// Starts a stream, waits for some frames and stops it, and returns the events.
    @discardableResult
    func run(
        _ stream: any DeviceStream, _ format: StreamFormat, frames count: Int = 3
    ) throws -> [ConformanceReceiver.ReceivedEvent] {
        let receiver = try start(stream)
        try wait(receiver, count, format)
        stop(stream, receiver, format)
        return receiver.events
    }

    /// Advances time by a number of frame durations.
    func advanceFrames(_ count: Int, _ format: StreamFormat) {
        time.advance(.nanoseconds(testDuration(format).nanoseconds * Int64(count)))
    }

    /// Records the problems that a receiver has found.
    func reportProblems(of receiver: ConformanceReceiver, _ format: StreamFormat) {
        for problem in receiver.problems { fail(problem, format) }
    }
}
