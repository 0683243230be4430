public import Foundation

/// A detected object that attracts attention.
public final class AVMetadataSalientObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: immutable.

    /// Creates a detected object.
    package init(objectID: Int, _ detection: Detection) {
        super.init(.salientObject, detection, objectID: objectID)
    }

    package override func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        AVMetadataSalientObject(objectID: objectID, detection(in: geometry))
    }
}

extension AVMetadataSalientObject: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The detected head of a cat.
public final class AVMetadataCatHeadObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: immutable.

    /// Creates a detected object.
    package init(objectID: Int, _ detection: Detection) {
        super.init(.catHead, detection, objectID: objectID)
    }

    package override func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        AVMetadataCatHeadObject(objectID: objectID, detection(in: geometry))
    }
}

extension AVMetadataCatHeadObject: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The detected head of a dog.
public final class AVMetadataDogHeadObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: immutable.

    /// Creates a detected object.
    package init(objectID: Int, _ detection: Detection) {
        super.init(.dogHead, detection, objectID: objectID)
    }

    package override func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        AVMetadataDogHeadObject(objectID: objectID, detection(in: geometry))
    }
}

extension AVMetadataDogHeadObject: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
