public import Foundation

/// An object that an `NSItemProvider` can create from data.
public protocol NSItemProviderReading: NSObjectProtocol, SendableMetatype {
    /// The types from which the object can be created, the preferred one first.
    static var readableTypeIdentifiersForItemProvider: [String] { get }

    /// Creates an object from data of a type, or of a type that conforms to it.
    static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self
}
