import AssetTypes
import MediaMeasurements

extension Scenario.Expectation {
    /// A description of the expectation for verdicts and explanations.
    var summary: String {
        switch kind {
        case .events(let events):
            events.map { "\"\($0.text)\"\($0.window.summary)" }.joined(separator: ", then ") + window.summary
        case .never(let text): "never \"\(text)\"\(window.summary)"
        case .count(let text, let bounds): "\"\(text)\" \(bounds.summary()) times\(window.summary)"
        case .error(let code, let source): Self.summary(ofError: code, of: source) + window.summary
        case .state(let subject, let state, let lasting):
            "\(subject.summary) is \(state)" + (lasting.map { " for \($0.summary("s"))" } ?? "") + window.summary
        case .movie(let movie): "\(subjectOfFile ?? ""): \(movie.requirements.joined(separator: ", "))"
        case .picture(let picture): "\(subjectOfFile ?? ""): \(picture.requirements.joined(separator: ", "))"
        case .library(let library): library.summary
        case .goldenLog: "the golden log"
        }
    }

    /// A description of the file that the expectation is about; nil if it is about the log or the photo library.
    var subjectOfFile: String? {
        switch kind {
        case .movie(let movie): "movie \(movie.name)"
        case .picture(let picture):
            picture.time.map { "frame at \(number($0)) s of \(picture.name)" } ?? "photo \(picture.name)"
        default: nil
        }
    }

    private static func summary(ofError code: AVError.Code?, of source: String?) -> String {
        let suffix = summary(ofSource: source)
        return (code.map { "the error \($0.scenarioName)" } ?? "no error") + (suffix.isEmpty ? "" : " \(suffix)")
    }

    /// Describes the source of an error; empty for any source.
    ///
    /// - Parameter source: The name of a movie, `session` or `photo`; nil for any.
    static func summary(ofSource source: String?) -> String {
        switch source {
        case "session": "of the session"
        case "photo": "of a photo"
        case let name?: "of the recording \(name)"
        case nil: ""
        }
    }
}

extension Scenario.Expectation.Subject {
    /// A description of the object.
    var summary: String {
        switch self {
        case .session(let name): "the session" + (name.map { " \($0)" } ?? "")
        case .recording: "the movie output"
        case .recordingOfCamera(let camera, _): "the movie output of \(camera)"
        case .device(let id): "the device \(id)"
        }
    }
}
