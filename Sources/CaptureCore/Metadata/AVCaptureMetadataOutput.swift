import CaptureHAL
public import Dispatch
public import Foundation
public import KeyValueObserving
import MediaAssets
import MediaTypes

/// Receives what a metadata output has seen, on the queue that was given with it.
public protocol AVCaptureMetadataOutputObjectsDelegate: AnyObject {
    /// Objects were seen in a picture; none, once, where those of the picture before are gone.
    func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection)
}

extension AVCaptureMetadataOutputObjectsDelegate {
    public func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection
    ) {}
}

/// Looks for machine-readable codes in a camera's pictures.
///
/// Looking takes longer than a picture lasts: pictures that come meanwhile are passed over. A synchronizer gets what was
/// seen in each picture that was looked at, also where that is nothing.
/// - Note: Unlike Apple's, it finds codes only, no faces, bodies or other things.
/// - Important: Thread-safe.
public final class AVCaptureMetadataOutput: AVCaptureOutput, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the detector is used on `worker` alone.
    private typealias Client = DataOutputClient<any AVCaptureMetadataOutputObjectsDelegate>

    private struct State: Sendable {
        var client = Client(queue: nil) { nil }
        var types: [AVMetadataObject.ObjectType] = []
        var rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
        /// Whether a picture is being looked at.
        var isBusy = false
        /// The last picture that was passed over meanwhile.
        var passedTime: CMTime?
        /// Counts the runs of media: what was seen in one that is over is told nobody.
        var run = 0
        /// Whether the client was told of something that may be gone.
        var hasSeen = false
        /// Whether observers know of types.
        var hasToldTypes = false
    }

    public let observedProperties = ObservedProperties()

    private let state = Lock(State())
    private let detector: any MetadataDetector = CodeDetector()
    private let worker: any ClockWorker
    private let deliveries: DeliveryQueue
    /// Only a synchronizer takes anything here.
    let taps = SampleTaps()

    public init() {
        let system = CaptureSystem.current
        worker = system.clock.makeWorker(label: "obscura.metadata")
        deliveries = DeliveryQueue(clock: system.clock)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.metadataObject] }

    /// Sets who receives the objects and on which serial queue; a delegate without a queue is misuse.
    public func setMetadataObjectsDelegate(
        _ objectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)?, queue objectsCallbackQueue: DispatchQueue?
    ) {
        guard
            system.misuse.checkQueue(
                objectsCallbackQueue, of: objectsDelegate, "AVCaptureMetadataOutput setMetadataObjectsDelegate:queue:")
        else { return }
        let client = Client(queue: objectsCallbackQueue) { [weak objectsDelegate] in objectsDelegate }
        state.withLock { $0.client = client }
    }

    public var metadataObjectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)? {
        state.withLock { $0.client }.delegate
    }

    public var metadataObjectsCallbackQueue: DispatchQueue? { state.withLock { $0.client.queue } }

    /// What can be looked for; nothing before the output is connected to a camera. Can be observed.
    public var availableMetadataObjectTypes: [AVMetadataObject.ObjectType] {
        observedProperties.access()
        return isConnected ? detector.types : []
    }

    private var isConnected: Bool { connection(with: .metadataObject) != nil }

    override func connectionsDidChange() {
        let hasTypes = isConnected
        let isNews = state.withLock { state in
            defer { state.hasToldTypes = hasTypes }
            return state.hasToldTypes != hasTypes
        }
        if isNews { observedProperties.changed(["availableMetadataObjectTypes"]) }
    }

    /// What is looked for, nothing by default; another type than the available ones is misuse.
    public var metadataObjectTypes: [AVMetadataObject.ObjectType]! {
        get { state.withLock { $0.types } }
        set {
            let wanted = newValue ?? []
            let available = availableMetadataObjectTypes
            let unsupported = wanted.filter { !available.contains($0) }
            guard unsupported.isEmpty else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureMetadataOutput setMetadataObjectTypes:] Unsupported type found: "
                        + unsupported.map(\.rawValue).joined(separator: ", ") + " - use -availableMetadataObjectTypes")
            }
            state.withLock { $0.types = wanted }
        }
    }

    /// The part of the camera's picture, (0,0) … (1,1), that things must lie in, be it only with a corner; all of it by
    /// default.
    public var rectOfInterest: CGRect {
        get { state.withLock { $0.rectOfInterest } }
        set { state.withLock { $0.rectOfInterest = newValue } }
    }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media.content else { return }
        let synchronizer = taps.synchronizer
        let (isWanted, isPassed) = state.withLock { state in
            guard !state.isBusy else {
                state.passedTime = frame.presentationTime
                return (false, false)
            }
            let isWanted = !state.types.isEmpty || state.hasSeen && synchronizer == nil
            guard isWanted, state.client.queue != nil || synchronizer != nil else { return (false, true) }
            state.isBusy = true
            return (true, false)
        }
        if isPassed { synchronizer?.pass(self, frame.presentationTime) }
        guard isWanted else { return }
        worker.submit { [self] in
            look(at: frame, media, connection)
            let passedTime = state.withLock { state in
                defer { state.passedTime = nil }
                state.isBusy = false
                return state.passedTime
            }
            if let passedTime { taps.synchronizer?.pass(self, passedTime) }
        }
    }

    /// A picture that never came shows nothing.
    override func receiveDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {
        guard let synchronizer = taps.synchronizer else { return }
        let isBusy = state.withLock { state in
            if state.isBusy { state.passedTime = drop.presentationTime }
            return state.isBusy
        }
        if !isBusy { synchronizer.pass(self, drop.presentationTime) }
    }

    private func look(at frame: VideoFrame, _ media: CapturedMedia, _ connection: AVCaptureConnection) {
        let (client, types, part, run) = state.withLock { ($0.client, $0.types, $0.rectOfInterest, $0.run) }
        let findings =
            types.isEmpty ? [] : picture(of: frame, media).map { detector.findings(in: $0, part: part) } ?? []
        let port = connection.inputPorts.first
        let objects = findings.filter { types.contains($0.type) }.map { finding in
            AVMetadataMachineReadableCodeObject(
                finding.type, stringValue: finding.text, corners: finding.corners,
                AVMetadataObject.Sighting(
                    time: frame.presentationTime, duration: frame.duration, bounds: finding.bounds, port: port))
        }
        if let synchronizer = taps.synchronizer {
            guard state.withLock({ $0.run == run }) else { return }
            let item = SampleSynchronizer.Item(
                objects: objects, time: frame.presentationTime, duration: frame.duration)
            return synchronizer.take(item, from: self)
        }
        let isNews = state.withLock { state in
            defer { state.hasSeen = !objects.isEmpty }
            return state.hasSeen || !objects.isEmpty
        }
        guard isNews, let queue = client.queue else { return }
        let delivery = Delivery.call(on: queue) { [self] in
            client.delegate?.metadataOutput(self, didOutput: objects, from: connection)
        }
        _ = deliveries.submit(delivery, discardsLate: !objects.isEmpty)
    }

    /// The frame with its luma in a plane; nil where it is damaged, or all buffers are held.
    private func picture(of frame: VideoFrame, _ media: CapturedMedia) -> CVPixelBuffer? {
        do throws(AVError) {
            let source = try media.pixelBuffer(of: frame)
            switch CVPixelBufferGetPixelFormatType(source) {
            case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
                return source
            default:
                return try media.pixelBuffer(
                    of: frame,
                    as: FrameConverter.Request(
                        pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, size: nil,
                        transform: .identity))
            }
        } catch {
            return nil
        }
    }

    override func connectionDidChange(_ connection: AVCaptureConnection) { taps.synchronizer?.lookAgain() }

    override func sessionDidStop(_ reason: StopReason) {
        state.withLock { state in
            state.hasSeen = false
            state.run += 1
        }
        taps.sessionDidStop(reason, isInSession: session != nil)
    }
}
