import AssetTypes
import CaptureHAL
public import Dispatch
public import Foundation
import MediaTypes

/// Receives the objects that a metadata output detects, on the queue passed to
/// `setMetadataObjectsDelegate(_:queue:)`.
public protocol AVCaptureMetadataOutputObjectsDelegate: AnyObject {
    /// Objects were detected in a frame. When no objects are detected anymore, it is called once with an empty array.
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

/// Detects machine-readable codes and faces in a camera's frames.
///
/// If the camera itself does not detect faces, the output uses the face detector, if it is installed. Frames that
/// arrive during detection are skipped. A synchronizer receives the objects of each processed frame, even if there are
/// none.
/// - Note: Unlike Apple, it reports no bodies or other objects.
/// - Important: Thread-safe.
public final class AVCaptureMetadataOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `state` and the locks of `clients`; the detectors are used on `worker` only.
    private struct State: Sendable {
        var types: [AVMetadataObject.ObjectType] = []
        var rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
        /// Whether the detector is processing a frame.
        var isBusy = false
        /// The time of the last frame that was skipped while the detector was busy.
        var skippedTime: CMTime?
        /// Incremented when the media stop; objects that were detected before are not reported.
        var generation = 0
        /// Whether the last report had objects, so that a report without objects must follow.
        var hasReportedObjects = false
        /// The available types in the last notification of observers.
        var reportedTypes: [AVMetadataObject.ObjectType] = []
    }

    private let state = Lock(State())
    private let codeDetector = CodeDetector()
    private let faceDetector = FrameFaceDetector()
    private let worker: any ClockWorker
    let clients: DataOutputClients<any AVCaptureMetadataOutputObjectsDelegate>

