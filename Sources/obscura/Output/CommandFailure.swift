/// An error that ends a command with exit status 1.
struct CommandFailure: Error, CustomStringConvertible {
    /// One sentence without a period.
    let description: String

    init(_ message: String) { description = message }
}
