package import CaptureHAL
package import Foundation
import MediaTypes
package import SimDevices

/// The misuse of a simulated system, and the events, frames and files for the report of a failed test. It remains
/// available after the system is closed.
///
/// Misuse is unclaimed until a test reads or expects it.
package final class SystemRecord: Sendable {
    /// Misuse that no test has read or expected.
    package struct Unclaimed: Sendable {
        package let misuse: Misuse
        /// The result of `TestReporter.currentCallSite()`; nil without a reporter.
        package let callSite: (any Sendable)?
    }

    private struct State {
        var misuses: [Misuse] = []
        var unclaimed: [Unclaimed] = []
        /// The number of running blocks that are expected to cause misuse.
        var expectations = 0
        /// Whether new misuse is reported immediately, because no code can claim it later.
        var reportsImmediately = false
        var events: [String] = []
        var warnings: [String] = []
        var work: [WorkPeriod] = []
        var end: Int64 = 0
        var closedFolder: URL?
        var history: StreamHistory?
        weak var clock: SimClock?
        var observations: [ObserverToken] = []
        var lifetimes: ObjectLifetimes?
    }

    /// The arguments that the system was created with.
    package let summary: String
    /// The folder of the system while it is open.
    package let folder: URL

    /// The objects of the system that its test must be able to release; nil before the system is created.
    package var lifetimes: ObjectLifetimes? { state.withLock { $0.lifetimes } }

    private let state = Lock(State(), order: .primitive)

    init(summary: String, folder: URL) {
        self.summary = summary
        self.folder = folder
    }

    /// Adds misuse.
    func add(_ misuse: Misuse) {
        note("\(misuse)")
        let reporter = TestReporting.reporter
        let unclaimed = Unclaimed(misuse: misuse, callSite: reporter?.currentCallSite())
        misuseObservers.notify(misuse)
        let isReported = state.withLock { state in
            state.misuses.append(misuse)
            state.unclaimed.append(unclaimed)
            return state.reportsImmediately && state.expectations == 0
        }
        if isReported { reporter?.didRecordMisuse(self) }
    }

    private let misuseObservers = Observers<Misuse>()

    /// Calls a handler for each later misuse, on the thread that causes it, until the token is cancelled or released.
    package func observeMisuse(_ handler: @escaping @Sendable (Misuse) -> Void) -> ObserverToken {
        misuseObservers.add(handler)
    }

    /// The events of the system, with the virtual time in seconds.
    package var events: [String] { state.withLock { $0.events } }

    /// The warnings about faults of the app that raise no exception, in order.
    package var warnings: [String] { state.withLock { $0.warnings } }

    /// The work of the closed system, and the virtual time in microseconds at which it was closed.
    package var work: (periods: [WorkPeriod], end: Int64) { state.withLock { ($0.work, $0.end) } }

    /// Sets the work of a system that is about to be closed, and the virtual time in microseconds.
    func setWork(_ periods: [WorkPeriod], end: Int64) {
        state.withLock { ($0.work, $0.end) = (periods, end) }
    }

    /// Adds a warning.
    private func add(warning: String) {
        state.withLock { $0.warnings.append(warning) }
        note("warning: \(warning)")
    }

    /// Retains an observation of the system for the lifetime of the record.
    package func retain(_ observation: ObserverToken) { state.withLock { $0.observations.append(observation) } }

    /// Adds an event.
    package func note(_ event: String) {
        let time = state.withLock { $0.clock }.map { String(format: "%.6f", $0.now.seconds) } ?? "closed"
        state.withLock { $0.events.append("\(time) \(event)") }
    }

    /// The history of the cameras, which contains their last frames.
    package var history: StreamHistory? { state.withLock { $0.history } }

    /// The last frames that the cameras delivered.
    package var frames: [StreamHistory.Frame] { state.withLock { $0.history }?.frames ?? [] }

    /// Logs the events of a system, and retains the last frames of its cameras.
    func observe(_ system: CaptureSystem, _ host: SimHost, _ clock: SimClock) {
        state.withLock { state in
            state.clock = clock
            state.lifetimes = system.reference.lifetimes
            state.history = host.history
        }
        system.reference.lifetimes.startRecording()
        system.reference.lifetimes.add(system, "the system")
        // The record retains the history, so the reference is weak.
        host.history.start { [weak self] in self?.note($0) }
        var observations = [
            host.observeDevices { [self] change in
                switch change {
                case .connected(let device): note("\(device.descriptor.uniqueID) is connected")
                case .disconnected(let device): note("\(device.descriptor.uniqueID) is disconnected")
                }
            },
            system.warnings.observe { [self] in add(warning: $0) },
            system.interruptions.observe { [self] in note("interruptions: \($0)") },
            system.interruptions.observeResets { [self] in note("the media services are reset") },
            system.authorization.observe { [self] in note("authorization of \($0.rawValue): \($1)") },
            system.orientation.observe { [self, weak orientation = system.orientation] in
                if let orientation { note("orientation: \(orientation.current)") }
            },
            system.notifications.observe { [self] name, userInfo in
                let values = (userInfo ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
                note("notification \(name.rawValue)\(values.joined())")
            },
        ]
        for device in host.devices {
            let id = device.descriptor.uniqueID
            observations.append(
                device.observeCondition { [self] in
                    note(
                        "\(id) is in use elsewhere: \($0.isInUseByAnotherApplication), "
                            + "suspended: \($0.isSuspended), pressure: \($0.pressure.level)")
                })
        }
        state.withLock { $0.observations = observations }
    }

    /// The folder with the files of the closed system; nil while the system is open, and if the files were removed.
    package var closedFolder: URL? { state.withLock { $0.closedFolder } }

    /// Removes the folder of the closed system, or moves it away if a test may report the files.
    func closeFolder(keepsFiles: Bool) {
        let closed = folder.appendingPathExtension("closed")
        do {
            guard keepsFiles else { return try FileManager.default.removeItem(at: folder) }
            try FileManager.default.moveItem(at: folder, to: closed)
            state.withLock { $0.closedFolder = closed }
        } catch {
            // The operating system eventually deletes temporary files that cannot be removed here.
        }
    }

    /// Returns all misuse and claims it.
    func read() -> [Misuse] {
        state.withLock { state in
            state.unclaimed = []
            return state.misuses
        }
    }

    /// Removes and returns all misuse and claims it.
    func dequeue() -> [Misuse] {
        state.withLock { state in
            defer { state.misuses = [] }
            state.unclaimed = []
            return state.misuses
        }
    }

    /// Removes and returns the misuse that is not claimed. It stays in the list that `read` returns.
    package func dequeueUnclaimed() -> [Unclaimed] {
        state.withLock { state in
            defer { state.unclaimed = [] }
            return state.unclaimed
        }
    }

    /// The misuse that is not claimed; none during code that is expected to cause misuse.
    package var unclaimed: [Misuse] {
        state.withLock { state in state.expectations > 0 ? [] : state.unclaimed.map(\.misuse) }
    }

    /// Reports later misuse immediately, because no code can claim it any more.
    package func reportImmediately() { state.withLock { $0.reportsImmediately = true } }

    /// Called before code that is expected to cause misuse, which the caller then claims.
    package func beginExpectation() { state.withLock { $0.expectations += 1 } }

    /// Called after the code of `beginExpectation`.
    package func endExpectation() { state.withLock { $0.expectations -= 1 } }
}
