import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import SimDevices

/// Compares the sound of the street with the objects in its images.
final class StreetSoundTests: XCTestCase {
    /// Returns the samples of the first channel of a simulated microphone.
    private func record(
        scene: SimScene = .street, later: (scene: SimScene, time: CMTime)? = nil, sound: SimSound? = nil,
        profile: String = "phone", chunk: CMTime = .invalid, seed: UInt64 = 1, milliseconds: Int = 999
    ) throws -> [Float] {
        let clock = SimClock()
        let host =
            try sound.map { try SimHost(profile: profile, scene: scene, sound: $0, seed: seed, clock: clock) }
            ?? SimHost(profile: profile, scene: scene, seed: seed, clock: clock)
        if let later { host.setScene(later.scene, at: later.time) }
        let hardware = try XCTUnwrap(host.devices.last)
        let format = try XCTUnwrap(
            hardware.formats.first {
                if case .audio(let audio) = $0 { audio.sampleRate == 48000 && audio.sample == .float32 } else { false }
            })
        let stream = try hardware.open().makeStream(StreamConfiguration(format: format, frameDuration: chunk))
        let received = Lock<[Float]>([])
        try stream.start { event in
            guard case .audio(let chunk) = event else { return }
            let samples = chunk.data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            received.withLock { $0 += samples }
        }
        clock.advance(by: .milliseconds(milliseconds))
        return received.withLock { $0 }
    }

    private func power(_ samples: ArraySlice<Float>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    }

    private func toneLevel(_ samples: [Float]) -> Double? {
        ToneProbe().measure(samples, sampleRate: 48000, startTime: .zero)?.level
    }

    func testTheSoundChangesAtTheSampleAtWhichTheSceneChanges() throws {
        // The time is within a chunk and between two samples.
        let time = CMTime(value: 503_010, timescale: 1_000_000)
        let (street, chart) = (try record(), try record(scene: .chart))
        for (first, second, samples) in [
            (street, chart, try record(later: (.chart, time))),
            (chart, street, try record(scene: .chart, later: (.street, time))),
        ] {
            let change = try XCTUnwrap(samples.indices.first { samples[$0] != first[$0] })
            XCTAssertEqual(Double(change), 0.503_01 * 48000, accuracy: 1)
            XCTAssertEqual(samples[change...], second[change...])
        }
        let tones = try record(later: (.chart, time), sound: .tone)
        XCTAssertEqual(tones, try record(sound: .tone))
    }

    func testStreetScenesHaveTrafficSoundAndOtherScenesHaveTheTone() throws {
        let base = try SceneFile(yaml: "scene: 1\nname: mine\nbase: street\n", file: "s.yaml")
        for scene in [SimScene.street, .night, .file(base)] {
            let samples = try record(scene: scene)
            XCTAssertLessThan(toneLevel(samples) ?? -60, -38, scene.name)
            XCTAssertTrue((-40...(-16)).contains(10 * log10(power(samples[...]))), scene.name)
            XCTAssertEqual(try XCTUnwrap(toneLevel(record(scene: scene, sound: .tone))), -18, accuracy: 0.1)
        }
        XCTAssertEqual(try XCTUnwrap(toneLevel(record(scene: .grey))), -18, accuracy: 0.1)
    }

    func testTheStreetIsLouderWhenVisibleCarsAreNearer() throws {
        let view = SceneView(width: 640, height: 360, tangentOfHalfView: StreetScene.widestTangent)
        let street = SimScene.street.painted(for: view, seed: 1, startNanoseconds: 0)
        let samples = try record(milliseconds: 10_000)
        let window = 9600
        var (loudness, proximities): ([Double], [Double]) = ([], [])
        for index in 0..<samples.count / window {
            loudness.append(power(samples[index * window..<(index + 1) * window]))
            // The sum of the inverse squares of the distances of the cars in the middle of the window. Other objects
            // are at most 3 m long.
            var sum = 0.0
            for layer in street.movingLayers(at: Int64(index) * 200_000_000 + 100_000_000) {
                let metersPerPixel = layer.depth / view.scale
                guard Double(layer.bitmap.width) * metersPerPixel > 3 else { continue }
                let x = Double(2 * layer.x + layer.bitmap.width - view.width) / 2 * metersPerPixel
                sum += 1 / (x * x + layer.depth * layer.depth)
            }
            proximities.append(sum)
        }
        XCTAssertEqual(loudness.count, 50)
        XCTAssertGreaterThan(correlation(loudness, proximities), 0.7)
        // With a shift of one second, there is less correlation.
        XCTAssertLessThan(correlation(Array(loudness.dropFirst(5)), Array(proximities.dropLast(5))), 0.5)
    }

