public import Foundation

/// A detected body of a person or an animal.
///
/// - Note: No backend detects bodies, heads of animals or salient objects: the metadata output does not offer their
///   types.
public class AVMetadataBodyObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: immutable.
    /// Identifies the body while it is tracked; never reused.
    public var bodyID: Int { objectID }

    /// Creates a detected body.
    package required init(_ type: ObjectType, bodyID: Int, _ detection: Detection) {
        super.init(type, detection, objectID: bodyID)
    }

    package override func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        Self(type, bodyID: bodyID, detection(in: geometry))
    }
}

/// The detected upper body of a person.
public final class AVMetadataHumanBodyObject: AVMetadataBodyObject, @unchecked Sendable {
    // SAFETY: immutable.
}

/// The detected body of a person, from head to feet.
public final class AVMetadataHumanFullBodyObject: AVMetadataBodyObject, @unchecked Sendable {
    // SAFETY: immutable.
}

/// The detected body of a cat.
public final class AVMetadataCatBodyObject: AVMetadataBodyObject, @unchecked Sendable {
    // SAFETY: immutable.
}

/// The detected body of a dog.
public final class AVMetadataDogBodyObject: AVMetadataBodyObject, @unchecked Sendable {
    // SAFETY: immutable.
}

extension AVMetadataBodyObject: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
