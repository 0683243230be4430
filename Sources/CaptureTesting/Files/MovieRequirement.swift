import MediaMeasurements

/// A property that `XCTAssertMovie` and `expectMovie` require of a movie.
public struct MovieRequirement: Sendable {
    /// The kind of a track.
    public enum TrackKind: String, Sendable {
        case video, audio, metadata, timecode, other
    }

    /// Adds the requirement to an expectation of a scenario.
    let set: @Sendable (inout MovieExpectation) -> Void

    /// A movie that plays: its structure is without errors, its tracks can be read, and its video has frames.
    public static let playable = MovieRequirement { $0.isPlayable = true }

    /// The duration in seconds. Values up to one millisecond outside the range are accepted.
    public static func duration(_ range: ClosedRange<Double>) -> MovieRequirement {
        MovieRequirement { $0.duration = Bounds(range) }
    }

    /// The duration in seconds, within `accuracy` plus one millisecond.
    public static func duration(_ seconds: Double, accuracy: Double = 0.001) -> MovieRequirement {
        duration(seconds - accuracy...seconds + accuracy)
    }

    /// The number of video frames that are presented.
    public static func frames(_ range: ClosedRange<Int>) -> MovieRequirement {
        MovieRequirement { $0.frames = Bounds(Double(range.lowerBound)...Double(range.upperBound)) }
    }

    /// The number of video frames that are presented.
    public static func frames(_ count: Int) -> MovieRequirement { frames(count...count) }

    /// The longest time from one video frame to the next in seconds. Values up to one millisecond outside the range
    /// are accepted.
    public static func longestGap(_ range: ClosedRange<Double>) -> MovieRequirement {
        MovieRequirement { $0.longestGap = Bounds(range) }
    }

    /// The size of the video in pixels, as displayed.
    public static func size(width: Int, height: Int) -> MovieRequirement {
        MovieRequirement { $0.size = [width, height] }
    }

    /// The clockwise rotation of the video for display in degrees: 0, 90, 180 or 270.
    public static func rotation(_ degrees: Int) -> MovieRequirement { MovieRequirement { $0.rotation = degrees } }

    /// The kinds of the tracks in their order.
    public static func tracks(_ kinds: TrackKind...) -> MovieRequirement {
        MovieRequirement { $0.tracks = kinds.map(\.rawValue) }
    }
}
