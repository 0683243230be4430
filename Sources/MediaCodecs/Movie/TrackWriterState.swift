/// Where the writing of a file is.
enum TrackWriterState {
    case writing
    case finished
    case cancelled
    case failed(MovieError)

    /// - Parameter what: The file, as in "the movie".
    /// - Throws: `.invalidState` where the writing is over; the earlier error where it failed.
    func requireWriting(_ what: String) throws(MovieError) {
        switch self {
        case .writing: return
        case .finished: throw MovieError(.invalidState, "\(what) is finished", hasPlayableContent: true)
        case .cancelled: throw MovieError(.invalidState, "\(what) was cancelled")
        case .failed(let error): throw error
        }
    }

    /// Whether what is in the file plays, at least in part.
    ///
    /// - Parameter meanwhile: Whether it does while it is written.
    func hasPlayableContent(whileWriting meanwhile: Bool) -> Bool {
        switch self {
        case .writing: meanwhile
        case .finished: true
        case .cancelled: false
        case .failed(let error): error.hasPlayableContent
        }
    }
}
