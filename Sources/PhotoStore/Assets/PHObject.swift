public import Foundation

/// An object in the photo library. Two objects are equal if they have the same class and local identifier.
public class PHObject: NSObject, @unchecked Sendable {
    // SAFETY: subclasses in this module have only constants, and subclasses outside of it are impossible.
    /// An identifier that is valid for the lifetime of the library.
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

/// A placeholder for an object that a change block creates.
public final class PHObjectPlaceholder: PHObject, @unchecked Sendable {
    // SAFETY: it adds no state to its superclass.
}
