import CaptureHAL
import Foundation
import MediaTypes
import XCTest

/// The recorded events of one run of a stream.
final class FileRun: Sendable {
    struct Frame: Equatable {
        /// The presentation time in microseconds, rounded.
        var time: Int64
        var checksum: UInt32
    }

    struct State {
        var frames: [Frame] = []
        /// The durations of the frames in nanoseconds.
        var durations: [Int64] = []
        var sequenceNumbers: [UInt64] = []
        /// The times in nanoseconds at which frames and chunks were received.
        var arrivals: [Int64] = []
        var chunks: [AudioChunk] = []
        var drops: [DroppedFrame] = []
        var ends: [CMTime] = []
        var failures: [DeviceError] = []
        var eventTimes: [CMTime] = []
        var buffers: [CVPixelBuffer] = []
    }

    private let state = Lock(State())
    let stream: any DeviceStream
    private let clock: any CaptureClock
    private let keepsBuffers: Bool

    init(_ stream: any DeviceStream, _ clock: any CaptureClock, keepsBuffers: Bool = false) {
        self.stream = stream
        self.clock = clock
        self.keepsBuffers = keepsBuffers
    }

    var received: State { state.withLock { $0 } }

    /// Starts the stream. Each event is recorded and then passed to `handler`.
    func start(_ handler: @escaping @Sendable (StreamEvent) -> Void = { _ in }) throws {
        try stream.start { [self] event in
            record(event)
            handler(event)
        }
    }

    private func record(_ event: StreamEvent) {
        let now = clock.now.nanoseconds
        switch event {
        case .video(let frame):
            guard case .pixels(let pixels) = frame.payload else { return XCTFail("compressed") }
            let checksum = Self.adler(pixels)
            state.withLock { state in
                state.frames.append(
                    Frame(time: (frame.presentationTime.nanoseconds + 500) / 1000, checksum: checksum))
                state.durations.append(frame.duration.nanoseconds)
                state.sequenceNumbers.append(frame.sequenceNumber)
                state.arrivals.append(now)
                state.eventTimes.append(frame.presentationTime)
                if keepsBuffers { state.buffers.append(pixels) }
            }
        case .audio(let chunk):
            state.withLock { state in
                state.chunks.append(chunk)
                state.arrivals.append(now)
                state.eventTimes.append(chunk.presentationTime)
            }
        case .dropped(let drop):
            state.withLock { state in
                state.drops.append(drop)
                state.eventTimes.append(drop.presentationTime)
            }
        case .ended(let time):
            state.withLock { state in
                state.ends.append(time)
                state.eventTimes.append(time)
            }
        case .failed(let error, _):
            state.withLock { $0.failures.append(error) }
        }
    }

    /// Returns the Adler-32 checksum of the visible bytes with the initial value 0, as FFmpeg's `framecrc` computes it.
    static func adler(_ pixels: CVPixelBuffer) -> UInt32 {
        CVPixelBufferLockBaseAddress(pixels, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
        var (low, high): (UInt32, UInt32) = (0, 0)
        for plane in 0..<CVPixelBufferGetPlaneCount(pixels) {
            guard let base = CVPixelBufferGetBaseAddressOfPlane(pixels, plane) else { return 0 }
            for row in 0..<CVPixelBufferGetHeightOfPlane(pixels, plane) {
                let start = base + row * CVPixelBufferGetBytesPerRowOfPlane(pixels, plane)
                for byte in UnsafeRawBufferPointer(start: start, count: CVPixelBufferGetWidth(pixels)) {
                    low = (low + UInt32(byte)) % 65521
                    high = (high + low) % 65521
                }
            }
        }
        return high << 16 | low
    }
}

/// The media files of real cameras that the tests share.
enum TestMedia {
    static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Fixtures/Media/\(name)"
        )
        .standardizedFileURL.path
    }

    /// Reads the frames of a `.framecrc` file with a time base of microseconds.
    static func frames(_ name: String) throws -> [FileRun.Frame] {
        let text = try String(contentsOfFile: path(name), encoding: .utf8)
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return FileRun.Frame(
                time: try XCTUnwrap(Int64(fields[2])),
                checksum: try XCTUnwrap(UInt32(fields[5].dropFirst(2), radix: 16)))
        }
    }
}
