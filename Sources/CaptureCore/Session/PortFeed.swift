import CaptureHAL
import MediaTypes

/// Delivers the events of one stream to the outputs of a session.
///
/// An event takes one route: its timestamp is corrected, media without the user's consent are replaced by black frames
/// or silence, and each enabled connection of an enabled port passes them to its output. Connections, ports and consent
/// are looked up for each event, so that a change applies from the next one.
/// - Important: Confined to the stream: its events never overlap. `lastTime` may be read on any thread after the stream
///   has stopped.
final class PortFeed: StreamReceiver, @unchecked Sendable {
    // SAFETY: the events of one stream never overlap.
    /// The timestamp of the last delivered frame or audio chunk.
    private(set) var lastTime: CMTime
    private let port: AVCaptureInput.Port
    /// The ports that the stream feeds, `port` among them.
    private let ports: [AVCaptureInput.Port]
    /// The port of the depth that accompanies the frames; nil if none was requested.
    private let depthPort: AVCaptureInput.Port?
    private let device: AVCaptureDevice
    private let system: CaptureSystem
    private var timestamps: TimestampCorrector
    private let blanker: MediaBlanker
    private let converter: FrameConverter
    private let delay: StabilizationDelay
    private weak let session: AVCaptureSession?
    private let fail: @Sendable (DeviceError) -> Void

    /// - Parameters:
    ///   - time: The timestamp of the session's last media; only later ones are delivered.
    ///   - fail: Called with the stream's failure, on the clock.
    init(
        _ plan: InputRunner.PortPlan, of runner: InputRunner, after time: CMTime, to session: AVCaptureSession,
        fail: @escaping @Sendable (DeviceError) -> Void
    ) {
        port = plan.port
        ports = runner.input.portsFed(by: plan.port)
        depthPort = plan.depth == nil ? nil : runner.input.ports.first { $0.mediaType == .depthData }
        device = runner.device
        system = session.system
        timestamps = TimestampCorrector(plan.format.stream)
        blanker = runner.blanker
        converter = runner.converter
        delay = StabilizationDelay(clock: session.system.clock)
        lastTime = time
        self.session = session
        self.fail = fail
    }

    func receive(_ event: StreamEvent) {
        switch timestamps.correct(event) {
        case .unchanged: deliver(event)
        case .replaced(let other): deliver(other)
        case .dropped: break
        }
    }

    /// Discards the media that wait for the look-ahead of stabilization; called when the stream has stopped.
    func cancelDelayed() { delay.cancel() }

    // MARK: Private

    private func deliver(_ event: StreamEvent) {
        switch event {
        case .video(let frame): deliver(frame)
        case .audio(let chunk): deliver(chunk)
        case .dropped(let drop):
            deliver(drop)
            guard drop.carriesDepth else { return }
            for connection in depthConnections { connection.consumer?.receiveDrop(drop, from: connection) }
        case .failed(let error, _):
            // Not here: stopping the device inside its own event would wait for the event to end.
            system.clock.schedule(at: system.clock.now) { [fail] in fail(error) }
        case .ended(let time):
            delay.flush()
            for port in ports {
                port.endTime = time
                for connection in session?.connections(from: port) ?? [] {
                    connection.consumer?.sourceDidEnd(connection, at: time)
                }
            }
        }
    }

    private func deliver(_ frame: VideoFrame) {
        device.frameArrived(frame)
        guard advance(to: frame.presentationTime) else { return }
        var media: [VideoStabilization: CapturedMedia] = [:]
        forEachOpenConnection { connection in
            let mode = connection.stabilization(of: frame)
            guard let shared = media[mode] ?? makeMedia(frame.stabilized(with: mode)) else {
                let drop = DroppedFrame(
                    reason: .outOfBuffers, presentationTime: frame.presentationTime,
                    sequenceNumber: frame.sequenceNumber)
                deliver(drop, to: connection)
                return
            }
            media[mode] = shared
            delay.deliver(to: connection, after: frame.stabilized[mode]?.lookAhead ?? .zero) { [weak self] in
                // A delayed frame may arrive after a change of the session.
                guard let self, isOpen(connection) else { return }
                connection.consumer?.receive(shared, from: connection)
            }
        }
        let depthConnections = depthConnections
        guard !depthConnections.isEmpty else { return }
        let depth = CapturedDepth(frame)
        for connection in depthConnections { connection.consumer?.receiveDepth(depth, from: connection) }
    }

    /// Creates the media that all outputs share: the frame, or a black one without the user's consent; nil if clients
    /// hold all black frames.
    private func makeMedia(_ frame: VideoFrame) -> CapturedMedia? {
        if isAllowed { return CapturedMedia(frame, converter) }
        return blanker.makeBlackFrame(for: frame, of: port).map { CapturedMedia($0, converter) }
    }

    private func deliver(_ chunk: AudioChunk) {
        guard advance(to: chunk.presentationTime) else { return }
        var audible: AudioChunk?
        forEachOpenConnection { connection in
            let chunk = audible ?? (isAllowed ? chunk : blanker.makeSilence(for: chunk))
            audible = chunk
            connection.consumer?.receive(CapturedMedia(connection.applyingChannels(to: chunk)), from: connection)
        }
    }

    private func deliver(_ drop: DroppedFrame) {
        forEachOpenConnection { deliver(drop, to: $0) }
    }

    /// Reports a dropped frame after the earlier frames.
    private func deliver(_ drop: DroppedFrame, to connection: AVCaptureConnection) {
        delay.deliver(to: connection, after: nil) { [weak self] in
            guard let self, isOpen(connection) else { return }
            connection.consumer?.receiveDrop(drop, from: connection)
        }
    }

    /// Whether a connection carries media of an enabled port.
    private func isOpen(_ connection: AVCaptureConnection) -> Bool {
        connection.carries
            && ports.contains { port in
                port.isEnabled && session?.connections(from: port).contains { $0 === connection } ?? false
            }
    }

    /// Whether the user has allowed the stream's media.
    private var isAllowed: Bool {
        port.resource.map { system.authorization.state(of: $0) == .authorized } ?? true
    }

    /// Calls `body` with each enabled connection of the enabled ports, once.
    private func forEachOpenConnection(_ body: (AVCaptureConnection) -> Void) {
        guard let session else { return }
        for (index, port) in ports.enumerated() where port.isEnabled {
            for connection in session.connections(from: port) where connection.carries {
                let isServed = ports[..<index].contains { $0.isEnabled && connection.inputPorts.contains($0) }
                if !isServed { body(connection) }
            }
        }
    }

    /// The enabled connections of the depth port; none without consent.
    private var depthConnections: [AVCaptureConnection] {
        guard let depthPort, depthPort.isEnabled, isAllowed, let session else { return [] }
        return session.connections(from: depthPort).filter(\.carries)
    }

    /// Accepts media only if they are later than all previous ones, including those that the session delivered from
    /// other devices.
    ///
    /// In virtual time a camera can start at the timestamp of another camera's last frame, and would repeat it.
    private func advance(to time: CMTime) -> Bool {
        guard time > lastTime else { return false }
        lastTime = time
        return true
    }
}

extension VideoFrame {
    /// The frame with the image of a stabilization mode; the frame as captured if it has none.
    fileprivate func stabilized(with mode: VideoStabilization) -> VideoFrame {
        guard !stabilized.isEmpty else { return self }
        var frame = self
        frame.payload = stabilized[mode]?.payload ?? payload
        frame.stabilized = [:]
        return frame
    }
}
