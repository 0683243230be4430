public import CaptureHAL
public import MediaTypes

/// The log of the sounds that a capture system has played; nothing is audible.
///
/// A test reads it after the code under test has run:
/// ```swift
/// XCTAssertEqual(simulated.system.systemSounds.played.map(\.id), [1108])
/// ```
/// - Important: Thread-safe.
public final class SystemSounds: Sendable {
    /// A sound that was played.
    public struct Played: Sendable, Hashable {
        /// The identifier of the sound; `kSystemSoundID_Vibrate` is a vibration.
        public var id: UInt32
        /// Whether the sound was played as an alert.
        public var isAlert: Bool
        /// The time on the clock of the capture system.
        public var time: CMTime
    }

    private struct State {
        var played: [Played] = []
        var files: [UInt32: URL] = [:]
        var completions: [UInt32: @Sendable () -> Void] = [:]
        /// The last assigned identifier. Predefined sounds have lower ones.
        var lastID: UInt32 = 4096
    }

    private let state = Lock(State())

    init() {}

    /// The sounds in the order in which they were played.
    public var played: [Played] { state.withLock { $0.played } }

    /// Returns the file of a sound that was created from one; nil for predefined sounds.
    public func url(of id: UInt32) -> URL? { state.withLock { $0.files[id] } }

    func create(_ url: URL) -> UInt32 {
        state.withLock { state in
            state.lastID += 1
            state.files[state.lastID] = url
            return state.lastID
        }
    }

    /// Returns whether the sound existed.
    func dispose(_ id: UInt32) -> Bool {
        state.withLock { state in
            state.completions[id] = nil
            return state.files.removeValue(forKey: id) != nil
        }
    }

    /// Logs a sound and returns its completion.
    func play(_ id: UInt32, isAlert: Bool, at time: CMTime) -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.played.append(Played(id: id, isAlert: isAlert, time: time))
            return state.completions[id]
        }
    }

    func setCompletion(_ completion: (@Sendable () -> Void)?, of id: UInt32) {
        state.withLock { $0.completions[id] = completion }
    }
}

extension CaptureSystem {
    /// The log of the sounds that the capture system has played.
    public var systemSounds: SystemSounds { component(SystemSounds.self) { SystemSounds() } }
}
