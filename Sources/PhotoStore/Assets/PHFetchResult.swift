public import Foundation

/// The ordered objects of a fetch. The result does not change when the library changes.
///
/// - Important: Thread-safe.
public final class PHFetchResult<ObjectType: AnyObject>: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants, and this module's objects are Sendable.
    let objects: [ObjectType]
    /// Performs the same fetch again. Returns nil if the result cannot change, or if the library was deallocated.
    let refetch: @Sendable () -> PHFetchResult<ObjectType>?

    init(_ objects: [ObjectType], refetch: @escaping @Sendable () -> PHFetchResult<ObjectType>?) {
        self.objects = objects
        self.refetch = refetch
    }

    public var count: Int { objects.count }

    public var firstObject: ObjectType? { objects.first }

    public var lastObject: ObjectType? { objects.last }

    /// Returns the object at an index from 0 to `count` - 1.
    public func object(at index: Int) -> ObjectType { objects[index] }

    public subscript(index: Int) -> ObjectType { objects[index] }

    /// Returns the objects at the indexes, in ascending order of the indexes.
    public func objects(at indexes: IndexSet) -> [ObjectType] { indexes.map { objects[$0] } }

    public func contains(_ object: ObjectType) -> Bool { index(of: object) != NSNotFound }

    /// Returns the index of the first equal object, or `NSNotFound`.
    public func index(of object: ObjectType) -> Int {
        objects.firstIndex { isSame($0, object) } ?? NSNotFound
    }

    /// Returns the index of the first equal object in a range, or `NSNotFound`.
    public func index(of object: ObjectType, in range: NSRange) -> Int {
        objects.indices.first { range.contains($0) && isSame(objects[$0], object) } ?? NSNotFound
    }

    /// Calls `block` with each object, its index, and a flag that it can set to end the enumeration.
    public func enumerateObjects(_ block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        enumerateObjects(options: [], using: block)
    }

    /// Calls `block` with each object. Of the options, only `.reverse` has an effect.
    public func enumerateObjects(
        options: NSEnumerationOptions, using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        enumerateObjects(at: IndexSet(objects.indices), options: options, using: block)
    }

    /// Calls `block` with each object at the indexes. Of the options, only `.reverse` has an effect.
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
    /// Returns the number of assets of a type.
    public func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
        objects.count { $0.mediaType == mediaType }
    }
}
