public import Foundation

/// Something in the photo library; two are equal when they stand for the same thing in the same library.
public class PHObject: NSObject, @unchecked Sendable {
    // SAFETY: subclasses in this module have constants only, and none can be made outside it.
    /// Names the object for as long as the library exists.
    public let localIdentifier: String

    init(localIdentifier: String) {
        self.localIdentifier = localIdentifier
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? PHObject else { return false }
        return type(of: other) == type(of: self) && other.localIdentifier == localIdentifier
    }

    public override var hash: Int { localIdentifier.hashValue }
}

/// Stands for an object that a change block is about to create.
public final class PHObjectPlaceholder: PHObject, @unchecked Sendable {
    // SAFETY: it adds no state to its superclass.
}