    private func correlation(_ a: [Double], _ b: [Double]) -> Double {
        func deviations(_ values: [Double]) -> [Double] {
            let mean = values.reduce(0, +) / Double(values.count)
            return values.map { $0 - mean }
        }
        func product(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0.0) { $0 + $1.0 * $1.1 } }
        let (a, b) = (deviations(a), deviations(b))
        return product(a, b) / (product(a, a) * product(b, b)).squareRoot()
    }

    func testAStepSoundsWhenTheFootTouchesTheGround() throws {
        let walker = StreetTraffic.RoadUser(kind: .pedestrian, appearanceSeed: 1, depth: 5, speed: 1.5, start: 0)
        let source = try XCTUnwrap(StreetSound([walker], hasCity: false).sources.first)
        let half = Double(SoundLoop.count) / 2
        // A cycle of two steps takes one second. The legs are farthest apart after a quarter of the cycle.
        for (number, seconds) in [0.25, 0.75, 1.25].enumerated() {
            let x = walker.x(at: seconds)
            let delay = (x * x + 25).squareRoot() / 343
            XCTAssertEqual(source.state(seconds + delay, 0).position / half, Double(number), accuracy: 0.001)
        }
        // Both halves of the loop begin with the heel.
        for start in [0, SoundLoop.count / 2] {
            func energy(_ range: Range<Int>) -> Double {
                range.reduce(0) { sum, index in
                    let value = Double(SoundLoop.steps.entries[start + index]) / 1_073_741_824
                    return sum + value * value
                }
            }
            XCTAssertGreaterThan(energy(0..<2400), 1)
            XCTAssertLessThan(energy(SoundLoop.count / 4..<SoundLoop.count / 2), 0.001)
        }
    }

    func testACarIsLoudestInFrontOfTheMicrophoneAndComesFromItsSide() throws {
        let car = StreetTraffic.RoadUser(kind: .car, appearanceSeed: 1, depth: 8, speed: 10, start: 0)
        let source = try XCTUnwrap(StreetSound([car], hasCity: false).sources.first)
        let times = (0..<Int(2 * car.halfWidth)).map { Double($0) / 10 }
        func amplitude(_ seconds: Double, _ side: Double) -> Double { source.state(seconds, side).amplitude }
        let loudest = try XCTUnwrap(times.max { amplitude($0, 0) < amplitude($1, 0) })
        XCTAssertEqual(car.x(at: loudest), -car.length / 2, accuracy: 1.5)
        XCTAssertGreaterThan(amplitude(loudest - 0.8, -1), 1.5 * amplitude(loudest - 0.8, 1))
        XCTAssertGreaterThan(amplitude(loudest + 0.8, 1), 1.5 * amplitude(loudest + 0.8, -1))
        // A car is silent when it starts again on the other side.
        XCTAssertEqual(amplitude(2 * car.halfWidth / 10, 0), 0, accuracy: 1e-6)
        // The pitch falls as the car passes: it approaches and recedes with almost 10 m/s.
        func pitch(_ seconds: Double) -> Double {
            source.state(seconds + 0.01, 0).position - source.state(seconds, 0).position
        }
        XCTAssertEqual(pitch(loudest - 1.2) / pitch(loudest + 1.2), 1 + 2 * 10.0 / 343, accuracy: 0.012)
    }

    func testTheSoundDependsOnTheSeedButNotOnTheChunkLength() throws {
        let complete = try record()
        let parts = try record(chunk: CMTime(value: 1000, timescale: 48000))
        XCTAssertEqual(Array(complete.prefix(45_000)), Array(parts.prefix(45_000)))
        XCTAssertNotEqual(complete, try record(seed: 2))
    }

    func testTheStreetSoundsAreSeamlessLoops() {
        for loop in [SoundLoop.car, .city] {
            let samples = (0...SoundLoop.count).map { Double(loop.entries[$0]) }
            let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
            XCTAssertEqual(samples[0], samples[SoundLoop.count])
            XCTAssertLessThan(steps[SoundLoop.count - 1], try XCTUnwrap(steps.dropLast().max()))
        }
    }
}
