public import Foundation

/// The description of an edit, with which a program can restore or change it later.
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

    /// The keys of the file, which are those of Photos.
    private enum Key {
        static let identifier = "adjustmentFormatIdentifier"
        static let version = "adjustmentFormatVersion"
        static let data = "adjustmentData"
    }

    /// Reads a property list; nil if it is not one of adjustment data.
    convenience init?(propertyList: Data) {
        // A damaged file has the same effect as one of another format.
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
