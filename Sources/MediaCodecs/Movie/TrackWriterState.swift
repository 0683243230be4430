/// The state of a file that is being written.
enum TrackWriterState {
    case writing
    case finished
    case cancelled
    case failed(MovieError)

    /// Throws if the file can no longer be written.
    ///
    /// - Parameter name: The name of the file in the message, such as "the movie".
    /// - Throws: `.invalidState` if writing has ended; the earlier error if it failed.
    func requireWriting(_ name: String) throws(MovieError) {
        switch self {
        case .writing: return
        case .finished: throw MovieError(.invalidState, "\(name) is finished", hasPlayableContent: true)
        case .cancelled: throw MovieError(.invalidState, "\(name) was cancelled")
        case .failed(let error): throw error
        }
    }

    /// Whether the file is playable, at least in part.
    ///
    /// - Parameter isPlayable: The result in the state `writing`.
    func hasPlayableContent(whileWriting isPlayable: Bool) -> Bool {
        switch self {
        case .writing: isPlayable
        case .finished: true
        case .cancelled: false
        case .failed(let error): error.hasPlayableContent
        }
    }
}
