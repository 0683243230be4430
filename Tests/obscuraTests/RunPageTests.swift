import Foundation
import XCTest

/// Tests the part of the results page that shows a run at a selected time, and the state of a scenario at a time.
final class RunPageTests: ObscuraTestCase {
    /// The data of the page's script.
    private struct Content: Decodable {
        struct View: Decodable {
            var name: String
            var times: [Int64]
            var pictures: [Data]
        }
        struct Period: Decodable, Equatable {
            var start: Int64
            var end: Int64
            var name: String
        }
        struct State: Decodable {
            var lane: String
            var periods: [Period]
        }
        struct Work: Decodable {
            var queue: String
            var names: [Int]
            var starts: [Int64]
            var durations: [Int64]
        }
        var end: Int64
        var difference: Int64?
        var views: [View]
        var states: [State]
        var names: [String]
        var work: [Work]
    }

    private func write(zoom: Double = 1) throws {
        let scenario = """
            scenario: 1
            name: A call
            devices: {profile: phone, scene: street}
            session: {preset: 352x288, outputs: [movie, video]}
            timeline:
              - {at: 0 s, do: start}
              - {at: 0.2 s, do: record, to: a.mov}
              - {at: 0.5 s, do: zoom, factor: \(zoom)}
              - {at: 1 s, do: interrupt, reason: audio-in-use}
              - {at: 1.5 s, do: end-interruption, reason: audio-in-use}
            end: 2 s
            expect:
              - {movie: a.mov, playable: true}
              - {log: golden}

            """
        try Data(scenario.utf8).write(to: file("call.yaml"))
    }

    private func content(of page: String) throws -> Content {
        let text = try String(contentsOf: file(page), encoding: .utf8)
        let start = try XCTUnwrap(text.range(of: "<script type=\"application/json\">"))
        let end = try XCTUnwrap(text.range(of: "</script>", range: start.upperBound..<text.endIndex))
        return try JSONDecoder().decode(Content.self, from: Data(text[start.upperBound..<end.lowerBound].utf8))
    }

    func testThePageHasTheViewsTheStatesAndTheWorkOfARun() throws {
        try write()
        XCTAssertEqual(try obscura("replay", "call.yaml", "--update-golden").status, 0)
        XCTAssertEqual(try obscura("replay", "call.yaml", "--html", "call.html").status, 0)
        let content = try content(of: "call.html")
        XCTAssertEqual(content.end, 2_000_000)
        XCTAssertNil(content.difference)
        let view = try XCTUnwrap(content.views.first { !$0.times.isEmpty })
        XCTAssertEqual(view.times.count, view.pictures.count)
        XCTAssertEqual(view.times, view.times.sorted())
        XCTAssertGreaterThan(view.times.count, 8, "about ten pictures a second until the call")
        XCTAssertTrue(view.pictures.allSatisfy { $0.starts(with: [0xff, 0xd8]) }, "JPEG files")
        XCTAssertGreaterThan(Set(view.pictures).count, 1)
        func periods(_ lane: String) -> [Content.Period] { content.states.first { $0.lane == lane }?.periods ?? [] }
        XCTAssertEqual(
            periods("Interruptions"), [Content.Period(start: 1_000_000, end: 1_500_000, name: "interrupted")])
        XCTAssertEqual(periods("Recordings").map(\.name), ["recording"])
        XCTAssertGreaterThan(content.work.map(\.starts.count).reduce(0, +), 30)
        for lane in content.work {
            XCTAssertEqual(lane.starts, lane.starts.sorted(), lane.queue)
            XCTAssertEqual(lane.starts.count, lane.durations.count, lane.queue)
            XCTAssertTrue(lane.names.allSatisfy(content.names.indices.contains), lane.queue)
            XCTAssertTrue(lane.durations.allSatisfy { $0 >= 0 }, lane.queue)
        }
    }

    func testTheFirstDifferenceOfTwoRunsIsMarked() throws {
        try write()
        XCTAssertEqual(try obscura("replay", "call.yaml", "--update-golden").status, 0)
        try write(zoom: 2)
        XCTAssertEqual(try obscura("replay", "call.yaml", "--html", "call.html").status, 1)
        XCTAssertEqual(try content(of: "call.html").difference, 500_000)
        let page = try String(contentsOf: file("call.html"), encoding: .utf8)
        for part in [
            "Log of this run", "Log of the other run", "<strong>first difference:</strong> &gt; zoom 2",
            "<strong>first difference:</strong> &gt; zoom 1", "data-go=\"difference\"",
        ] { XCTAssertTrue(page.contains(part), "no \(part) in the page") }
    }

    func testTheStateIsPrintedAtATime() throws {
        try write()
        XCTAssertEqual(try obscura("replay", "call.yaml", "--update-golden").status, 0)
        let running = try obscura("replay", "call.yaml", "--stop-at", "0.7s")
        XCTAssertEqual(running.status, 0, running.errors)
        for part in [
            "State at 0.7 s:", "session: running, preset ", "input: phone.back", "output: movie, 2 of 2 connections",
            "recording: a.mov, 0.", "device: phone.back", "pending work: ",
        ] { XCTAssertTrue(running.errors.contains(part), "no \(part) in \(running.errors)") }
        let interrupted = try obscura("replay", "call.yaml", "--stop-at", "1.2s").errors
        XCTAssertTrue(interrupted.contains("session: interrupted"), interrupted)
        let late = try obscura("replay", "call.yaml", "--stop-at", "3s")
        XCTAssertNotEqual(late.status, 0)
        XCTAssertTrue(late.errors.contains("--stop-at is 3s, after the end of the scenario at 2 s"), late.errors)
    }
}
