import AssetTypes
import CaptureHAL
public import Dispatch
import Foundation
import MediaTypes

/// Receives the events of deferred start, on the queue passed to
/// `setDeferredStartDelegate(_:deferredStartDelegateCallbackQueue:)`.
public protocol AVCaptureSessionDeferredStartDelegate: AnyObject {
    /// Deferred start is about to run; it may already run when this is called.
    func sessionWillRunDeferredStart(_ session: AVCaptureSession)
    /// All outputs have started.
    func sessionDidRunDeferredStart(_ session: AVCaptureSession)
}

// Deferred start: outputs with `isDeferredStartEnabled` receive their first media after the others. It runs once for
// each start of the session: with the first video frame (or audio, if no camera delivers frames), when the client
// requests it, or when a waiting output must capture.
extension AVCaptureSession {
    /// Whether the client can decide when deferred start runs; always true.
    public var isManualDeferredStartSupported: Bool { true }

    /// Whether deferred start runs with the first frame; true by default. Otherwise the client calls
    /// `runDeferredStartWhenNeeded()`.
    public var automaticallyRunsDeferredStart: Bool {
        get { observedProperties.value(\.deferredStart.runsAutomatically, in: state) }
        set { observedProperties.set(\.deferredStart.runsAutomatically, in: state, to: newValue) }
    }

    /// Runs deferred start asynchronously, or with the first frame of a session that does not run yet. Calling it while
    /// `automaticallyRunsDeferredStart` is true is misuse.
    public func runDeferredStartWhenNeeded() {
        let (isAutomatic, isRunning) = state.withLock { state in
            if !state.deferredStart.runsAutomatically { state.deferredStart.isRequested = true }
            return (state.deferredStart.runsAutomatically, state.run.isRunning)
        }
        guard !isAutomatic else {
            return system.misuse.report(
                .invalidArgument,
                "-[AVCaptureSession runDeferredStartWhenNeeded] May only be called when automaticallyRunsDeferredStart "
                    + "is NO")
        }
        if isRunning { scheduleDeferredStart() }
    }

    /// Sets the delegate and the queue on which it is called; a delegate without a queue is misuse.
    ///
    /// The delegate is called for each start of the session, even if no output waits.
    public func setDeferredStartDelegate(
        _ deferredStartDelegate: (any AVCaptureSessionDeferredStartDelegate)?,
        deferredStartDelegateCallbackQueue: DispatchQueue?
    ) {
        let method = "AVCaptureSession setDeferredStartDelegate:deferredStartDelegateCallbackQueue:"
        guard system.misuse.checkQueue(deferredStartDelegateCallbackQueue, of: deferredStartDelegate, method) else {
            return
        }
        system.reference.lifetimes.add(deferredStartDelegate, "the delegate")
        let target = deferredStartDelegate.map { delegate in
            CallbackTarget<any AVCaptureSessionDeferredStartDelegate>(queue: deferredStartDelegateCallbackQueue) {
                [weak delegate] in delegate
            }
        }
        state.withLock { $0.deferredStartTarget = target }
        observedProperties.changed(["deferredStartDelegate", "deferredStartDelegateCallbackQueue"])
    }

    /// The delegate; not retained.
    public var deferredStartDelegate: (any AVCaptureSessionDeferredStartDelegate)? {
        observedProperties.access()
        return state.withLock { $0.deferredStartTarget }?.delegate
    }

    public var deferredStartDelegateCallbackQueue: DispatchQueue? {
        observedProperties.access()
        return state.withLock { $0.deferredStartTarget }?.queue
    }

    // MARK: Running

    /// Registers that media of a device arrived, and starts deferred start if it waits for them; called for each frame
    /// and audio chunk.
    ///
    /// - Returns: The connections from the ports, each once.
    func mediaDidArrive(_ media: AVMediaType, from ports: [ObjectIdentifier]) -> [AVCaptureConnection] {
        let (connections, triggersDeferredStart) = state.withLock { state in
            (state.routes.connections(from: ports), state.triggersDeferredStart(media))
        }
        if triggersDeferredStart { scheduleDeferredStart() }
        return connections
    }

    /// Prepares the waiting outputs, which takes virtual time on some machines, and then starts them.
    private func scheduleDeferredStart() {
        let outputDuration = system.processingDurations.output
        let (duration, target) = state.withLock { state in
            (state.deferredStart.trigger(outputDuration: outputDuration), state.deferredStartTarget)
        }
        guard let duration else { return }
        if duration > .zero { notify(target) { $1.sessionWillRunDeferredStart($0) } }
        system.clock.schedule(at: system.clock.now + CMTime(nanoseconds: duration.nanoseconds)) { [weak self] in
            // A capture can have started the outputs earlier.
            guard let self, state.withLock({ $0.deferredStart.isPreparing }) else { return }
            runDeferredStart()
        }
    }

    /// Starts the waiting outputs if deferred start is pending.
    func runDeferredStart() {
        let (started, wasAnnounced, target) = state.withLock {
            state -> ([AVCaptureOutput]?, Bool, DeferredStartTarget?) in
            guard state.run.isRunning, state.deferredStart.isPending else { return (nil, false, nil) }
            let (ids, wasAnnounced) = state.deferredStart.run()
            state.routes = SessionRoutes(state.configuration.connections) { $0.inputPorts.map { ObjectIdentifier($0) } }
            let outputs = state.configuration.outputs.filter { ids.contains(ObjectIdentifier($0)) }
            return (outputs, wasAnnounced, state.deferredStartTarget)
        }
        guard let started else { return }
        for output in started { output.sessionDidStart() }
        notify(target) { session, delegate in
            if !wasAnnounced { delegate.sessionWillRunDeferredStart(session) }
            delegate.sessionDidRunDeferredStart(session)
        }
    }

    private func notify(
        _ target: DeferredStartTarget?,
        _ body: @escaping @Sendable (AVCaptureSession, any AVCaptureSessionDeferredStartDelegate) -> Void
    ) {
        guard let target, let queue = target.queue else { return }
        system.deliver(on: queue) { [weak self] in
            guard let self, let delegate = target.delegate else { return }
            body(self, delegate)
        }
    }

    /// The delegate of deferred start.
    typealias DeferredStartTarget = CallbackTarget<any AVCaptureSessionDeferredStartDelegate>
}
