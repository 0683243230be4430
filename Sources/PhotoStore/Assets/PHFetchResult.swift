public import Foundation

/// The ordered objects of a fetch. The result does not change when the library changes.
///
/// A result of assets stores their numbers in the index, and reads the assets in pages when they are used. Assets of a
/// large result that another change deletes meanwhile have an identifier and no other properties.
/// - Important: Thread-safe.
public final class PHFetchResult<ObjectType: AnyObject>: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants, and this module's objects are Sendable.
    let source: any FetchedObjects<ObjectType>

    init(_ source: any FetchedObjects<ObjectType>) {
        self.source = source
    }

    /// - Parameter refetch: Performs the same fetch again. Returns nil if the result cannot change, or if the library was
    ///   deallocated.
    convenience init(_ objects: [ObjectType], refetch: @escaping @Sendable () -> PHFetchResult<ObjectType>?) {
        self.init(ObjectList(objects, refetch: refetch))
    }

    /// All objects. Reads those of a large result.
    var objects: [ObjectType] { source.objects(at: IndexSet(0..<count)) }

    public var count: Int { source.count }

    public var firstObject: ObjectType? { count > 0 ? object(at: 0) : nil }

    public var lastObject: ObjectType? { count > 0 ? object(at: count - 1) : nil }

    /// Returns the object at an index from 0 to `count` - 1.
    public func object(at index: Int) -> ObjectType {
        precondition(index >= 0 && index < count, "index \(index) is beyond the \(count) objects of the fetch result")
        return source.object(at: index)
    }

    public subscript(index: Int) -> ObjectType { object(at: index) }

    /// Returns the objects at the indexes, in ascending order of the indexes.
    public func objects(at indexes: IndexSet) -> [ObjectType] {
        if let last = indexes.last { precondition(last < count, "index \(last) is beyond the \(count) objects") }
        return source.objects(at: indexes)
    }

    public func contains(_ object: ObjectType) -> Bool { index(of: object) != NSNotFound }

    /// Returns the index of the first equal object, or `NSNotFound`.
    public func index(of object: ObjectType) -> Int {
        source.index(of: object, in: 0..<count) ?? NSNotFound
    }

    /// Returns the index of the first equal object in a range, or `NSNotFound`.
    public func index(of object: ObjectType, in range: NSRange) -> Int {
        let indexes = (0..<count).clamped(to: Range(range) ?? 0..<0)
        return source.index(of: object, in: indexes) ?? NSNotFound
    }

    /// Calls `block` with each object, its index, and a flag that it can set to end the enumeration.
    public func enumerateObjects(_ block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        enumerateObjects(options: [], using: block)
    }

    /// Calls `block` with each object. Of the options, only `.reverse` has an effect.
    public func enumerateObjects(
        options: NSEnumerationOptions, using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        enumerateObjects(at: IndexSet(0..<count), options: options, using: block)
    }

    /// Calls `block` with each object at the indexes. Of the options, only `.reverse` has an effect.
    public func enumerateObjects(
        at indexes: IndexSet, options: NSEnumerationOptions,
        using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        var stop = ObjCBool(false)
        let order = options.contains(.reverse) ? Array(indexes.reversed()) : Array(indexes)
        for index in order {
            withUnsafeMutablePointer(to: &stop) { block(object(at: index), index, $0) }
            if stop.boolValue { return }
        }
    }
}

extension PHFetchResult where ObjectType == PHAsset {
    /// Returns the number of assets of a type.
    public func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
        (source as? AssetList)?.count(of: mediaType) ?? objects.count { $0.mediaType == mediaType }
    }
}
