import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels
import SimDevices
import XCTest

@testable import RecordedDevices

/// A client that logs all results and events of a host, so that two hosts can be compared.
final class TraceClient: Sendable {
    private let lines = Lock<[String]>([])
    private let observations = Lock<[ObserverToken]>([])
    let host: any HardwareHost
    let clock: SimClock

    init(_ host: any HardwareHost, _ clock: SimClock) {
        self.host = host
        self.clock = clock
        let observation = host.observeDevices { [weak self] change in
            switch change {
            case .connected(let device): self?.log("connected \(device.descriptor.uniqueID)")
            case .disconnected(let device):
                self?.log("disconnected \(device.descriptor.uniqueID), connected: \(device.isConnected)")
            }
        }
        observations.withLock { $0.append(observation) }
        for device in host.devices {
            // The order of elements in a set differs between runs.
            var descriptor = device.descriptor
            descriptor.media = []
            // A trace contains no RAW samples and no mattes; see `RecordingDevice.descriptor`.
            descriptor.stills?.deliversRAW = false
            descriptor.stills?.mattes = []
            let media = device.descriptor.media.map(\.rawValue).sorted()
            log("\(descriptor) \(media) \(device.formats.map(Self.text))")
        }
    }

    /// The log: one line per result or event, with its time.
    var loggedLines: [String] { lines.withLock { $0 } }

    func log(_ line: String) {
        let now = clock.now.nanoseconds
        lines.withLock { $0.append("\(now) \(line)") }
    }

    /// Performs a call and logs its result or error.
    @discardableResult
    func attempt<Value>(_ call: String, _ body: () throws -> Value) -> Value? {
        do {
            let value = try body()
            log("\(call): \(Value.self is any AnyObject.Type ? "done" : Self.text(value))")
            return value
        } catch {
            log("\(call): \(error)")
            return nil
        }
    }

    private static func text<Value>(_ value: Value) -> String {
        switch value {
        case is any OpenDevice, is any DeviceStream: "done"
        default: "\(value)"
        }
    }

    func open(_ id: String) -> (any OpenDevice)? {
        guard let device = host.devices.first(where: { $0.descriptor.uniqueID == id }) else {
            log("no \(id)")
            return nil
        }
        guard let opened = attempt("open \(id)", { try device.open() }) else { return nil }
        log("controls \(opened.controls.map { "\($0.key) \($0.value.traceText)" }.sorted())")
        let observation = opened.observeControls { [weak self] in self?.log("control \($0) \($1)") }
        observations.withLock { $0.append(observation) }
        return opened
    }

    /// Describes a format so that the text is the same in every run: the order of a set differs.
    private static func text(_ format: StreamFormat) -> String {
        guard case .video(var video) = format else { return "\(format)" }
        let modes = video.stabilizationModes.map { "\($0)" }.sorted()
        video.stabilizationModes = []
        return "\(video) \(modes)"
    }

    /// Creates a stream in the first video format of a size, or in the first audio format.
    func stream(
        _ opened: any OpenDevice, _ id: String, width: Int32 = 640, height: Int32 = 480,
        duration: CMTime = CMTime(value: 1, timescale: 30), bufferCount: Int = 16, depthDuration: CMTime? = nil
    ) -> (any DeviceStream)? {
        let formats = host.devices.first { $0.descriptor.uniqueID == id }?.formats ?? []
        let format = formats.first { format in
            guard case .video(let video) = format else { return true }
            return video.size == PixelSize(width: width, height: height)
                && video.supports(frameDuration: duration)
        }
        guard let format else {
            log("no format")
            return nil
        }
        var configuration = StreamConfiguration(format: format, frameDuration: duration, bufferCount: bufferCount)
        if let depthDuration, case .video(let video) = format, let depth = video.depthFormats.last {
            configuration.depth = DepthConfiguration(format: depth, frameDuration: depthDuration)
        }
        return attempt("stream \(id)") { try opened.makeStream(configuration) }
    }

    func start(_ stream: any DeviceStream, _ name: String) {
        attempt("start \(name)") {
            try stream.start { [self] event in log("\(name) \(Self.describe(event))") }
        }
    }

    private static func describe(_ depth: FrameDepth?) -> String {
        switch depth {
        case .map(let depth)?:
            "depth \(depth.map) \((try? PixelChecksum(depth.map))?.description ?? "?") \(depth.isAbsolute) "
                + "\(depth.calibration.map { "\($0)" } ?? "")"
        case .dropped(let reason)?: "depth dropped \(reason)"
        case nil: ""
        }
    }

    private static func describe(_ still: StillFrame) -> String {
        let content: String
        switch still.payload {
        case .pixels(let pixels)?:
            content = "\(pixels.width)x\(pixels.height) \((try? PixelChecksum(pixels))?.description ?? "?")"
        case .compressed(let data, let codec)?: content = "\(codec) \(data.checksum)"
        case nil: content = "\(still.error.map { "\($0)" } ?? "no image")"
        }
        return " still \(still.requestID).\(still.exposureIndex) at \(still.presentationTime.traceText) "
            + "\(still.settings) of \(still.mergedFrameCount) frames \(content)"
    }

    static func describe(_ event: StreamEvent) -> String {
        switch event {
        case .video(let frame):
            let content: String
            switch frame.payload {
            case .pixels(let pixels):
                content =
                    "\(pixels) \((try? PixelChecksum(pixels))?.description ?? "?") "
                    + "\(pixels.attachments.propagated.map { "\($0.key)=\($0.value)" }.sorted())"
            case .compressed(let data, let codec): content = "\(codec) \(data.checksum)"
            }
            return "frame \(frame.sequenceNumber) at \(frame.presentationTime.traceText) for "
                + "\(frame.duration.traceText) \(frame.settings) \(content) \(describe(frame.depth))"
                + frame.faces.map { " \($0)" }.joined() + frame.stills.map(describe).joined()
        case .audio(let chunk):
            return "sound \(chunk.samplePosition) \(chunk.frameCount) at \(chunk.presentationTime.traceText) "
                + "\(chunk.format) \(chunk.followsDiscontinuity) \(chunk.data.checksum)"
        case .dropped(let drop): return "dropped \(drop)"
        case .failed(let error, let time): return "failed \(error) at \(time.traceText)"
        case .ended(let time): return "ended at \(time.traceText)"
        }
    }
}

extension CMBlockBuffer {
    var checksum: PixelChecksum { withUnsafeBytes { PixelChecksum($0) } }
}

extension XCTestCase {
    /// Returns the URL of a trace folder that does not exist yet and is removed after the test.
    func traceFolder(_ name: String = "trace") throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        addTeardownBlock { try FileManager.default.removeItem(at: url) }
        return url.appendingPathComponent(name, isDirectory: true)
    }

    /// Compares two logs and reports the first line that differs.
    func assertSame(
        _ first: [String], _ second: [String], _ message: String, file: StaticString = #filePath, line: UInt = #line
    ) {
        for (index, pair) in zip(first, second).enumerated() where pair.0 != pair.1 {
            XCTFail("\(message), line \(index):\n\(pair.0)\n\(pair.1)", file: file, line: line)
            return
        }
        XCTAssertEqual(first.count, second.count, message, file: file, line: line)
    }
}

extension SimHost {
    static let camera = "phone.back-wide"
    static let microphone = "phone.microphone"
}
