import AssetTypes
import CaptureHAL
import MediaMeasurements
import MediaTypes
import StrictYAML

extension Scenario.Expectation {
    /// The keys for the subject of an expectation, each with the other keys that are valid with it.
    static let subjects: [(key: String, others: [String])] = [
        ("events", window), ("never", window), ("count", ["is"] + window), ("error", ["of"] + window),
        ("notification", ["reason"] + window), ("session", ["of", "lasts"] + window),
        ("recording", ["camera", "lasts"] + window),
        ("device", ["is", "lasts"] + window), ("movie", MovieExpectation.keys),
        ("photo", PictureExpectation.keys + PictureExpectation.exifKeys),
        ("frame", ["time"] + PictureExpectation.keys),
        ("library", Scenario.LibraryExpectation.keys), ("log", []),
    ]
    /// The keys of all expectations.
    static let keys = (subjects.map(\.key) + subjects.flatMap(\.others)).reduce(into: [String]()) {
        if !$0.contains($1) { $0.append($1) }
    }
    /// The keys of a time window.
    private static let window = ["at", "from", "until"]

    /// Reads the section `expect`.
    ///
    /// - Parameters:
    ///   - end: The end of the scenario in microseconds.
    ///   - names: The names of cameras and files in the scenario.
    /// - Throws: An error for unknown keys, invalid values, and names that the scenario does not contain.
    static func read(_ value: YAMLValue, end: Int64, names: Scenario.DeclaredNames) throws(YAMLError) -> [Self] {
        try value.list().map { (value) throws(YAMLError) in try Self(value, end: end, names: names) }
    }

    /// Reads an entry of the section `expect`; `end` is the end of the scenario in microseconds.
    init(_ value: YAMLValue, end: Int64, names: Scenario.DeclaredNames) throws(YAMLError) {
        let map = try value.mapping(keys: Self.keys, listedBy: "obscura scenario schema")
        let present = Self.subjects.filter { map[$0.key] != nil }
        guard let subject = present.first, present.count == 1 else {
            let names = Self.subjects.map(\.key).joined(separator: ", ")
            throw value.error(
                present.isEmpty
                    ? "the expectation has no subject"
                    : "the expectation has two subjects, \"\(present[0].key)\" and \"\(present[1].key)\"",
                present.isEmpty ? "add one of \(names)" : "write two expectations")
        }
        for key in Self.keys where key != subject.key && !subject.others.contains(key) {
            guard let extra = map[key] else { continue }
            throw extra.error(
                "\"\(subject.key)\" does not accept \"\(key)\"",
                subject.others.isEmpty
                    ? "it accepts nothing else" : "it accepts \(subject.others.joined(separator: ", "))"
            )
        }
        (file, line) = (value.file, value.line)
        window = try Scenario.TimeWindow(map, end: end)
        kind = try Self.kind(subject.key, map, window, end: end, names: names)
    }

    private static func kind(
        _ subject: String, _ map: YAMLMapping, _ window: Scenario.TimeWindow, end: Int64,
        names: Scenario.DeclaredNames
    ) throws(YAMLError) -> Kind {
        let value = try map.required(subject)
        switch subject {
        case "events":
            return .events(
                try value.list().map { (value) throws(YAMLError) in try Event(value, end: end, names: names) })
        case "never": return .never(try EventName.read(value, names: names))
        case "count":
            return .count(
                try EventName.read(value, names: names), try Bounds(map.required("is"), .none, in: 0...1e9)
            )
        case "error":
            let codes = AVError.Code.scenarioNames.map { (name: $0.name, value: Optional($0.value)) }
            let source = try map["of"]?.string()
            if let source, source != "session", source != "photo" {
                try check(source, isIn: names.movies, try map.required("of"), others: ["session", "photo"])
            }
            let code = try value.choice(codes + [("none", nil)])
            if code == nil, source == nil || source == "session" || source == "photo" {
                throw value.error("\"none\" needs the name of a recording", "add \"of:\" with the name of its file")
            }
            return .error(code, of: source)
        case "notification":
            var text = try value.choice(EventName.notifications.map { ($0.name, $0.event) })
            if let reason = map["reason"] {
                let names: [String]
                switch text {
                case "session was interrupted": names = InterruptionReason.scenarioNames.map(\.name)
                case "audio session route change": names = Scenario.AudioSessionCall.routeChangeReasons.map(\.name)
                default:
                    throw reason.error(
                        "only session-was-interrupted and audio-session-route-change have a reason", "remove it")
                }
                text += " " + (try reason.choice(names.map { ($0, $0) }))
            }
            return .events([Event(text: text, window: Scenario.TimeWindow())])
        case "session", "recording", "device": return try state(subject, value, map, window, names)
        case "movie", "photo", "frame":
            let written = subject == "photo" ? names.photos : names.movies
            try check(try value.string(), isIn: written, value)
            if subject == "movie" { return .movie(try MovieExpectation(value, map)) }
            if let movie = map["live-movie"] { try check(try movie.string(), isIn: names.movies, movie) }
            return .picture(try PictureExpectation(value, map, isFrame: subject == "frame"))
        case "library": return .library(try Scenario.LibraryExpectation(value, map))
        default: return try value.choice([("golden", .goldenLog)])
        }
    }

