public import MediaTypes

/// An object of a scene that can be moved, hidden and shown: a person, a code, an image or a movie.
public struct SceneObject: Sendable, Hashable {
    /// Identifies the object in the scene.
    public let name: String
    /// The initial position in meters to the right of the optical axis.
    public let x: Double
    /// The initial position in meters above the optical axis.
    public let y: Double
    /// Whether the object is initially visible.
    public let isVisible: Bool
    /// Whether the object stands on the floor, and moves sideways only.
    public let isStanding: Bool

    init(_ name: String, x: Double, y: Double, isVisible: Bool = true, isStanding: Bool = false) {
        (self.name, self.x, self.y, self.isVisible, self.isStanding) = (name, x, y, isVisible, isStanding)
    }
}

/// A change of an object of a scene.
public struct SceneObjectChange: Sendable, Hashable {
    /// The name of the object.
    public var name: String
    /// The new position in meters to the right of the optical axis; nil for the current position.
    public var x: Double?
    /// The new position in meters above the optical axis; nil for the current position.
    public var y: Double?
    /// Whether the object is visible from the time of the change on; nil for no change.
    public var isVisible: Bool?
    /// The duration of the movement to the new position, at constant speed; zero for an immediate change.
    public var duration: CMTime

    /// Creates a change.
    public init(
        _ name: String, x: Double? = nil, y: Double? = nil, isVisible: Bool? = nil, duration: CMTime = .zero
    ) {
        (self.name, self.x, self.y, self.isVisible, self.duration) = (name, x, y, isVisible, duration)
    }
}

extension SimScene {
    /// The objects of the scene that can be moved, hidden and shown.
    public var objects: [SceneObject] {
        switch self {
        case .portrait: PortraitScene.objects
        case .backlight: BacklightScene.objects
        case .shelf: codes.compactMap(\.object)
        case .file(let file): file.objects
        case .street, .chart, .grey, .night: []
        }
    }
}

/// The state of an object of a scene over time.
struct SceneObjectMotion {
    /// A change at a time.
    struct Step: Sendable, Hashable {
        var nanoseconds: Int64
        var change: SceneObjectChange
    }

    /// The state at a time.
    struct State {
        var isVisible: Bool
        /// Meters from the initial position.
        var x: Double
        var y: Double
        /// Meters per second to the right.
        var speed: Double
    }

    /// A movement along one axis. Positions are in meters, times in nanoseconds.
    private struct Movement {
        var from: Double
        var to: Double
        var start: Int64
        var duration: Int64

        func position(at nanoseconds: Int64) -> Double {
            guard duration > 0, nanoseconds < start + duration else { return to }
            return from + (to - from) * (Double(nanoseconds - start) / Double(duration))
        }

        func speed(at nanoseconds: Int64) -> Double {
            guard duration > 0, nanoseconds < start + duration else { return 0 }
            return (to - from) / (Double(duration) / 1e9)
        }
    }

    private let object: SceneObject
    /// The changes of the object in the order of their times.
    private let steps: [Step]

    init(_ object: SceneObject, _ steps: [Step]) {
        self.object = object
        self.steps = steps.filter { $0.change.name == object.name }
    }

    /// Returns the state at a time. A change replaces a movement that has not ended.
    func state(at nanoseconds: Int64) -> State {
        var isVisible = object.isVisible
        var x = Movement(from: object.x, to: object.x, start: 0, duration: 0)
        var y = Movement(from: object.y, to: object.y, start: 0, duration: 0)
        for step in steps.prefix(while: { $0.nanoseconds <= nanoseconds }) {
            let (time, duration) = (step.nanoseconds, step.change.duration.nanoseconds)
            if let visible = step.change.isVisible { isVisible = visible }
            if let to = step.change.x {
                x = Movement(from: x.position(at: time), to: to, start: time, duration: duration)
            }
            if let to = step.change.y {
                y = Movement(from: y.position(at: time), to: to, start: time, duration: duration)
            }
        }
        return State(
            isVisible: isVisible, x: x.position(at: nanoseconds) - object.x, y: y.position(at: nanoseconds) - object.y,
            speed: x.speed(at: nanoseconds))
    }
}
