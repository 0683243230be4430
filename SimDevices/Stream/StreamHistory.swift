package import CaptureHAL
import MediaTypes

/// The last frames that the streams of a simulated host delivered, for the report of a failed test.
///
/// Retained frames are released when a camera needs their buffers, so that clients can retain as many frames as without
/// the history.
package final class StreamHistory: Sendable {
    /// A delivered frame.
    package struct Frame: Sendable {
        package let deviceID: String
        package let payload: VideoFrame.Payload
        package let sequenceNumber: UInt64
    }

    /// The deliveries of one device's current or last stream.
    private struct DeviceRecord {
        var delivered = 0
        var dropped = 0
        var frames: [Frame] = []
    }

    private struct State {
        /// Receives the lines; nil before the start of the history.
        var log: (@Sendable (String) -> Void)?
        var records: [String: DeviceRecord] = [:]
        /// Receives each video frame; nil if there is no observer.
        var observer: (@Sendable (Frame) -> Void)?
    }

    /// The number of frames that are retained for each camera.
    private static let capacity = 3

    private let state = Lock(State(), order: .primitive)

    /// Starts the history.
    ///
    /// - Parameter log: Receives a line for the start and the end of each stream.
    package func start(log: @escaping @Sendable (String) -> Void) { state.withLock { $0.log = log } }

    /// Sets a function that receives each video frame at the time of its delivery.
    package func observeFrames(_ observer: @escaping @Sendable (Frame) -> Void) {
        state.withLock { $0.observer = observer }
    }

    /// The retained frames, sorted by device and in order of delivery.
    package var frames: [Frame] {
        state.withLock { state in state.records.sorted { $0.key < $1.key }.flatMap(\.value.frames) }
    }

    func didStart(_ deviceID: String, _ configuration: StreamConfiguration) {
        let log = state.withLock { state in
            if state.log != nil { state.records[deviceID, default: DeviceRecord()].delivered = 0 }
            state.records[deviceID]?.dropped = 0
            return state.log
        }
        guard let log else { return }
        switch configuration.format {
        case .video(let format):
            log(
                "\(deviceID) starts \(format.dimensions.width)x\(format.dimensions.height), "
                    + "a frame each \(configuration.frameDuration.seconds) s")
        case .audio(let format): log("\(deviceID) starts \(format)")
        }
    }

    func didStop(_ deviceID: String) { report(deviceID, "stops") }

    func didDeliver(_ event: StreamEvent, _ deviceID: String) {
        switch event {
        case .video(let frame):
            let frame = Frame(deviceID: deviceID, payload: frame.payload, sequenceNumber: frame.sequenceNumber)
            state.withLock { $0.observer }?(frame)
            // Released outside of the lock: the pool of its buffer has a lock.
            let oldest = state.withLock { state -> Frame? in
                guard state.log != nil else { return nil }
                state.records[deviceID, default: DeviceRecord()].delivered += 1
                state.records[deviceID]?.frames.append(frame)
                guard let count = state.records[deviceID]?.frames.count, count > Self.capacity else { return nil }
                return state.records[deviceID]?.frames.removeFirst()
            }
            _ = oldest
        case .audio: state.withLock { $0.records[deviceID]?.delivered += 1 }
        case .dropped: state.withLock { $0.records[deviceID]?.dropped += 1 }
        case .failed(let error, _): report(deviceID, "fails with \(error.code): \(error.message)")
        case .ended: report(deviceID, "ends")
        }
    }

    private func report(_ deviceID: String, _ event: String) {
        let (log, record) = state.withLock { ($0.log, $0.records[deviceID]) }
        guard let log, let record else { return }
        log("\(deviceID) \(event) after \(record.delivered) deliveries, \(record.dropped) dropped")
    }

    /// Releases the retained frames, so that their buffers can be used again.
    func releaseFrames() {
        let frames = state.withLock { state in
            let frames = state.records.values.map(\.frames)
            for id in state.records.keys { state.records[id]?.frames = [] }
            return frames
        }
        _ = frames
    }
}
