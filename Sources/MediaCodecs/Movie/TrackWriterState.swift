/// The state of a file that is being written.
enum TrackWriterState {
    case writing
    case finished
    case cancelled
    case failed(MovieError)

    /// Throws if the file can no longer be written.
    ///
    /// - Parameter what: The file for the message, such as "the movie".
    /// - Throws: `.invalidState` if writing has ended; the earlier error if it failed.
    func requireWriting(_ what: String) throws(MovieError) {
        switch self {
        case .writing: return
        case .finished: throw MovieError(.invalidState, "\(what) is finished", hasPlayableContent: true)
        case .cancelled: throw MovieError(.invalidState, "\(what) was cancelled")
        case .failed(let error): throw error
        }
    }

    /// Whether the file is playable, at least in part.
    ///
    /// - Parameter meanwhile: The result for the state `writing`.
    func hasPlayableContent(whileWriting meanwhile: Bool) -> Bool {
        switch self {
        case .writing: meanwhile
        case .finished: true
        case .cancelled: false
        case .failed(let error): error.hasPlayableContent
        }
    }
}