    public init() {
        let system = CaptureSystem.current
        worker = system.clock.makeWorker(label: "obscura.metadata")
        clients = DataOutputClients(system)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.metadataObject] }
    override var sampleSubscribers: SampleSubscribers? { clients.subscribers }

    /// Sets the delegate and the serial queue on which it is called; a delegate without a queue is misuse.
    public func setMetadataObjectsDelegate(
        _ objectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)?, queue objectsCallbackQueue: DispatchQueue?
    ) {
        clients.setDelegate(
            objectsDelegate, queue: objectsCallbackQueue, "AVCaptureMetadataOutput setMetadataObjectsDelegate:queue:"
        ) { [weak objectsDelegate] in objectsDelegate }
    }

    public var metadataObjectsDelegate: (any AVCaptureMetadataOutputObjectsDelegate)? { clients.delegate }

    public var metadataObjectsCallbackQueue: DispatchQueue? { clients.callbackQueue }

    /// The types that can be detected; empty before the output is connected to a camera. Contains `face` if the camera
    /// detects faces or the face detector is installed. Can be observed.
    public var availableMetadataObjectTypes: [AVMetadataObject.ObjectType] {
        observedProperties.access()
        return detectableTypes
    }

    private var detectableTypes: [AVMetadataObject.ObjectType] {
        guard let connection = connection(with: .metadataObject) else { return [] }
        let detectsFaces = Self.detectsFaces(connection.deviceInput) || FrameFaceDetector.isAvailable
        return (detectsFaces ? [.face] : []) + CodeDetector.types
    }

    /// Whether a camera itself detects faces.
    private static func detectsFaces(_ input: AVCaptureDeviceInput?) -> Bool {
        input?.device.hardware.descriptor.detectsFaces ?? false
    }

    override func connectionsDidChange() {
        let types = detectableTypes
        let hasChanged = state.withLock { state in
            defer { state.reportedTypes = types }
            return state.reportedTypes != types
        }
        if hasChanged { observedProperties.changed(["availableMetadataObjectTypes"]) }
    }

    /// The types that cinematic video requires; empty, since no backend supports it.
    public var requiredMetadataObjectTypesForCinematicVideoCapture: [AVMetadataObject.ObjectType] { [] }

    /// The types to detect; empty by default. Setting a type that is not available is misuse.
    public var metadataObjectTypes: [AVMetadataObject.ObjectType]! {
        get {
            observedProperties.access()
            return state.withLock { $0.types }
        }
        set {
            let requested = newValue ?? []
            let available = availableMetadataObjectTypes
            let unsupported = requested.filter { !available.contains($0) }
            guard unsupported.isEmpty else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureMetadataOutput setMetadataObjectTypes:] Unsupported type found: "
                        + unsupported.map(\.rawValue).joined(separator: ", ") + " - use -availableMetadataObjectTypes")
            }
            state.withLock { $0.types = requested }
            observedProperties.changed()
        }
    }

    /// The part of the camera's frame, (0,0) … (1,1), that objects must intersect; the complete frame by
    /// default.
    ///
    /// A rectangle that cannot be in these coordinates is stored, since the header names no exception, but is reported
    /// as a warning: one without a common area with the frame, in which nothing is found, or one several times as large
    /// as the frame, such as a rectangle in the points of a view. A converted rectangle of a layer that shows more than
    /// the frame may be somewhat larger.
    public var rectOfInterest: CGRect {
        get { observedProperties.value(\.rectOfInterest, in: state) }
        set {
            let frame = CGRect(x: 0, y: 0, width: 1, height: 1)
            let common = newValue.intersection(frame)
            if common.width <= 0 || common.height <= 0 || max(newValue.width, newValue.height) > 3 {
                system.warnings.report(
                    "rectOfInterest of the metadata output is set to (\(newValue.minX), \(newValue.minY), "
                        + "\(newValue.width), \(newValue.height)), which is not in the coordinates of the frame, "
                        + "(0, 0) to (1, 1); convert it with metadataOutputRectConverted(fromLayerRect:) of the "
                        + "preview layer")
            }
            observedProperties.set(\.rectOfInterest, in: state, to: newValue)
        }
    }

    override func consume(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media else { return }
        let synchronizer = clients.subscribers.synchronizer
        let hasQueue = clients.callbackQueue != nil
        // The generation is nil if the frame is not processed.
        let (generation, isSkipped) = state.withLock { state -> (Int?, Bool) in
            guard !state.isBusy else {
                state.skippedTime = frame.presentationTime
                return (nil, false)
            }
            let isRequired = !state.types.isEmpty || state.hasReportedObjects && synchronizer == nil
            guard isRequired, hasQueue || synchronizer != nil else { return (nil, true) }
            state.isBusy = true
            return (state.generation, false)
        }
        if isSkipped { synchronizer?.skip(frame.presentationTime, from: self) }
        guard let generation else { return }
        worker.submit { [self] in
            detect(in: frame, connection, generation)
            let skippedTime = state.withLock { state in
                defer { state.skippedTime = nil }
                state.isBusy = false
                return state.skippedTime
            }
            if let skippedTime { clients.subscribers.synchronizer?.skip(skippedTime, from: self) }
        }
    }

    /// Reports a dropped frame to the synchronizer as a frame without objects.
    override func consumeDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {
        guard let synchronizer = clients.subscribers.synchronizer else { return }
        let isBusy = state.withLock { state in
            if state.isBusy { state.skippedTime = drop.presentationTime }
            return state.isBusy
        }
        if !isBusy { synchronizer.skip(drop.presentationTime, from: self) }
    }

    /// Detects the objects of a frame and reports them, unless the media have stopped; on `worker`.
    ///
    /// - Parameter generation: The generation in which the frame arrived.
    private func detect(in frame: CapturedFrame, _ connection: AVCaptureConnection, _ generation: Int) {
        let (types, region) = state.withLock { ($0.types, $0.rectOfInterest) }
        let objects = objects(of: types, in: frame, region: region, connection)
        let synchronizer = clients.subscribers.synchronizer
        let mustReport = state.withLock { state in
            guard state.generation == generation else { return false }
            if synchronizer != nil { return true }
            defer { state.hasReportedObjects = !objects.isEmpty }
            return state.hasReportedObjects || !objects.isEmpty
        }
        guard mustReport else { return }
        if let synchronizer {
            let item = SampleSynchronizer.Item(
                objects: objects, time: frame.presentationTime, duration: frame.duration)
            return synchronizer.add(item, from: self)
        }
        guard let receiver = clients.receiver else { return }
        _ = clients.offerToDelegate(of: receiver, discardsLate: !objects.isEmpty) { [self] in
            receiver.delegate?.metadataOutput(self, didOutput: objects, from: connection)
        }
    }

    /// Returns the objects that intersect a region of a frame: faces, then codes.
    private func objects(
        of types: [AVMetadataObject.ObjectType], in frame: CapturedFrame, region: CGRect,
        _ connection: AVCaptureConnection
    ) -> [AVMetadataObject] {
        let port = connection.inputPorts.first
        func detection(_ bounds: CGRect) -> AVMetadataObject.Detection {
            AVMetadataObject.Detection(
                time: frame.presentationTime, duration: frame.duration, bounds: bounds, port: port)
        }
        var objects: [AVMetadataObject] = []
        if types.contains(.face) {
            for face in faces(in: frame, connection) where region.intersects(face.bounds) {
                objects.append(AVMetadataFaceObject(face, detection(face.bounds), misuse: system.misuse))
            }
        }
        if types.contains(where: { $0 != .face }), let image = biplanarImage(of: frame) {
            for code in codeDetector.detections(of: types, in: image, at: frame.presentationTime, region: region) {
                objects.append(
                    AVMetadataMachineReadableCodeObject(
                        code.type, stringValue: code.text, corners: code.corners, detection(code.bounds)))
            }
        }
        return objects
    }

    /// Returns the faces in a frame, as detected by the camera, or by the face detector if the camera detects no faces.
    private func faces(in frame: CapturedFrame, _ connection: AVCaptureConnection) -> [DetectedFace] {
        let input = connection.deviceInput
        guard !Self.detectsFaces(input) else { return frame.content.faces }
        let mounting = input.map { SensorMounting($0.device.hardware.descriptor) } ?? .unknown
        return faceDetector.faces(in: frame, uprightAt: mounting.angle(for: system.orientation.lastKnown))
    }

    /// Returns the frame in a 4:2:0 biplanar format; nil if it is damaged, or if all buffers are in use.
    private func biplanarImage(of frame: CapturedFrame) -> CVPixelBuffer? {
        do throws(AVError) {
            let source = try frame.pixelBuffer()
            switch CVPixelBufferGetPixelFormatType(source) {
            case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
                return source
            default:
                return try frame.pixelBuffer(
                    as: FrameConverter.Request(
                        pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, size: nil,
                        transform: .identity))
            }
        } catch {
            return nil
        }
    }

    override func sessionDidStop(_ reason: StopReason) {
        state.withLock { state in
            state.hasReportedObjects = false
            state.generation += 1
        }
        super.sessionDidStop(reason)
    }
}
