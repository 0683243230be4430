public import Foundation

/// A position in the history of the library's changes.
///
/// A token can be archived, and used by a later process.
/// - Important: Thread-safe.
public final class PHPersistentChangeToken: NSObject, NSSecureCoding, Sendable {
    private static let key = "change"

    public static var supportsSecureCoding: Bool { true }

    /// The number of the last change before the position; 0 for the start of the history.
    let number: Int64

    init(number: Int64) {
        self.number = number
    }

    public init?(coder: NSCoder) {
        guard coder.containsValue(forKey: Self.key) else { return nil }
        number = coder.decodeInt64(forKey: Self.key)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(number, forKey: Self.key)
    }

    public override func isEqual(_ object: Any?) -> Bool { (object as? PHPersistentChangeToken)?.number == number }

    public override var hash: Int { number.hashValue }
}

/// A change in the history of the library.
///
/// - Important: Thread-safe.
public final class PHPersistentChange: NSObject, Sendable {
    /// The position after the change.
    public let changeToken: PHPersistentChangeToken
    private let objects: [HistoryRow]

    init(number: Int64, _ objects: [HistoryRow]) {
        changeToken = PHPersistentChangeToken(number: number)
        self.objects = objects
    }

    /// Returns the changes to objects of a type.
    public func changeDetails(for objectType: PHObjectType) throws -> PHPersistentObjectChangeDetails {
        PHPersistentObjectChangeDetails(objectType, objects)
    }
}

/// The objects that a change affected.
///
/// - Important: Thread-safe.
public final class PHPersistentObjectChangeDetails: NSObject, Sendable {
    public let objectType: PHObjectType
    public let insertedLocalIdentifiers: Set<String>
    public let updatedLocalIdentifiers: Set<String>
    public let deletedLocalIdentifiers: Set<String>

    init(_ type: PHObjectType, _ objects: [HistoryRow]) {
        let kind: PHPhotoLibrary.ObjectKind =
            switch type {
            case .asset: .asset
            case .assetCollection: .album
            case .collectionList: .collectionList
            }
        func identifiers(_ effect: HistoryRow.Effect) -> Set<String> {
            Set(
                objects.filter { $0.effect == effect.rawValue && $0.localIdentifier.hasSuffix(kind.rawValue) }
                    .map(\.localIdentifier))
        }
        objectType = type
        insertedLocalIdentifiers = identifiers(.inserted)
        updatedLocalIdentifiers = identifiers(.updated)
        deletedLocalIdentifiers = identifiers(.deleted)
    }
}

/// The changes since a position, the oldest first.
///
/// - Important: Thread-safe.
public final class PHPersistentChangeFetchResult: NSObject, Sequence, Sendable {
    private let changes: [PHPersistentChange]

    init(_ changes: [PHPersistentChange]) {
        self.changes = changes
    }

    public func makeIterator() -> IndexingIterator<[PHPersistentChange]> { changes.makeIterator() }

    /// Calls `block` with each change and a flag that it can set to end the enumeration.
    public func enumerateChanges(_ block: (PHPersistentChange, UnsafeMutablePointer<ObjCBool>) -> Void) {
        var stop = ObjCBool(false)
        for change in changes {
            withUnsafeMutablePointer(to: &stop) { block(change, $0) }
            if stop.boolValue { return }
        }
    }
}

extension PHPhotoLibrary {
    /// The position after the last change; the start of the history if the library cannot be opened.
    public var currentChangeToken: PHPersistentChangeToken {
        PHPersistentChangeToken(number: (try? store().index.lastChange()) ?? 0)
    }

    /// Fetches the changes since a position, including those by other processes.
    ///
    /// - Throws: `PHPhotosError.persistentChangeTokenExpired` for a position after the last change, such as that of
    ///   another library.
    public func fetchPersistentChanges(since token: PHPersistentChangeToken) throws -> PHPersistentChangeFetchResult {
        guard mayRead() else {
            throw PHPhotosError(
                .accessUserDenied, "the user has not allowed this program to read the photo library")
        }
        let index = try store().index
        guard try token.number <= index.lastChange() else {
            throw PHPhotosError(.persistentChangeTokenExpired, "the token belongs to another library")
        }
        var changes: [PHPersistentChange] = []
        var rows = try index.history(since: token.number)[...]
        while let number = rows.first?.changeID {
            let objects = rows.prefix { $0.changeID == number }
            changes.append(PHPersistentChange(number: number, Array(objects)))
            rows.removeFirst(objects.count)
        }
        return PHPersistentChangeFetchResult(changes)
    }
}
