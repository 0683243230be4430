import CaptureHAL
import MediaTypes
import SimDevices

@testable import CaptureScenarios

/// Generates random scenarios. The same seed yields the same scenario.
struct RandomScenarioGenerator {
    static let cameras = ["two.back", "two.front"]
    static let microphone = "two.microphone"
    static let devices: [String: SessionModel.Medium] = [
        "two.back": .video, "two.front": .video, "two.microphone": .audio,
    ]

    private var generator: SplitMix64
    private var fileCount = 0

    private init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Generates a scenario.
    static func scenario(seed: UInt64, stepCount: Int = 30) -> Scenario {
        var generator = RandomScenarioGenerator(seed: seed)
        return generator.makeScenario(seed, stepCount)
    }

    private mutating func makeScenario(_ seed: UInt64, _ stepCount: Int) -> Scenario {
        var authorization: [ProtectedResource: AuthorizationState] = [:]
        for resource in [ProtectedResource.video, .audio] where chance(15) {
            authorization[resource] = generator.pick([.notDetermined, .restricted, .denied])
        }
        let first = generator.pick(Self.outputs)
        let outputs = Self.outputs.filter { chance(60) || $0 == first }
        let session = Scenario.Session(
            preset: generator.pick(Self.presets), camera: generator.pick(Self.cameras), hasMicrophone: chance(70),
            outputs: outputs)
        var time: Int64 = 0
        var steps: [Scenario.Step] = []
        for _ in 0..<stepCount {
            // Most scenarios start the session first, so that most steps act on a running session.
            let action = steps.isEmpty && chance(80) ? .start : action()
            steps.append(
                Scenario.Step(time: CMTime(value: time, timescale: 1_000_000), action: action, line: steps.count + 1))
            // In microseconds. 33,333 is the duration of a frame at 30 frames per second.
            time += generator.pick([0, 0, 1000, 20_000, 33_333, 50_000, 110_000, 150_000])
        }
        return Scenario(
            name: "Scenario \(seed)", seed: seed,
            devices: Scenario.Devices(
                profile: "../Profiles/two-cameras.yaml", scene: "grey", freeByteCount: nil,
                authorization: authorization, faults: []),
            session: session, timeline: steps, end: CMTime(value: time + 150_000, timescale: 1_000_000))
    }

    private mutating func randomNumber(below limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }

    /// Returns true with a probability in percent.
    private mutating func chance(_ percent: Int) -> Bool { randomNumber(below: 100) < percent }

    private static let outputs: [Scenario.Session.Output] = [.video, .audio, .movie, .photo]
    private static let presets = [
        "AVCaptureSessionPresetHigh", "AVCaptureSessionPresetMedium", "AVCaptureSessionPresetLow",
        "AVCaptureSessionPresetPhoto",
    ]

    private mutating func action() -> Scenario.Action {
        let anyDevice = generator.pick(Self.cameras + [Self.microphone])
        let output = generator.pick(Self.outputs)
        switch randomNumber(below: 100) {
        case 0..<12: return .start
        case 12..<18: return .stop
        case 18..<26: return .switchCamera(generator.pick(Self.cameras))
        case 26..<33:
            fileCount += 1
            return .record(
                to: "m\(fileCount).mov", fragmentInterval: nil,
                maximumDuration: chance(20) ? CMTime(value: 70, timescale: 1000) : nil)
        case 33..<37: return .stopRecording
        case 37..<39: return chance(50) ? .pauseRecording : .resumeRecording
        case 39..<45:
            fileCount += 1
            return .photo(to: "p\(fileCount).jpg")
        case 45..<50: return .interrupt(generator.pick(InterruptionReason.allCases))
        case 50..<57: return .endInterruption(generator.pick(InterruptionReason.allCases))
        case 57..<60: return .disconnect(anyDevice)
        case 60..<65: return .reconnect(anyDevice)
        case 65..<69: return .change(.setInUse(anyDevice, chance(45)))
        case 69..<72:
            return .fault(.pressure(chance(40) ? .shutdown : .fair), device: generator.pick(Self.cameras))
        case 72..<75: return .change(.beginConfiguration)
        case 75..<80: return .change(.commitConfiguration)
        case 80..<83: return .change(.addInput(anyDevice))
        case 83..<85: return .change(.removeInput(anyDevice))
        case 85..<88: return .change(.addOutput(output))
        case 88..<90: return .change(.removeOutput(output))
        case 90..<92: return .change(.setPreset(generator.pick(Self.presets)))
        case 92..<96: return .change(.setEnabled(output, chance(60)))
        case 96..<98:
            return .setAuthorization(
                generator.pick([.video, .audio]), generator.pick([.notDetermined, .restricted, .denied, .authorized]))
        case 98: return .change(.resetMediaServices)
        default: return .change(.setSuspended(anyDevice, chance(50)))
        }
    }
}
