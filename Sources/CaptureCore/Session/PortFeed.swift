import AssetTypes
import CaptureHAL
import MediaTypes

/// Delivers the events of one stream to the outputs of a session.
///
/// For each event, the feed corrects the timestamp, replaces the media with black frames or silence if the user has not
/// authorized the capture, and passes them to the outputs of all enabled connections. Connections, ports and
/// authorization are looked up for each event, so that a change applies from the next event.
/// - Important: Confined to the stream: its events never overlap. `lastTime` may be read on any thread after the stream
///   has stopped.
final class PortFeed: StreamReceiver, @unchecked Sendable {
    // SAFETY: the events of one stream never overlap.
    /// The timestamp of the last delivered frame or audio chunk.
    private(set) var lastTime: CMTime
    /// The stills of frames that were not delivered. They are delivered with the next frame.
    private var heldStills: [StillFrame] = []
    private let port: AVCaptureInput.Port
    /// The ports that the stream feeds, `port` among them.
    private let ports: [AVCaptureInput.Port]
    /// The identifiers of `ports`.
    private let portIDs: [ObjectIdentifier]
    /// The port of the depth that accompanies the frames; nil if none was requested.
    private let depthPort: AVCaptureInput.Port?
    private let device: AVCaptureDevice
    private let clock: any CaptureClock
    private let authorization: Authorization
    @exclusivity(unchecked) private var timestamps: TimestampCorrector
    private let blanker: MediaBlanker
    private let converter: FrameConverter
    private let delay: StabilizationDelay
    private weak let session: AVCaptureSession?
    /// Called on the clock with the error of the stream.
    private let fail: @Sendable (DeviceError) -> Void

    /// - Parameters:
    ///   - time: The timestamp of the session's last media; only later ones are delivered.
    ///   - fail: Called with the error of the stream, on the clock.
    init(
        _ plan: InputRunner.PortPlan, of runner: InputRunner, after time: CMTime, to session: AVCaptureSession,
        fail: @escaping @Sendable (DeviceError) -> Void
    ) {
        port = plan.port
        ports = runner.input.portsFed(by: plan.port)
        portIDs = ports.map { ObjectIdentifier($0) }
        depthPort = plan.depth == nil ? nil : runner.input.ports.first { $0.mediaType == .depthData }
        device = runner.device
        clock = session.system.clock
        authorization = session.system.authorization
        timestamps = TimestampCorrector(plan.format.stream, after: time + plan.frameDuration)
        blanker = runner.blanker
        converter = runner.converter
        delay = StabilizationDelay(clock: clock)
        lastTime = time
        self.session = session
        self.fail = fail
    }

