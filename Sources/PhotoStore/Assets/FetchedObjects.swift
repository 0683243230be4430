import Foundation

/// The objects of a fetch result. They do not change when the library changes.
protocol FetchedObjects<Object>: Sendable {
    associatedtype Object: AnyObject

    var count: Int { get }

    /// Returns the object at an index, which must be valid, as for `objects(at:)`.
    func object(at index: Int) -> Object

    func objects(at indexes: IndexSet) -> [Object]

    /// Returns the index of the first equal object in a range; nil if there is none.
    func index(of object: Object, in indexes: Range<Int>) -> Int?

    /// The local identifiers of all objects, in their order.
    func localIdentifiers() -> [String]

    /// Performs the fetch again after a change, and compares the results.
    ///
    /// - Returns: Nil if the result cannot change, or if the library cannot be read.
    func updated(after outcome: ChangeOutcome) -> (PHFetchResult<Object>, FetchDifferences)?
}

/// Objects that were all read when they were fetched.
struct ObjectList<Object: AnyObject>: FetchedObjects, @unchecked Sendable {
    // SAFETY: all properties are constants, and this module's objects are Sendable.
    private let list: [Object]
    private let refetch: @Sendable () -> PHFetchResult<Object>?

    init(_ objects: [Object], refetch: @escaping @Sendable () -> PHFetchResult<Object>?) {
        list = objects
        self.refetch = refetch
    }

    var count: Int { list.count }

    func object(at index: Int) -> Object { list[index] }

    func objects(at indexes: IndexSet) -> [Object] { indexes.map { list[$0] } }

    func index(of object: Object, in indexes: Range<Int>) -> Int? {
        indexes.first { index in
            if let one = list[index] as? NSObject, let other = object as? NSObject { return one == other }
            return list[index] === object
        }
    }

    func localIdentifiers() -> [String] { list.map { ($0 as? PHObject)?.localIdentifier ?? "" } }

    func updated(after outcome: ChangeOutcome) -> (PHFetchResult<Object>, FetchDifferences)? {
        guard let after = refetch() else { return nil }
        let differences = FetchDifferences(
            from: localIdentifiers(), to: after.source.localIdentifiers(),
            changed: Set(outcome.updated + outcome.inserted))
        return (after, differences)
    }
}
