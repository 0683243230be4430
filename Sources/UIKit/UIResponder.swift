public import Foundation

/// An object that reacts to events; the base class of views and the application.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    public override init() { super.init() }

    open var next: UIResponder? { nil }
}