    func receive(_ event: consuming StreamEvent) {
        switch consume event {
        case .video(let frame): feedFrame(frame)
        case .audio(let chunk): feedAudio(chunk)
        case .dropped(var drop):
            timestamps.correct(&drop)
            feedDrop(drop)
        case .failed(let error, _):
            // The failure is reported later: stopping the device here would wait for this event to end.
            clock.schedule(at: clock.now) { [fail] in fail(error) }
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

    /// Discards the media that are delayed by the look-ahead of stabilization; called when the stream has stopped.
    func cancelDelayed() { delay.cancel() }

    // MARK: Private

    private func feedFrame(_ frame: consuming VideoFrame) {
        if !heldStills.isEmpty { frame.stills = heldStills + frame.stills }
        heldStills = frame.stills
        if let drop = timestamps.correct(&frame) { return feedDrop(drop) }
        device.frameArrived(frame)
        guard updateLastTime(to: frame.presentationTime), let session else { return }
        heldStills = []
        let connections = session.mediaDidArrive(.video, from: portIDs)
        if !isAuthorized, !blanker.blacken(&frame, of: port) {
            let (time, number) = (frame.presentationTime, frame.sequenceNumber)
            let drop = DroppedFrame(reason: .outOfBuffers, presentationTime: time, sequenceNumber: number)
            for connection in connections where isEnabled(connection) { passDrop(drop, to: connection) }
            return
        }
        // Outputs share the frame and each of its stabilized images.
        let images = frame.stabilized
        if !images.isEmpty { frame.stabilized = [:] }
        let captured = CapturedFrame(frame, converter)
        var stabilized: [VideoStabilization: CapturedFrame] = [:]
        for connection in connections where isEnabled(connection) {
            let mode = connection.stabilization(among: images)
            guard let image = images[mode] else {
                passFrame(captured, to: connection, after: nil)
                continue
            }
            let shared = stabilized[mode] ?? captured.replacingPayload(image.payload)
            stabilized[mode] = shared
            passFrame(shared, to: connection, after: image.lookAhead)
        }
        let depthConnections = depthConnections
        guard !depthConnections.isEmpty else { return }
        let depth = CapturedDepth(captured.content)
        for connection in depthConnections { connection.consumer?.consumeDepth(depth, from: connection) }
    }

    /// Delivers a frame to a connection.
    ///
    /// - Parameter lookAhead: The delay of a stabilized image; nil for a frame without stabilization.
    private func passFrame(_ frame: CapturedFrame, to connection: AVCaptureConnection, after lookAhead: CMTime?) {
        guard lookAhead != nil || delay.isWaiting else {
            connection.consumer?.consume(.video(frame), from: connection)
            return
        }
        if let lookAhead, lookAhead > .zero {
            connection.consumer?.willReceive(frame, from: connection, after: lookAhead)
        }
        delay.schedule(for: connection, after: lookAhead ?? .zero) { [weak self] in
            // A delayed frame may arrive after a change of the session.
            guard let self, canStillReceive(connection) else { return }
            connection.consumer?.consume(.video(frame), from: connection)
        }
    }

    private func feedAudio(_ chunk: consuming AudioChunk) {
        guard timestamps.correct(&chunk), updateLastTime(to: chunk.presentationTime), let session else { return }
        var shared: AudioChunk?
        for connection in session.mediaDidArrive(.audio, from: portIDs) where isEnabled(connection) {
            let delivered = shared ?? (isAuthorized ? chunk : blanker.makeSilence(for: chunk))
            shared = delivered
            connection.consumer?.consume(.audio(connection.applyChannels(to: delivered)), from: connection)
        }
    }

    /// Reports a frame that the device dropped, and the depth that was lost with it.
    private func feedDrop(_ drop: DroppedFrame) {
        for connection in session?.connections(from: portIDs) ?? [] where isEnabled(connection) {
            passDrop(drop, to: connection)
        }
        guard drop.carriesDepth else { return }
        for connection in depthConnections { connection.consumer?.consumeDrop(drop, from: connection) }
    }

    /// Reports a dropped frame after the earlier frames.
    private func passDrop(_ drop: DroppedFrame, to connection: AVCaptureConnection) {
        delay.schedule(for: connection, after: nil) { [weak self] in
            guard let self, canStillReceive(connection) else { return }
            connection.consumer?.consumeDrop(drop, from: connection)
        }
    }

    /// Whether the user has authorized the capture of the stream's media.
    private var isAuthorized: Bool {
        port.resource.map { authorization.state(of: $0) == .authorized } ?? true
    }

    /// Whether a connection and one of its ports of this stream are enabled.
    private func isEnabled(_ connection: AVCaptureConnection) -> Bool {
        connection.passesMedia
            && ports.contains { port in port.passesMedia && connection.inputPorts.contains { $0 === port } }
    }

    /// Whether a connection still belongs to the session and is enabled; checked before a delayed delivery.
    private func canStillReceive(_ connection: AVCaptureConnection) -> Bool {
        guard let session, isEnabled(connection) else { return false }
        return session.connections(from: portIDs).contains { $0 === connection }
    }

    /// The enabled connections of the depth port; empty if the user has not authorized the capture.
    private var depthConnections: [AVCaptureConnection] {
        guard let depthPort, depthPort.passesMedia, isAuthorized, let session else { return [] }
        return session.connections(from: depthPort).filter(\.passesMedia)
    }

    /// Records the timestamp of new media.
    ///
    /// In virtual time, the first frame of a camera can have the timestamp of the last frame of the previous camera.
    /// - Returns: Whether the time is later than the timestamps of all media that the session delivered before.
    private func updateLastTime(to time: CMTime) -> Bool {
        guard time > lastTime else { return false }
        lastTime = time
        return true
    }
}
