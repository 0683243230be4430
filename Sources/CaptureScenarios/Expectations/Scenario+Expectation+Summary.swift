import MediaAssets

extension Scenario.Expectation {
    /// What is expected, in words: the text of verdicts and explanations.
    var summary: String {
        switch kind {
        case .events(let events):
            events.map { "\"\($0.text)\"\($0.window.summary)" }.joined(separator: ", then ") + window.summary
        case .never(let text): "never \"\(text)\"\(window.summary)"
        case .count(let text, let bounds): "\"\(text)\" \(bounds.summary()) times\(window.summary)"
        case .error(let code, let of): Self.summary(ofError: code, of: of) + window.summary
        case .state(let subject, let state, let lasting):
            "\(subject.summary) is \(state)" + (lasting.map { " for \($0.summary("s"))" } ?? "") + window.summary
        case .movie(let movie): "\(subjectOfFile ?? ""): \(movie.requirements.joined(separator: ", "))"
        case .picture(let picture): "\(subjectOfFile ?? ""): \(picture.requirements.joined(separator: ", "))"
        case .library(let library): library.summary
        case .goldenLog: "the golden log"
        }
    }

    /// The file that the expectation is about, in words; nil if it is about the log.
    var subjectOfFile: String? {
        switch kind {
        case .movie(let movie): "movie \(movie.name)"
        case .picture(let picture):
            picture.time.map { "frame at \(number($0)) s of \(picture.name)" } ?? "photo \(picture.name)"
        default: nil
        }
    }

    private static func summary(ofError code: AVError.Code?, of: String?) -> String {
        let object = summary(ofSource: of)
        return (code.map { "the error \($0.scenarioName)" } ?? "no error") + (object.isEmpty ? "" : " \(object)")
    }

    /// What reports an error, in words; empty for any source.
    ///
    /// - Parameter of: The name of a movie, `session` or `photo`; nil for any.
    static func summary(ofSource of: String?) -> String {
        switch of {
        case "session": "of the session"
        case "photo": "of a photo"
        case let name?: "of the recording \(name)"
        case nil: ""
        }
    }
}

extension Scenario.Expectation.Subject {
    /// The object in words.
    var summary: String {
        switch self {
        case .session(let name): "the session" + (name.map { " \($0)" } ?? "")
        case .recording: "the movie output"
        case .recordingOfCamera(let camera, _): "the movie output of \(camera)"
        case .device(let id): "the device \(id)"
        }
    }
}
