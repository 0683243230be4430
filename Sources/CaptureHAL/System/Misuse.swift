/// A call for which Apple's frameworks raise an Objective-C exception.
public struct Misuse: Sendable, Hashable, CustomStringConvertible {
    /// The name of the exception that Apple raises.
    public enum Exception: String, Sendable, Hashable, CaseIterable {
        case generic = "NSGenericException"
        case invalidArgument = "NSInvalidArgumentException"
        case range = "NSRangeException"
        case internalInconsistency = "NSInternalInconsistencyException"
    }

    /// The exception that Apple raises.
    public let exception: Exception
    /// One sentence: the method and the violated requirement.
    public let message: String

    /// Creates a misuse.
    public init(_ exception: Exception, _ message: String) {
        self.exception = exception
        self.message = message
    }

    /// The exception's name and the message.
    public var description: String { "*** \(exception.rawValue): \(message)" }
}

/// Handles misuse, since Swift on Linux cannot raise exceptions.
///
/// If the handler returns, the misused call has no effect.
public struct MisuseHandler: Sendable {
    private let handle: @Sendable (Misuse) -> Void

    /// Creates a handler.
    public init(_ handle: @escaping @Sendable (Misuse) -> Void) {
        self.handle = handle
    }

    /// Prints the misuse to standard error and stops the process, as an uncaught exception does.
    public static let trap = MisuseHandler { misuse in
        fatalError(misuse.description)
    }

    /// Reports a misuse to the handler.
    public func report(_ exception: Misuse.Exception, _ message: String) {
        handle(Misuse(exception, message))
    }
}
