public import Foundation
public import ImageTypes

public typealias UIActionHandler = (UIAction) -> Void

/// An action that a control performs for an event.
@preconcurrency @MainActor
open class UIAction: NSObject {
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    open var title: String
    open var image: UIImage?
    /// Of two actions with the same identifier and event, a control keeps the later one. Unique by default.
    public let identifier: Identifier
    /// The control that performs the action.
    public internal(set) weak var sender: AnyObject?
    let handler: UIActionHandler

    private static var count = 0

    public init(
        title: String = "", image: UIImage? = nil, identifier: Identifier? = nil,
        handler: @escaping UIActionHandler
    ) {
        Self.count += 1
        (self.title, self.image, self.handler) = (title, image, handler)
        self.identifier = identifier ?? Identifier("com.apple.action.dynamic.\(Self.count)")
    }
}
