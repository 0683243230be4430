public import Foundation

/// The objects that a fetch gave, in order; it stays as it is while the library changes.
///
/// - Important: Thread-safe.
public final class PHFetchResult<ObjectType: AnyObject>: NSObject, @unchecked Sendable {
    // SAFETY: constants only; the objects are this module's, which are Sendable.
    let objects: [ObjectType]
    /// Fetches the same anew.
    let refetch: @Sendable () -> PHFetchResult<ObjectType>?

    init(_ objects: [ObjectType], refetch: @escaping @Sendable () -> PHFetchResult<ObjectType>?) {
        self.objects = objects
        self.refetch = refetch
    }

    public var count: Int { objects.count }

    public var firstObject: ObjectType? { objects.first }

    public var lastObject: ObjectType? { objects.last }

    /// - Parameter index: 0 … `count` - 1.
    public func object(at index: Int) -> ObjectType { objects[index] }

    public subscript(index: Int) -> ObjectType { objects[index] }

    /// The objects at the indexes, in ascending order of index.
    public func objects(at indexes: IndexSet) -> [ObjectType] { indexes.map { objects[$0] } }

    public func contains(_ object: ObjectType) -> Bool { index(of: object) != NSNotFound }

    /// The index of the first equal object, or `NSNotFound`.
    public func index(of object: ObjectType) -> Int {
        objects.firstIndex { isSame($0, object) } ?? NSNotFound
    }

    /// Calls `block` with each object, its index, and a flag that it can set to end the enumeration.
    public func enumerateObjects(_ block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        enumerateObjects(options: [], using: block)
    }

    /// As `enumerateObjects(_:)`; of the options `.reverse` counts.
    public func enumerateObjects(
        options: NSEnumerationOptions, using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        enumerateObjects(at: IndexSet(objects.indices), options: options, using: block)
    }

    /// As `enumerateObjects(options:using:)`, for the objects at the indexes alone.
    public func enumerateObjects(
        at indexes: IndexSet, options: NSEnumerationOptions,
        using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        var stop = ObjCBool(false)
        let order = options.contains(.reverse) ? Array(indexes.reversed()) : Array(indexes)
        for index in order {
            withUnsafeMutablePointer(to: &stop) { block(objects[index], index, $0) }
            if stop.boolValue { return }
        }
    }

    private func isSame(_ left: ObjectType, _ right: ObjectType) -> Bool {
        if let left = left as? NSObject, let right = right as? NSObject { left == right } else { left === right }
    }
}

extension PHFetchResult where ObjectType == PHAsset {
    /// How many of the assets are of the type.
    public func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
        objects.count { $0.mediaType == mediaType }
    }
}
