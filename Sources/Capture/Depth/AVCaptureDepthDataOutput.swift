import CaptureHAL
public import Dispatch
import Foundation
public import MediaTypes
import PixelKernels

/// Receives the depth of a depth data output, on the queue that was given with it.
public protocol AVCaptureDepthDataOutputDelegate: AnyObject {
    /// Depth has come; `timestamp` is that of the picture that it belongs to.
    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
        connection: AVCaptureConnection)
    /// Depth was dropped; `depthData` is a shell without numbers.
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

/// Hands the depth that a camera measures beside its pictures to a delegate, in the device's `activeDepthDataFormat`.
///
/// A session connects it to a camera that has depth formats; where the active format has none, nothing comes.
/// - Important: Thread-safe.
public final class AVCaptureDepthDataOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `settings`, `filtering` and the taps' own lock.
    private typealias Client = DataOutputClient<any AVCaptureDepthDataOutputDelegate>

    private struct Settings: Sendable {
        var client = Client(queue: nil) { nil }
        var discardsLateData = true
        var isFilteringEnabled = true
    }

    /// What filtering keeps from map to map.
    private struct Filtering {
        var filter = DepthFilter()
        private var pool: CVPixelBufferPool?
        private var shape = (width: 0, height: 0, pixelFormat: OSType(0))

        /// The memory for maps as this one.
        mutating func pool(for map: CVPixelBuffer) -> CVPixelBufferPool {
            let wanted = (
                width: CVPixelBufferGetWidth(map), height: CVPixelBufferGetHeight(map),
                pixelFormat: CVPixelBufferGetPixelFormatType(map)
            )
            if let pool, shape == wanted { return pool }
            let new = CVPixelBufferPool(
                width: wanted.width, height: wanted.height, pixelFormat: wanted.pixelFormat,
                maximumBufferCount: FrameConverter.bufferCount)
            (pool, shape) = (new, wanted)
            return new
        }
    }

    private let settings = Lock(Settings())
    private let filtering = Lock(Filtering(), order: .depthFiltering)
    private let deliveries: DeliveryQueue
    let taps = SampleTaps()

    public init() {
        let system = CaptureSystem.current
        deliveries = DeliveryQueue(clock: system.clock)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.depthData] }
    override var turnsPixels: Bool { true }

    /// Sets who receives the depth and on which serial queue; a delegate without a queue is misuse.
    public func setDelegate(_ delegate: (any AVCaptureDepthDataOutputDelegate)?, callbackQueue: DispatchQueue?) {
        guard
            system.misuse.checkQueue(callbackQueue, of: delegate, "AVCaptureDepthDataOutput setDelegate:callbackQueue:")
        else { return }
        let client = Client(queue: callbackQueue) { [weak delegate] in delegate }
        settings.withLock { $0.client = client }
    }

    public var delegate: (any AVCaptureDepthDataOutputDelegate)? { settings.withLock { $0.client }.delegate }
    public var delegateCallbackQueue: DispatchQueue? { settings.withLock { $0.client.queue } }

    /// Whether depth that comes while the delegate is busy is dropped; true by default.
    public var alwaysDiscardsLateDepthData: Bool {
        get { settings.withLock { $0.discardsLateData } }
        set { settings.withLock { $0.discardsLateData = newValue } }
    }

    /// Whether holes are filled and noise is taken off, also from one map to the next; true by default.
    public var isFilteringEnabled: Bool {
        get { settings.withLock { $0.isFilteringEnabled } }
        set {
            settings.withLock { $0.isFilteringEnabled = newValue }
            filtering.withLock { $0 = Filtering() }
        }
    }

    override func receiveDepth(_ depth: CapturedDepth, from connection: AVCaptureConnection) {
        let (client, discardsLate, isFiltered) = settings.withLock {
            ($0.client, $0.discardsLateData, $0.isFilteringEnabled)
        }
        let hasClient = client.delegate != nil && client.queue != nil
        guard hasClient || taps.synchronizer != nil else { return }
        switch depth.delivery {
        case nil: taps.synchronizer?.pass(self, depth.time)
        case .dropped(let reason)?:
            drop(reason.dataReason, at: depth.time, lasting: depth.duration, to: client, from: connection)
        case .map(let frame)?:
            var data = AVDepthData(frame, misuse: system.misuse)
            if isFiltered {
                guard let filtered = filter(data) else {
                    return drop(
                        .outOfBuffers, at: depth.time, lasting: depth.duration, to: client, from: connection)
                }
                data = filtered
            }
            let transform = connection.pixelTransform
            let turned = data.turned(transform.rotation, isMirrored: transform.isMirrored)
            if let synchronizer = taps.synchronizer {
                let item = SampleSynchronizer.Item(
                    depth: turned, time: depth.time, duration: depth.duration, dropped: .none)
                return synchronizer.take(item, from: self)
            }
            guard let queue = client.queue else { return }
            let delivery = Delivery.call(on: queue) { [self] in
                client.delegate?.depthDataOutput(self, didOutput: turned, timestamp: depth.time, connection: connection)
            }
            let isLate = deliveries.submit(delivery, discardsLate: discardsLate)
            if isLate { tellDrop(of: turned.dropped, .lateData, at: depth.time, to: client, from: connection) }
        }
    }

    override func receiveDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {
        self.drop(
            drop.reason.dataReason, at: drop.presentationTime, lasting: .invalid,
            to: settings.withLock { $0.client }, from: connection)
    }

    override func connectionDidChange(_ connection: AVCaptureConnection) { taps.synchronizer?.lookAgain() }

    override func sessionDidStop(_ reason: StopReason) {
        filtering.withLock { $0 = Filtering() }
        taps.sessionDidStop(reason, isInSession: session != nil)
    }

    /// The data without holes and with less noise; nil where clients hold all buffers.
    private func filter(_ data: AVDepthData) -> AVDepthData? {
        filtering.withLock { filtering in
            var filter = filtering.filter
            let pool = filtering.pool(for: data.depthDataMap)
            let result = data.filtered(into: { _, _, _ in pool.makeBuffer() }) { filter.filter($0) }
            filtering.filter = filter
            return result
        }
    }

    private func drop(
        _ reason: DataDroppedReason, at time: CMTime, lasting duration: CMTime, to client: Client,
        from connection: AVCaptureConnection
    ) {
        let device = (connection.inputPorts.first?.ownerIfAlive as? AVCaptureDeviceInput)?.device
        guard let format = device?.activeDepthDataFormat?.depth else { return }
        let shell = AVDepthData(dropped: format, accuracy: .relative, misuse: system.misuse)
        if let synchronizer = taps.synchronizer {
            let item = SampleSynchronizer.Item(depth: shell, time: time, duration: duration, dropped: reason)
            return synchronizer.take(item, from: self)
        }
        tellDrop(of: shell, reason, at: time, to: client, from: connection)
    }

    private func tellDrop(
        of shell: AVDepthData, _ reason: DataDroppedReason, at time: CMTime, to client: Client,
        from connection: AVCaptureConnection
    ) {
        guard client.delegate != nil, let queue = client.queue else { return }
        system.clock.deliver(on: queue) { [weak self] in
            guard let self else { return }
            client.delegate?.depthDataOutput(
                self, didDrop: shell, timestamp: time, connection: connection, reason: reason)
        }
    }
}

extension DroppedFrame.Reason {
    /// The reason as clients of data outputs are told it.
    var dataReason: AVCaptureOutput.DataDroppedReason {
        switch self {
        case .outOfBuffers: .outOfBuffers
        case .discontinuity, .damaged: .discontinuity
        }
    }
}
