import CSimKernels
import CaptureHAL
import MediaTypes

/// The environment shared by all devices of a simulated host.
final class SimEnvironment: Sendable {
    /// A scene that replaces the previous one, with the changes of its objects.
    struct SceneChange: Sendable {
        /// The time at which the scene replaces the previous one.
        var nanoseconds: Int64
        var scene: SimScene
        var light: SceneLight
        /// The sound of the scene; nil if microphones capture the tones of their profiles instead.
        var sound: StreetSound?
        /// The changes of the scene's objects, in the order of their times.
        var steps: [SceneObjectMotion.Step] = []
        /// Identifies the scene and the state of its objects; greater than all earlier numbers.
        var number: Int
    }

    /// The scenes over time.
    private struct Scenes {
        /// The scenes in the order of their times. The first is the scene at the start.
        var list: [SceneChange]
        private var lastNumber = 0

        init(first: SceneChange) { list = [first] }

        /// Returns the index of the scene in front of the cameras at a time.
        func index(at nanoseconds: Int64) -> Int {
            list.dropFirst().lastIndex { $0.nanoseconds <= nanoseconds } ?? 0
        }

        /// Returns a number greater than all earlier ones.
        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    let clock: any CaptureClock
    /// The scene at the start.
    let scene: SimScene
    /// The light of the scene at the start.
    let light: SceneLight
    private let scenes: Lock<Scenes>
    /// The hand shake of all cameras; nil if they do not move.
    let shake: HandShake?
    /// Whether the frames of all cameras contain the code that `FrameMarker` reads.
    let hasMarker: Bool
    /// The sound that microphones capture.
    private let sound: SimSound
    let seed: UInt64
    /// The time at which the world was created.
    let startNanoseconds: Int64
    /// The decoded audio files, by path.
    let clips: [String: AudioClip]
    /// The lamp that flashes in sync with a microphone's clicks.
    let flash: SceneFlash?
    /// The orientation of the machine with the built-in cameras; nil if there are none.
    let orientation: OrientationSensor?
    /// The last frames that the streams delivered.
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
        self.sound = sound
        let first = SceneChange(
            nanoseconds: startNanoseconds, scene: scene, light: self.light,
            sound: sound == .scene ? scene.sound(seed: seed) : nil, number: 0)
        scenes = Lock(Scenes(first: first))
        self.clips = clips
        self.flash = flash
        self.orientation = orientation
        self.clock = clock
        self.scene = scene
        self.seed = seed
    }

    /// Replaces the scene from a time on. If several scenes have the same time, the last one applies.
    func setScene(_ scene: SimScene, light: SceneLight, atNanoseconds nanoseconds: Int64) {
        let sound = sound == .scene ? scene.sound(seed: seed) : nil
        scenes.withLock { scenes in
            let change = SceneChange(
                nanoseconds: nanoseconds, scene: scene, light: light, sound: sound, number: scenes.nextNumber())
            let index = scenes.list.dropFirst().firstIndex { $0.nanoseconds > nanoseconds } ?? scenes.list.endIndex
            scenes.list.insert(change, at: index)
        }
    }

    /// Changes an object of the scene that is current at a time.
    func changeObject(_ change: SceneObjectChange, atNanoseconds nanoseconds: Int64) -> ObjectChangeResult {
        scenes.withLock { scenes in
            let index = scenes.index(at: nanoseconds)
            let objects = scenes.list[index].scene.objects
            guard let object = objects.first(where: { $0.name == change.name }) else {
                return .unknown(objects.map(\.name))
            }
            guard change.y == nil || !object.isStanding else { return .standing }
            let step = SceneObjectMotion.Step(nanoseconds: nanoseconds, change: change)
            let steps = scenes.list[index].steps
            scenes.list[index].steps.insert(
                step, at: steps.firstIndex { $0.nanoseconds > nanoseconds } ?? steps.endIndex)
            scenes.list[index].number = scenes.nextNumber()
            return .changed
        }
    }

    /// The result of changing an object.
    enum ObjectChangeResult {
        case changed
        /// The scene has no object with this name. The value contains the names of its objects.
        case unknown([String])
        /// The object stands on the floor and cannot move vertically.
        case standing
    }

    /// Returns the scene in front of the cameras at a time, with the changes of its objects.
    func currentScene(at nanoseconds: Int64) -> SceneChange {
        scenes.withLock { $0.list[$0.index(at: nanoseconds)] }
    }

    /// Returns the sounds of the scenes in an interval, with their start times. The first starts at `start`. A sound is
    /// nil if the scene has none.
    func sounds(from start: Int64, until end: Int64) -> [(nanoseconds: Int64, sound: StreetSound?)] {
        scenes.withLock { scenes in
            let first = scenes.index(at: start)
            return [(start, scenes.list[first].sound)]
                + scenes.list[(first + 1)...].filter { $0.nanoseconds < end }.map { ($0.nanoseconds, $0.sound) }
        }
    }

    /// Returns the seed of one source of randomness, such as the noise of a device.
    ///
    /// - Parameter name: The unique ID of a device, or the name of another source, such as `hand` for hand shake.
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
        var movable: Set<String>
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
    /// - Parameters:
    ///   - movable: The names of objects that are painted completely, including the parts outside the view.
    ///   - startNanoseconds: The time at which the world was created.
    /// - Important: Thread-safe; blocks while the scene is painted.
    static func scene(
        _ scene: SimScene, _ view: SceneView, movable: Set<String> = [], seed: UInt64, startNanoseconds: Int64
    ) -> any PaintedScene {
        var key = Key(scene: scene, view: view, movable: movable, seed: seed, startNanoseconds: 0)
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
        // Painting calls no client code, and concurrent callers for the same view need the same result.
        return entry.lock.withLock { _ in
            if let painted = entry.painted { return painted }
            let painted = scene.painted(
                for: view, movable: movable, seed: seed, startNanoseconds: startNanoseconds)
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
