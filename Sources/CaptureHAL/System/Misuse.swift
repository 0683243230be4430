/// A call that Apple's frameworks answer with an Objective-C exception.
public struct Misuse: Sendable, Hashable, CustomStringConvertible {
    /// The name of the exception that Apple raises.
    public enum Exception: String, Sendable, Hashable, CaseIterable {
        case generic = "NSGenericException"
        case invalidArgument = "NSInvalidArgumentException"
        case range = "NSRangeException"
        case internalInconsistency = "NSInternalInconsistencyException"
    }

    public let exception: Exception
    /// The method and what was wrong, in one sentence.
    public let message: String

    public init(_ exception: Exception, _ message: String) {
        self.exception = exception
        self.message = message
    }

    public var description: String { "*** \(exception.rawValue): \(message)" }
}

/// Where misuse is reported, since Swift on Linux cannot raise exceptions.
///
/// When the handler returns, the call that was misused has no effect.
public struct MisuseHandler: Sendable {
    private let handle: @Sendable (Misuse) -> Void

    public init(_ handle: @escaping @Sendable (Misuse) -> Void) {
        self.handle = handle
    }

    /// Prints the misuse to standard error and stops the process, as an uncaught exception does.
    public static let trap = MisuseHandler { misuse in
        fatalError(misuse.description)
    }

    public func report(_ exception: Misuse.Exception, _ message: String) {
        handle(Misuse(exception, message))
    }
}
