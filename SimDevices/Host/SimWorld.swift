import CSimKernels
import CaptureHAL
import MediaTypes

/// The environment shared by all devices of a simulated host.
final class SimWorld: Sendable {
    /// A scene that is seen from a time on.
    struct SceneChange: Sendable {
        var nanoseconds: Int64
        var scene: SimScene
        var light: SceneLight
        /// Greater than that of all earlier calls of `setScene`.
        var number: Int
    }

    let clock: any CaptureClock
    /// The scene at the start.
    let scene: SimScene
    /// The light of the scene at the start.
    let light: SceneLight
    /// The scenes that follow, in the order of their times.
    private let sceneChanges = Lock<[SceneChange]>([])
    /// The hand shake of all cameras; nil if they do not move.
    let shake: HandShake?
    /// Whether the frames of all cameras contain the code that `FrameMarker` reads.
    let hasMarker: Bool
    /// The sound of the scene; nil if the microphones hear the tones of their profiles instead.
    let streetSound: StreetSound?
    let seed: UInt64
    /// The time at which the world was created.
    let startNanoseconds: Int64
    /// The decoded audio files, by path.
    let clips: [String: AudioClip]
    /// The lamp that flashes in sync with a microphone's clicks.
    let flash: SceneFlash?
    /// The orientation of the machine with the built-in cameras; nil if there are none.
    let orientation: OrientationSensor?
    /// What the streams delivered last.
    let history = StreamHistory()

    /// Creates the environment.
    ///
    /// - Parameters:
    ///   - light: The scene's light; nil for the scene's default.
    ///   - shake: The hand shake of the cameras; nil for the scene's default.
    init(
        clock: any CaptureClock, scene: SimScene, light: SceneLight?, shake: HandShake?, hasMarker: Bool,
        sound: SimSound, seed: UInt64, clips: [String: AudioClip], flash: SceneFlash?,
        orientation: OrientationSensor? = nil
    ) {
        startNanoseconds = clock.now.nanoseconds
        self.light = light ?? scene.light
        let effectiveShake = shake ?? scene.shake
        self.shake = (effectiveShake?.milliradians ?? 0) > 0 ? effectiveShake : nil
        self.hasMarker = hasMarker
        streetSound = sound == .scene ? scene.sound(seed: seed) : nil
        self.clips = clips
        self.flash = flash
        self.orientation = orientation
        self.clock = clock
        self.scene = scene
        self.seed = seed
    }

    /// Replaces the scene from a time on; among several of one time, the last one is seen.
    func setScene(_ scene: SimScene, light: SceneLight, nanoseconds: Int64) {
        sceneChanges.withLock { changes in
            let number = (changes.map(\.number).max() ?? 0) + 1
            let index = changes.firstIndex { $0.nanoseconds > nanoseconds } ?? changes.endIndex
            changes.insert(
                SceneChange(nanoseconds: nanoseconds, scene: scene, light: light, number: number), at: index)
        }
    }

    /// Returns the scene that is seen at a time; nil for the one at the start.
    func sceneChange(at nanoseconds: Int64) -> SceneChange? {
        sceneChanges.withLock { changes in changes.last { $0.nanoseconds <= nanoseconds } }
    }

    /// Returns the seed of one source of randomness, such as the noise of a device.
    ///
    /// - Parameter name: The unique ID of a device, or a constant such as `hand`.
    func seed(of name: String) -> UInt64 {
        // FNV-1a over the name (G. Fowler, L. Noll, K.-P. Vo).
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        var random = SplitMix64(seed: hash ^ seed)
        return random.next()
    }
}

/// A cache of painted scenes, shared by all hosts of the process.
enum SceneCache {
    private struct Key: Hashable {
        var scene: SimScene
        var view: SceneView
        var seed: UInt64
        /// The time at which the world was created, if the scene depends on it; else 0.
        var startNanoseconds: Int64
    }

    private final class Entry: @unchecked Sendable {
        // SAFETY: `painted` is accessed under `lock`, `lastUse` under `SceneCache.state`.
        let lock = Lock((), order: .scene)
        var painted: (any PaintedScene)?
        /// The value of `State.useCount` at the last use.
        var lastUse: UInt64 = 0
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var useCount: UInt64 = 0
    }

    private static let state = Lock(State())
    /// The maximum number of cached scenes.
    private static let capacity = 6

    /// Returns the painted scene for a view. Paints it if it is not in the cache, which may evict another scene.
    ///
    /// - Parameter startNanoseconds: The time at which the world was created.
    /// - Important: Thread-safe; blocks while the scene is painted.
    static func scene(
        _ scene: SimScene, _ view: SceneView, seed: UInt64, startNanoseconds: Int64
    ) -> any PaintedScene {
        var key = Key(scene: scene, view: view, seed: seed, startNanoseconds: 0)
        if case .file = scene { key.startNanoseconds = startNanoseconds }
        let entry = state.withLock { state in
            state.useCount += 1
            let entry = state.entries[key] ?? Entry()
            entry.lastUse = state.useCount
            state.entries[key] = entry
            if state.entries.count > capacity,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.entries[oldest.key] = nil
            }
            return entry
        }
        // Painting calls no foreign code, and other callers for the same view have to wait for the result anyway.
        return entry.lock.withLock { _ in
            if let painted = entry.painted { return painted }
            let painted = scene.painted(for: view, seed: seed, startNanoseconds: startNanoseconds)
            entry.painted = painted
            return painted
        }
    }
}

/// A table of normally distributed random numbers, with a standard deviation of 32.
final class NoiseTable: @unchecked Sendable {
    // SAFETY: the memory is only written in `init`.
    static let shared = NoiseTable()
    /// `csim_noise_size()` values, never freed.
    let bytes: UnsafePointer<Int8>

    private init() {
        let memory = UnsafeMutablePointer<Int8>.allocate(capacity: Int(csim_noise_size()))
        csim_noise_create(memory)
        bytes = UnsafePointer(memory)
    }
}
