import CaptureBackends
import CaptureCore
import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import RecordedDevices

/// The capture system of a command, with the clock that advances it.
struct CommandSystem {
    let system: CaptureSystem
    /// The clock to advance; nil in real time.
    let virtualClock: SimClock?
    let backend: Backend
    /// The host of the devices, without a trace recorder around it; nil without devices.
    let source: (any HardwareHost)?
    /// Makes a `run` in real time evaluate its condition at once, by submitting a block to the main queue. Thread-safe.
    var wakeUp: @Sendable () -> Void {
        let isInRealTime = virtualClock == nil
        return { if isInRealTime { DispatchQueue.main.async {} } }
    }

    /// Whether the devices end by themselves, as a media file that does not loop does.
    var ends: Bool { (source as? MediaFileHost)?.ends ?? backend.ends }

    /// Returns the jumps in the timestamps of a media file up to a time in seconds; nil if there are none.
    func jumps(until time: Double) -> [RecordCommand.Report.Jump]? {
        let jumps = (source as? MediaFileHost)?.jumps.filter { $0.time.seconds <= time } ?? []
        guard !jumps.isEmpty else { return nil }
        return jumps.map { RecordCommand.Report.Jump(time: $0.time.seconds, size: $0.size.seconds) }
    }

    /// The media of a media file that no decoder reads.
    var undecodableMedia: [DeviceMedia] { (source as? MediaFileHost)?.undecodableMedia ?? [] }

    /// The suffix of a message about a missing device, which names the command that finds the reason; empty for other
    /// backends than `linux`.
    var missingDeviceAdvice: String { backend == .linux ? "; 'obscura doctor' finds the reason" : "" }

    /// Returns the duration to capture: the requested one, else 10 s. Nil, to capture to the end, if no duration is
    /// requested and the source has an end.
    func limit(_ duration: DurationArgument?) -> CMTime? {
        duration?.time ?? (ends ? nil : CMTime(value: 10, timescale: 1))
    }

    /// Returns the streams of a camera that the replayed trace contains; empty for other backends.
    func playableStreams(of camera: AVCaptureDevice) -> [PlayableStream] {
        tracedDevice(camera).map { $0.trace.playableStreams(of: $0.device) } ?? []
    }

    /// Returns false for a device that a trace lists but that was not opened during its recording.
    func canPlay(_ device: AVCaptureDevice) -> Bool {
        tracedDevice(device).map { $0.trace.canOpen($0.device) } ?? true
    }

    /// Finds the device by its ID, because a trace recorder around the host replaces the device objects.
    private func tracedDevice(_ device: AVCaptureDevice) -> (trace: TraceHost, device: any HardwareDevice)? {
        guard let trace = source as? TraceHost else { return nil }
        return trace.devices.first { $0.descriptor.uniqueID == device.uniqueID }.map { (trace, $0) }
    }

    /// Advances time until a condition is true; called on the main thread. Blocks of the main queue run meanwhile.
    ///
    /// - Parameters:
    ///   - limit: The timeout; nil for no timeout.
    ///   - interval: In real time, the time in seconds between evaluations while the main queue is idle.
    /// - Returns: Whether the condition is true; false after the timeout, or if no event is pending in virtual time.
    @discardableResult
    func run(
        limit: Duration? = nil, pollingEvery interval: Double = 0.1, until isDone: @escaping @Sendable () -> Bool
    ) -> Bool {
        if let virtualClock { return virtualClock.run(until: isDone, limit: limit ?? .seconds(1_000_000)) }
        let end = limit.map { system.clock.now + CMTime(nanoseconds: $0.nanoseconds) }
        while !isDone() {
            let rest = end.map { ($0 - system.clock.now).seconds } ?? .infinity
            if rest <= 0 { return false }
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: min(rest, interval)))
        }
        return true
    }
}
