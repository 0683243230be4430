public import Foundation
public import MediaTypes

/// An effect that is drawn into the camera's images when a person makes a gesture or the client requests it.
public struct AVCaptureReactionType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let thumbsUp = Self(rawValue: "ReactionThumbsUp")
    public static let thumbsDown = Self(rawValue: "ReactionThumbsDown")
    public static let balloons = Self(rawValue: "ReactionBalloons")
    public static let heart = Self(rawValue: "ReactionHeart")
    public static let fireworks = Self(rawValue: "ReactionFireworks")
    public static let rain = Self(rawValue: "ReactionRain")
    public static let confetti = Self(rawValue: "ReactionConfetti")
    public static let lasers = Self(rawValue: "ReactionLasers")

    /// The name of the SF Symbol for the reaction.
    public var systemImageName: String {
        switch self {
        case .thumbsUp: "hand.thumbsup.fill"
        case .thumbsDown: "hand.thumbsdown.fill"
        case .balloons: "balloon.2.fill"
        case .heart: "heart.fill"
        case .fireworks: "fireworks"
        case .rain: "cloud.rain.fill"
        case .confetti: "party.popper.fill"
        case .lasers: "laser.burst"
        default: "questionmark"
        }
    }
}

/// The state of a reaction effect in progress; no backend supports reactions.
public final class AVCaptureReactionEffectState: NSObject, Sendable {
    public let reactionType: AVCaptureReactionType
    /// The time of the first frame with the effect.
    public let startTime: CMTime
    /// The time of the first frame without the effect; invalid while the effect lasts.
    public let endTime: CMTime

    init(_ reactionType: AVCaptureReactionType, startTime: CMTime, endTime: CMTime) {
        self.reactionType = reactionType
        self.startTime = startTime
        self.endTime = endTime
    }
}
