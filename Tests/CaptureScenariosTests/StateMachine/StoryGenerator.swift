import CaptureHAL
import MediaTypes
import SimDevices

@testable import CaptureScenarios

/// Makes up stories: the same seed, the same story.
struct StoryGenerator {
    static let cameras = ["two.back", "two.front"]
    static let microphone = "two.microphone"
    static let devices: [String: SessionModel.Medium] = [
        "two.back": .video, "two.front": .video, "two.microphone": .audio,
    ]

    /// SplitMix64 (G. Steele, D. Lea, C. Flood).
    private struct Dice {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }

        mutating func roll(_ sides: Int) -> Int { Int(next() % UInt64(sides)) }

        mutating func pick<Item>(_ items: [Item]) -> Item { items[roll(items.count)] }

        mutating func chance(_ percent: Int) -> Bool { roll(100) < percent }
    }

    private var dice: Dice
    private var fileCount = 0

    private init(seed: UInt64) { dice = Dice(state: seed) }

    static func story(seed: UInt64, stepCount: Int = 30) -> Scenario {
        var generator = StoryGenerator(seed: seed)
        return generator.make(seed, stepCount)
    }

    private mutating func make(_ seed: UInt64, _ stepCount: Int) -> Scenario {
        var authorization: [ProtectedResource: AuthorizationState] = [:]
        for resource in [ProtectedResource.video, .audio] where dice.chance(15) {
            authorization[resource] = dice.pick([.notDetermined, .restricted, .denied])
        }
        let first = dice.pick(Scenario.Session.Output.allCases)
        let outputs = Scenario.Session.Output.allCases.filter { dice.chance(60) || $0 == first }
        let session = Scenario.Session(
            preset: dice.pick(Self.presets), camera: dice.pick(Self.cameras), hasMicrophone: dice.chance(70),
            outputs: outputs)
        var time: Int64 = 0
        var steps: [Scenario.Step] = []
        for _ in 0..<stepCount {
            // Most stories begin with a start, so that most of them are about a session that runs.
            let action = steps.isEmpty && dice.chance(80) ? .start : action()
            steps.append(
                Scenario.Step(time: CMTime(value: time, timescale: 1_000_000), action: action, line: steps.count + 1))
            time += dice.pick([0, 0, 1000, 20_000, 33_333, 50_000, 110_000, 150_000])
        }
        return Scenario(
            name: "Story \(seed)", seed: seed,
            devices: Scenario.Devices(
                profile: "../Profiles/two-cameras.yaml", scene: "grey", freeByteCount: nil,
                authorization: authorization, faults: []),
            session: session, timeline: steps, end: CMTime(value: time + 150_000, timescale: 1_000_000))
    }

    private static let presets = [
        "AVCaptureSessionPresetHigh", "AVCaptureSessionPresetMedium", "AVCaptureSessionPresetLow",
        "AVCaptureSessionPresetPhoto",
    ]

    private mutating func action() -> Scenario.Action {
        let anyDevice = dice.pick(Self.cameras + [Self.microphone])
        let output = dice.pick(Scenario.Session.Output.allCases)
        switch dice.roll(100) {
        case 0..<12: return .start
        case 12..<18: return .stop
        case 18..<26: return .switchCamera(dice.pick(Self.cameras))
        case 26..<33:
            fileCount += 1
            return .record(
                to: "m\(fileCount).mov", fragmentInterval: nil,
                maximumDuration: dice.chance(20) ? CMTime(value: 70, timescale: 1000) : nil)
        case 33..<37: return .stopRecording
        case 37..<39: return dice.chance(50) ? .pauseRecording : .resumeRecording
        case 39..<45:
            fileCount += 1
            return .photo(to: "p\(fileCount).jpg")
        case 45..<50: return .interrupt(dice.pick(InterruptionReason.allCases))
        case 50..<57: return .endInterruption(dice.pick(InterruptionReason.allCases))
        case 57..<60: return .disconnect(anyDevice)
        case 60..<65: return .reconnect(anyDevice)
        case 65..<69: return .change(.setInUse(anyDevice, dice.chance(45)))
        case 69..<72:
            return .fault(.pressure(dice.chance(40) ? .shutdown : .fair), device: dice.pick(Self.cameras))
        case 72..<75: return .change(.beginConfiguration)
        case 75..<80: return .change(.commitConfiguration)
        case 80..<83: return .change(.addInput(anyDevice))
        case 83..<85: return .change(.removeInput(anyDevice))
        case 85..<88: return .change(.addOutput(output))
        case 88..<90: return .change(.removeOutput(output))
        case 90..<92: return .change(.setPreset(dice.pick(Self.presets)))
        case 92..<96: return .change(.setEnabled(output, dice.chance(60)))
        case 96..<98:
            return .setAuthorization(dice.pick([.video, .audio]), dice.pick(AuthorizationState.allCases))
        case 98: return .change(.resetMediaServices)
        default: return .change(.setSuspended(anyDevice, dice.chance(50)))
        }
    }
}
