/// An error that ends a command with exit status 1, described in one sentence.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ message: String) { description = message }
}
