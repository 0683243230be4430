#if Everything || Scenarios
import CaptureHAL
import CaptureScenarios
import MediaTypes

/// A reduced scenario that violates an invariant, as a sentence, a scenario file and a test.
struct FoundScenario {
    let scenario: Scenario
    let violation: Violation
    /// The pauses before the steps after the first one; nil if they were not measured.
    let pauses: [ExplorationReduction.PauseRange]?

    /// The invariant and the steps that violate it, in one sentence.
    var sentence: String {
        var phrases: [String] = []
        for (index, step) in scenario.timeline.enumerated() {
            var phrase = step.action.phrase
            if index > 0, let pauses {
                let range = pauses[index - 1]
                switch (range.least, range.greatest) {
                case (nil, nil): break
                case (nil, let greatest?): phrase += " within \(Self.seconds(greatest))"
                case (let least?, nil): phrase += " at least \(Self.seconds(least)) later"
                case (let least?, let greatest?):
                    phrase += " \(Self.seconds(least)) to \(Self.seconds(greatest)) later"
                }
            }
            phrases.append(phrase)
        }
        let start = ProtectedResource.allCases.compactMap { resource -> String? in
            guard scenario.devices.authorization[resource] == .notDetermined else { return nil }
            let answer = scenario.devices.answers[resource] ?? .grant
            let verb = answer.state == .authorized ? "grants" : "denies"
            let delay = answer.delay > .zero ? " after \(number(Double(answer.delay.nanoseconds) / 1e9)) s" : ""
            return "the user \(verb) the prompt for \(resource.rawValue)\(delay)"
        }
        let order =
            scenario.seed == ExplorationRun.submissionSeed ? "" : ", in the order of work of seed \(scenario.seed)"
        let conditions = ((start.isEmpty ? [] : [start.joined(separator: " and ")]) + phrases).joined(
            separator: ", then ")
        return "\"\(violation.invariant)\" is violated if \(conditions)\(order): \(violation.detail)"
    }

    private static func seconds(_ milliseconds: Int) -> String { "\(number(Double(milliseconds) / 1000)) s" }

    /// The scenario file.
    var yaml: String { scenario.yaml }

    /// A test of XCTest that plays the scenario.
    var swiftTest: String {
        let words = violation.invariant.split { !$0.isLetter && !$0.isNumber }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let lines = yaml.split(separator: "\n").map { "        \($0)" }.joined(separator: "\n")
        return """
            func test\(name)() {
                XCTAssertInvariants(
                    scenario: #\"""
            \(lines)
                    \"""#
                ) { app in
                    // Create the app and set its actions, as in the test that found the scenario.
                }
            }
            """
    }
}

extension Scenario.Action {
    /// The action in a sentence.
    fileprivate var phrase: String {
        switch self {
        case .start: "the app starts"
        case .stop: "the app stops"
        case .record: "the app records"
        case .stopRecording: "the app stops the recording"
        case .pauseRecording: "the app pauses the recording"
        case .resumeRecording: "the app resumes the recording"
        case .photo: "the app takes a photo"
        case .app(let action, _): "the app performs \"\(action)\""
        case .interrupt(.audioInUseByAnotherClient): "a call begins"
        case .interrupt(.videoInUseByAnotherClient): "another app uses the camera"
        case .interrupt(let reason): "the session is interrupted (\(reason))"
        case .endInterruption(.audioInUseByAnotherClient, let shouldResume):
            shouldResume == false ? "the call ends without advice to resume" : "the call ends"
        case .endInterruption(.videoInUseByAnotherClient, _): "the other app releases the camera"
        case .endInterruption(let reason, _): "the interruption ends (\(reason))"
        case .setInBackground(true): "the app enters the background"
        case .setInBackground(false): "the app enters the foreground"
        case .setSystemPressure(let pressure): "the system pressure becomes \(pressure.level)"
        case .disconnect(let id): "\(id) is unplugged"
        case .reconnect(let id): "\(id) is plugged in"
        case .setFreeSpace(let byteCount): byteCount == 0 ? "the disk is full" : "the disk has space"
        case .rotate(let orientation): "the phone is rotated to \(orientation)"
        case .setAuthorization(let resource, let state): "the user sets \(resource.rawValue) to \(state) in Settings"
        case .fault(let fault, let device): "\(device) has the fault \(fault)"
        case .change(.resetMediaServices): "the media services are reset"
        case .change(.setInUse(let id, let isInUse)):
            isInUse ? "another program takes \(id)" : "the other program returns \(id)"
        case .setLibraryAvailable(let isAvailable):
            isAvailable ? "the photo library is available" : "the photo library is not available"
        case .setLight(let lux, _, _): "the light changes" + (lux.map { " to \(number($0)) lx" } ?? "")
        case .change, .audioSession, .switchCamera, .camera, .connection, .setCallbackDuration, .requestAuthorization,
            .setAnswer, .setScene, .changeSceneObject, .createAsset, .fetchAssets, .pickPhotos:
            "\(self)"
        }
    }
}
#endif
