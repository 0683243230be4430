/// A weak reference that can be stored in a value or a collection.
package struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    /// The object; nil after its release.
    package weak let object: Object?

    /// Creates a reference to an object.
    package init(_ object: Object?) { self.object = object }
}
