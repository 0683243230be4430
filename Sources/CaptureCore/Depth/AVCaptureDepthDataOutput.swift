import AssetTypes
import CaptureHAL
public import Dispatch
import Foundation
public import MediaTypes
import PixelKernels

/// Receives the depth of a depth data output, on the queue passed to `setDelegate(_:callbackQueue:)`.
public protocol AVCaptureDepthDataOutputDelegate: AnyObject {
    /// Depth was captured; `timestamp` is the timestamp of its frame.
    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
        connection: AVCaptureConnection)
    /// Depth was dropped; `depthData` has no values.
    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime,
        connection: AVCaptureConnection, reason: AVCaptureOutput.DataDroppedReason)
}

extension AVCaptureDepthDataOutputDelegate {
    public func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
        connection: AVCaptureConnection
    ) {}
    public func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime,
        connection: AVCaptureConnection, reason: AVCaptureOutput.DataDroppedReason
    ) {}
}

/// Delivers the depth that a camera measures with its frames to a delegate, in the device's `activeDepthDataFormat`.
///
/// A session connects it to a camera that has depth formats; if the active format has none, nothing is delivered.
/// - Important: Thread-safe.
public final class AVCaptureDepthDataOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `settings`, `filtering` and the locks of `clients`.
    private struct Settings: Sendable {
        var discardsLateData = true
        var isFilteringEnabled = true
    }

    /// The filter, with its state from earlier maps, and the pool of filtered maps.
    private struct Filtering {
        var filter = DepthFilter()
        private var pool: CVPixelBufferPool?
        private var shape = (width: 0, height: 0, pixelFormat: OSType(0))

        /// Returns the pool for maps with the size and pixel format of a map.
        mutating func pool(for map: CVPixelBuffer) -> CVPixelBufferPool {
            let newShape = (
                width: CVPixelBufferGetWidth(map), height: CVPixelBufferGetHeight(map),
                pixelFormat: CVPixelBufferGetPixelFormatType(map)
            )
            if let pool, shape == newShape { return pool }
            let new = CVPixelBufferPool(
                width: newShape.width, height: newShape.height, pixelFormat: newShape.pixelFormat,
                maximumBufferCount: FrameConverter.bufferCount, name: "of filtered depth maps")
            (pool, shape) = (new, newShape)
            return new
        }
    }

    private let settings = Lock(Settings())
    private let filtering = Lock(Filtering(), order: .depthFiltering)
    let clients: DataOutputClients<any AVCaptureDepthDataOutputDelegate>

    public init() {
        let system = CaptureSystem.current
        clients = DataOutputClients(system)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.depthData] }
    override var rotatesPixels: Bool { true }
    override var sampleSubscribers: SampleSubscribers? { clients.subscribers }
    override var discardsLateData: Bool { alwaysDiscardsLateDepthData }

    /// Sets the delegate and the serial queue on which it is called; a delegate without a queue is misuse.
    public func setDelegate(_ delegate: (any AVCaptureDepthDataOutputDelegate)?, callbackQueue: DispatchQueue?) {
        clients.setDelegate(
            delegate, queue: callbackQueue, "AVCaptureDepthDataOutput setDelegate:callbackQueue:"
        ) { [weak delegate] in delegate }
    }

    public var delegate: (any AVCaptureDepthDataOutputDelegate)? { clients.delegate }
    public var delegateCallbackQueue: DispatchQueue? { clients.callbackQueue }

    /// Whether depth that arrives while the delegate is busy is dropped; true by default.
    public var alwaysDiscardsLateDepthData: Bool {
        get { observedProperties.value(\.discardsLateData, in: settings) }
        set { observedProperties.set(\.discardsLateData, in: settings, to: newValue) }
    }

    /// Whether holes are filled and noise is reduced, within each map and between consecutive maps; true by default.
    public var isFilteringEnabled: Bool {
        get {
            observedProperties.access()
            return settings.withLock { $0.isFilteringEnabled }
        }
        set {
            settings.withLock { $0.isFilteringEnabled = newValue }
            filtering.withLock { $0 = Filtering() }
            observedProperties.changed()
        }
    }

    override func consumeDepth(_ depth: CapturedDepth, from connection: AVCaptureConnection) {
        guard let receiver = clients.receiver else { return }
        let (discardsLate, isFiltered) = settings.withLock { ($0.discardsLateData, $0.isFilteringEnabled) }
        switch depth.content {
        case nil: clients.subscribers.synchronizer?.skip(depth.time, from: self)
        case .dropped(let reason)?:
            reportDrop(reason.dataReason, at: depth.time, duration: depth.duration, from: connection)
        case .map(let frame)?:
            var data = AVDepthData(frame, misuse: system.misuse)
            if isFiltered {
                guard let filtered = filter(data) else {
                    return reportDrop(.outOfBuffers, at: depth.time, duration: depth.duration, from: connection)
                }
                data = filtered
            }
            let transform = connection.pixelTransform
            let rotated = data.rotated(transform.rotation, isMirrored: transform.isMirrored)
            let isAccepted = clients.offer(
                SampleSynchronizer.Item(depth: rotated, time: depth.time, duration: depth.duration, dropped: .none),
                from: self, to: receiver, discardsLate: discardsLate
            ) { [self] in
                receiver.delegate?.depthDataOutput(
                    self, didOutput: rotated, timestamp: depth.time, connection: connection)
            }
            if !isAccepted {
                reportDrop(
                    of: rotated.dropped, .lateData, at: depth.time, duration: depth.duration, from: connection)
            }
        }
    }

    override func consumeDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {
        reportDrop(drop.reason.dataReason, at: drop.presentationTime, duration: .invalid, from: connection)
    }

    override func sessionDidStop(_ reason: StopReason) {
        filtering.withLock { $0 = Filtering() }
        super.sessionDidStop(reason)
    }

    /// Fills holes and reduces noise; nil if all buffers are in use.
    private func filter(_ data: AVDepthData) -> AVDepthData? {
        filtering.withLock { filtering in
            var filter = filtering.filter
            let pool = filtering.pool(for: data.depthDataMap)
            let result = data.filtered(into: { _, _, _ in pool.makeBuffer() }) { filter.filter($0) }
            filtering.filter = filter
            return result
        }
    }

    /// Reports dropped depth of the camera's active depth format.
    private func reportDrop(
        _ reason: DataDroppedReason, at time: CMTime, duration: CMTime, from connection: AVCaptureConnection
    ) {
        let device = connection.deviceInput?.device
        guard let format = device?.activeDepthDataFormat?.depth else { return }
        let dropped = AVDepthData(dropped: format, accuracy: .relative, misuse: system.misuse)
        reportDrop(of: dropped, reason, at: time, duration: duration, from: connection)
    }

    private func reportDrop(
        of dropped: AVDepthData, _ reason: DataDroppedReason, at time: CMTime, duration: CMTime,
        from connection: AVCaptureConnection
    ) {
        guard let receiver = clients.receiver else { return }
        clients.reportDrop(
            SampleSynchronizer.Item(depth: dropped, time: time, duration: duration, dropped: reason), from: self,
            to: receiver
        ) { [self] in
            receiver.delegate?.depthDataOutput(
                self, didDrop: dropped, timestamp: time, connection: connection, reason: reason)
        }
    }
}
