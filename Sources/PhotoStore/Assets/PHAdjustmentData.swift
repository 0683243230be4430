public import Foundation

/// The description of an edit, from which a program can later restore or change the edit.
///
/// - Important: Thread-safe.
public final class PHAdjustmentData: NSObject, Sendable {
    /// The name of the format of `data`, in reverse DNS notation.
    public let formatIdentifier: String
    public let formatVersion: String
    public let data: Data

    public init(formatIdentifier: String, formatVersion: String, data: Data) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
        super.init()
    }

    /// The keys of the property list, as in the `Adjustments.plist` files of Apple's Photos app.
    private enum Key {
        static let identifier = "adjustmentFormatIdentifier"
        static let version = "adjustmentFormatVersion"
        static let data = "adjustmentData"
    }

    /// Reads a property list; nil if it does not contain adjustment data.
    convenience init?(propertyList: Data) {
        // A damaged file is treated like a file of another format.
        let list = try? PropertyListSerialization.propertyList(from: propertyList, format: nil) as? [String: Any]
        guard let identifier = list?[Key.identifier] as? String, let version = list?[Key.version] as? String,
            let data = list?[Key.data] as? Data
        else { return nil }
        self.init(formatIdentifier: identifier, formatVersion: version, data: data)
    }

    func propertyList() throws -> Data {
        try PropertyListSerialization.data(
            fromPropertyList: [
                Key.identifier: formatIdentifier, Key.version: formatVersion, Key.data: data,
            ], format: .binary, options: 0)
    }
}
