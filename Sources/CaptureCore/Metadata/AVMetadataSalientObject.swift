public import Foundation

/// A detected object that attracts attention.
public final class AVMetadataSalientObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: constant.
    private let trackedID: Int

    /// Creates a detected object.
    package init(objectID: Int, _ detection: Detection) {
        trackedID = objectID
        super.init(.salientObject, detection)
    }

    /// Identifies the object while it is tracked; never reused.
    public override var objectID: Int { trackedID }

    override func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        AVMetadataSalientObject(objectID: trackedID, detection(in: geometry))
    }
}

extension AVMetadataSalientObject: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The detected head of a cat.
public final class AVMetadataCatHeadObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: constant.
    private let trackedID: Int

    /// Creates a detected object.
    package init(objectID: Int, _ detection: Detection) {
        trackedID = objectID
        super.init(.catHead, detection)
    }

    /// Identifies the object while it is tracked; never reused.
    public override var objectID: Int { trackedID }

    override func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        AVMetadataCatHeadObject(objectID: trackedID, detection(in: geometry))
    }
}

extension AVMetadataCatHeadObject: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The detected head of a dog.
public final class AVMetadataDogHeadObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: constant.
    private let trackedID: Int

    /// Creates a detected object.
    package init(objectID: Int, _ detection: Detection) {
        trackedID = objectID
        super.init(.dogHead, detection)
    }

    /// Identifies the object while it is tracked; never reused.
    public override var objectID: Int { trackedID }

    override func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        AVMetadataDogHeadObject(objectID: trackedID, detection(in: geometry))
    }
}

extension AVMetadataDogHeadObject: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
