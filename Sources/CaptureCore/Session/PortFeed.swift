import CaptureHAL
import MediaTypes

/// Takes what the stream of a port delivers, and hands it to the outputs.
///
/// Confined to the stream, whose events never overlap; what it made is read elsewhere once the stream has stopped.
final class PortFeed: LentMemoryReceiver, @unchecked Sendable {
    // SAFETY: the events of one stream never overlap.
    /// The time of the last picture or sound that was let through.
    private(set) var lastTime: CMTime
    private let port: AVCaptureInput.Port
    /// Out of which the stream comes, `port` among them.
    private let ports: [AVCaptureInput.Port]
    /// Where the depth comes out that the pictures bring with them; nil where none was asked for.
    private let depthPort: AVCaptureInput.Port?
    private let device: AVCaptureDevice
    private let system: CaptureSystem
    private let authorization: Authorization
    private let order: StreamOrder
    private let blackout: Blackout
    private let converter: FrameConverter
    private let session: WeakReference<AVCaptureSession>
    private let fail: @Sendable (DeviceError) -> Void

    private var path = MediaPath()
    /// Those of the changes with which `path` was made.
    private var versions: (path: UInt64, consent: UInt64)?

    /// - Parameters:
    ///   - time: What the session delivered before; only what is later is let through.
    ///   - fail: Told of the stream's failure, on the clock.
    init(
        _ plan: InputRunner.PortPlan, of runner: InputRunner, after time: CMTime, to session: AVCaptureSession,
        fail: @escaping @Sendable (DeviceError) -> Void
    ) {
        port = plan.port
        ports = runner.input.portsFed(by: plan.port)
        depthPort = plan.depth == nil ? nil : runner.input.ports.first { $0.mediaType == .depthData }
        device = runner.device
        system = session.system
        authorization = system.authorization
        order = StreamOrder(plan.format.stream)
        blackout = runner.blackout
        converter = runner.converter
        lastTime = time
        self.session = WeakReference(session)
        self.fail = fail
    }

    func receive(_ frame: VideoFrame) {
        switch order.judge(frame) {
        case .asItIs: tell(frame)
        case .changed(let other): tell(other)
        case .nothing: break
        }
    }

    func take(_ memory: LentMemory, _ timing: CMSampleTimingInfo, _ settings: FrameSettings) -> Bool {
        follow()
        guard let shortcut = path.lentShortcut, !device.looksAtFrames, shortcut.takes(memory, settings),
            timing.presentationTimeStamp > lastTime, order.passes(timing)
        else { return false }
        lastTime = timing.presentationTimeStamp
        shortcut.take(memory, timing)
        return true
    }

    func receive(_ event: StreamEvent) {
        switch order.judge(event) {
        case .asItIs: tell(event)
        case .changed(let other): tell(other)
        case .nothing: break
        }
    }

    private func tell(_ frame: VideoFrame) {
        device.frameArrived(frame)
        follow()
        guard isLater(frame.presentationTime) else { return }
        if path.hasSeveralEnds { DeliveryHold.noteOthers() }
        if path.isOpen { show(frame) }
        guard !path.depthConnections.isEmpty else { return }
        let depth = CapturedDepth(frame)
        for connection in path.depthConnections { connection.consumer?.receiveDepth(depth, from: connection) }
    }

    private func show(_ frame: VideoFrame) {
        if let shortcut = path.shortcut, shortcut.take(frame) { return }
        handle(frame)
    }

    private func tell(_ event: StreamEvent) {
        if case .video(let frame) = event { return tell(frame) }
        follow()
        switch event {
        case .video: break
        case .audio(let chunk):
            guard isLater(chunk.presentationTime), path.isOpen, !path.branches.isEmpty else { return }
            let heard = path.isAllowed ? chunk : blackout.conceal(chunk)
            for branch in path.branches {
                let media = CapturedMedia(branch.connection.pass(heard))
                branch.connection.consumer?.receive(media, from: branch.connection)
            }
        case .dropped(let drop):
            if path.isOpen { handle(drop) }
            guard drop.carriesDepth else { return }
            for connection in path.depthConnections { connection.consumer?.receiveDrop(drop, from: connection) }
        case .failed(let error, _):
            // Not here: stopping the device from inside its own event would wait for the event to end.
            system.clock.schedule(at: system.clock.now) { [fail] in fail(error) }
        case .ended(let time):
            for port in ports {
                port.endTime = time
                for connection in session.object?.connections(from: port) ?? [] {
                    connection.consumer?.sourceDidEnd(connection, at: time)
                }
            }
        }
    }

    private func handle(_ frame: VideoFrame) {
        var media: CapturedMedia?
        for branch in path.branches {
            if let shortcut = branch.shortcut, shortcut.take(frame) { continue }
            if media == nil {
                guard let shown = path.isAllowed ? frame : blackout.conceal(frame, of: port) else {
                    return handle(
                        DroppedFrame(
                            reason: .outOfBuffers, presentationTime: frame.presentationTime,
                            sequenceNumber: frame.sequenceNumber))
                }
                media = CapturedMedia(shown, converter)
            }
            if let media { branch.connection.consumer?.receive(media, from: branch.connection) }
        }
    }

    private func handle(_ drop: DroppedFrame) {
        for branch in path.branches {
            branch.connection.consumer?.receiveDrop(drop, from: branch.connection)
        }
    }

    /// Whether something comes later than all before it, also than what the session delivered from other devices.
    ///
    /// A camera that is started at the moment of another's last picture, as only virtual time allows, would give a
    /// second picture of one time.
    private func isLater(_ time: CMTime) -> Bool {
        guard time > lastTime else { return false }
        lastTime = time
        return true
    }

    /// Makes the path anew where anything on it has changed.
    private func follow() {
        // Read before the rest: what changes meanwhile is seen with the next event.
        let now = (path: MediaPath.version, consent: authorization.changeCount)
        if let versions, versions == now { return }
        versions = now
        path = MediaPath()
        // A session that is gone has nobody to deliver to.
        guard let session = session.object else { return }
        path.isAllowed = port.resource.map { authorization.state(of: $0) == .authorized } ?? true
        if path.isAllowed, let depthPort, depthPort.isEnabled {
            path.depthConnections = session.connections(from: depthPort).filter(\.carries)
        }
        let openPorts = ports.filter(\.isEnabled)
        guard !openPorts.isEmpty else { return }
        path.isOpen = true
        // A connection may come from several of them.
        let connections = openPorts.flatMap(session.connections(from:)).reduce(into: [AVCaptureConnection]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        path.branches = connections.filter(\.carries).map { connection in
            MediaPath.Branch(
                connection: connection,
                shortcut: path.isAllowed ? connection.consumer?.pictureShortcut(from: connection) : nil)
        }
        if path.branches.count == 1 { path.shortcut = path.branches[0].shortcut }
        if path.depthConnections.isEmpty { path.lentShortcut = path.shortcut }
        path.hasSeveralEnds = path.branches.count + path.depthConnections.count > 1
    }
}