    /// Checks that a step writes a file. Without this check, a misspelled name would always meet `exists: false`.
    ///
    /// - Parameter others: Names that are not files, for the suggestion in the error.
    private static func check(
        _ name: String, isIn files: [String], _ value: YAMLValue, others: [String] = []
    ) throws(YAMLError) {
        guard !files.contains(name) else { return }
        let names = files + others
        throw value.error(
            "no step writes the file \"\(name)\"",
            names.isEmpty ? "add a step that writes it" : suggestion(for: name, among: names))
    }

    private static func state(
        _ subject: String, _ value: YAMLValue, _ map: YAMLMapping, _ window: Scenario.TimeWindow,
        _ names: Scenario.DeclaredNames
    ) throws(YAMLError) -> Kind {
        let isDevice = subject == "device"
        let stateValue = isDevice ? try map.required("is") : value
        let states = StateHistory.states(of: subject)
        let state = try stateValue.choice(states.map { ($0, $0) })
        let lasting = try map["lasts"].map { (value) throws(YAMLError) in
            try Bounds(value, .seconds, in: 0...1e6)
        }
        let hasInterval = window.from != nil && window.until != nil
        if lasting == nil, window.at == nil, !hasInterval {
            throw value.error("the time of the state is missing", "add \"at\", or \"from\" and \"until\", or \"lasts\"")
        }
        if lasting != nil, let at = map["at"] {
            throw at.error("\"lasts\" and \"at\" exclude each other", "write \"from\" and \"until\", or remove one")
        }
        switch subject {
        case "session": return .state(.session(try map["of"]?.string()), state, lasting: lasting)
        case "recording": return .state(try recording(value, map["camera"], names), state, lasting: lasting)
        default: return .state(.device(try value.string()), state, lasting: lasting)
        }
    }
}

extension Scenario.Expectation {
    /// Reads the subject of an expectation about recordings: the movie output of one of several cameras, or the only
    /// movie output.
    private static func recording(
        _ value: YAMLValue, _ camera: YAMLValue?, _ names: Scenario.DeclaredNames
    ) throws(YAMLError) -> Subject {
        guard !names.cameras.isEmpty else {
            guard let camera else { return .recording }
            throw camera.error("the session has one camera", "remove \"camera\"")
        }
        guard let camera else {
            throw value.error("the session has several cameras", "add \"camera: \(names.cameras[0])\"")
        }
        let id = try camera.choice(names.cameras.map { ($0, $0) })
        return .recordingOfCamera(id, files: names.moviesByCamera[id] ?? [])
    }
}

extension Scenario.Expectation.Event {
    /// Reads an event: the first words of its line in the log, or a mapping of these words and a time window.
    init(_ value: YAMLValue, end: Int64, names: Scenario.DeclaredNames) throws(YAMLError) {
        if let map = try? value.mapping(keys: ["event"] + ["at", "from", "until"]) {
            text = try EventName.read(map.required("event"), names: names)
            window = try Scenario.TimeWindow(map, end: end)
        } else if case .some = try? value.string() {
            text = try EventName.read(value, names: names)
            window = Scenario.TimeWindow()
        } else {
            // Throws the error of an invalid mapping.
            _ = try value.mapping(keys: ["event", "at", "from", "until"])
            throw value.error("this is not an event", "write the first words of a line of the log")
        }
    }
}

extension Scenario.TimeWindow {
    /// Reads `at`, `from` and `until`.
    ///
    /// - Parameter end: The end of the scenario in microseconds.
    /// - Throws: An error for a time after the end, for `at` next to an interval, and for an interval with a negative
    ///   length.
    init(_ map: YAMLMapping, end: Int64) throws(YAMLError) {
        func time(_ key: String) throws(YAMLError) -> Int64? {
            guard let value = map[key] else { return nil }
            let time = Int64((try value.quantity(.seconds, in: 0...1e6) * 1e6).rounded())
            guard time <= end else {
                throw value.error("the scenario ends before, at \(seconds(end))", "write \(seconds(end)) or less")
            }
            return time
        }
        at = try time("at")
        from = try time("from")
        until = try time("until")
        if at != nil, let extra = map["from"] ?? map["until"] {
            throw extra.error("\"at\" excludes \"from\" and \"until\"", "keep a time or an interval")
        }
        if let from, let until, until < from, let value = map["until"] {
            throw value.error("the interval ends before it begins", "write \(seconds(from)) or more")
        }
    }
}

extension Bounds {
    /// Reads a number, or a list of the lowest and the highest allowed number.
    init(_ value: YAMLValue, _ unit: YAMLUnit, in range: ClosedRange<Double>) throws(YAMLError) {
        if (try? value.string()) != nil {
            let number = try value.quantity(unit, in: range)
            self.init(low: number, high: number)
        } else {
            let bounds = try value.quantityRange(unit, in: range)
            self.init(low: bounds.lowerBound, high: bounds.upperBound)
        }
    }
}
