/// Why a command failed, in one sentence; the process ends with status 1.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ sentence: String) { description = sentence }
}
