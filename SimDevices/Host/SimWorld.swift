import CSimKernels
import CaptureHAL
import MediaTypes

/// What all devices of one simulated host share.
final class SimWorld: Sendable {
    let clock: any CaptureClock
    let scene: SimScene
    let light: SceneLight
    /// How the cameras are held, all in one hand; nil where they stand still.
    let shake: HandShake?
    let seed: UInt64
    /// When the world began.
    let startNanoseconds: Int64
    /// The sounds of media files, by path.
    let clips: [String: SoundClip]
    /// The lamp that flashes in step with the clicks of a microphone.
    let flash: SceneFlash?

    /// - Parameters:
    ///   - light: What lights the scene; nil for its own light.
    ///   - shake: How the cameras are held; nil for what the scene says.
    init(
        clock: any CaptureClock, scene: SimScene, light: SceneLight?, shake: HandShake?, seed: UInt64,
        clips: [String: SoundClip] = [:],
        flash: SceneFlash? = nil
    ) {
        startNanoseconds = clock.now.nanoseconds
        self.light = light ?? scene.light
        let held = shake ?? scene.shake
        self.shake = (held?.milliradians ?? 0) > 0 ? held : nil
        self.clips = clips
        self.flash = flash
        self.clock = clock
        self.scene = scene
        self.seed = seed
    }

    /// The seed of one device's noise.
    func seed(of deviceID: String) -> UInt64 {
        // FNV-1a over the identifier (G. Fowler, L. Noll, K.-P. Vo).
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in deviceID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        var dice = SceneDice(seed: hash ^ seed)
        return dice.next()
    }
}

/// Scenes that have been painted, shared by all hosts of the process while someone uses them.
enum SceneStore {
    private struct Key: Hashable {
        var scene: SimScene
        var view: SceneView
        var seed: UInt64
        /// 0 where nothing depends on it.
        var startNanoseconds: Int64
    }

    private final class Entry: @unchecked Sendable {
        // SAFETY: `painted` is only read and written under `lock`.
        let lock = Lock((), order: .scene)
        var painted: (any PaintedScene)?
        var lastUse: UInt64 = 0
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var uses: UInt64 = 0
    }

    private static let state = Lock(State())
    /// How many painted scenes are kept.
    private static let capacity = 6

    /// The scene for a view, painted now where it is not there yet.
    ///
    /// - Parameter startNanoseconds: When the world began.
    static func scene(
        _ scene: SimScene, _ view: SceneView, seed: UInt64, startNanoseconds: Int64
    ) -> any PaintedScene {
        var key = Key(scene: scene, view: view, seed: seed, startNanoseconds: 0)
        if case .file = scene { key.startNanoseconds = startNanoseconds }
        let entry = state.withLock { state in
            state.uses += 1
            let entry = state.entries[key] ?? Entry()
            entry.lastUse = state.uses
            state.entries[key] = entry
            if state.entries.count > capacity,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.entries[oldest.key] = nil
            }
            return entry
        }
        // Painting is this module's own work, and others who want the same scene have to wait for it anyway.
        return entry.lock.withLock { _ in
            if let painted = entry.painted { return painted }
            let painted = scene.painted(for: view, seed: seed, startNanoseconds: startNanoseconds)
            entry.painted = painted
            return painted
        }
    }
}

/// The table from which noise is drawn.
final class NoiseTable: @unchecked Sendable {
    // SAFETY: the memory is written by `init` only; after that everyone just reads.
    static let shared = NoiseTable()
    let bytes: UnsafePointer<Int8>

    private init() {
        let memory = UnsafeMutablePointer<Int8>.allocate(capacity: Int(csim_noise_size()))
        csim_noise_make(memory)
        bytes = UnsafePointer(memory)
    }
}
