import Foundation
import XCTest

@testable import CaptureCore

final class SessionRoutesTests: XCTestCase {
    private final class Connection {
        let name: String
        let ports: [ObjectIdentifier]

        init(_ name: String, _ ports: [ObjectIdentifier]) {
            self.name = name
            self.ports = ports
        }
    }

    private let ports = (0..<3).map { _ in NSObject() }

    func testConnectionsFromAPortAreInTheirOriginalOrder() {
        let (video, audio, unused) = (
            ObjectIdentifier(ports[0]), ObjectIdentifier(ports[1]), ObjectIdentifier(ports[2])
        )
        let connections = [
            Connection("preview", [video]), Connection("movie", [video, audio]), Connection("data", [video]),
        ]
        let routes = SessionRoutes(connections, ports: \.ports)
        XCTAssertEqual(routes.connections(from: video).map(\.name), ["preview", "movie", "data"])
        XCTAssertEqual(routes.connections(from: audio).map(\.name), ["movie"])
        XCTAssertTrue(routes.connections(from: unused).isEmpty)
    }

    func testTheConnectionsOfSeveralPortsContainEachConnectionOnce() {
        let (video, metadata, unused) = (
            ObjectIdentifier(ports[0]), ObjectIdentifier(ports[1]), ObjectIdentifier(ports[2])
        )
        let connections = [
            Connection("preview", [video]), Connection("both", [metadata, video]), Connection("codes", [metadata]),
        ]
        let routes = SessionRoutes(connections, ports: \.ports)
        XCTAssertEqual(routes.connections(from: [video, metadata]).map(\.name), ["preview", "both", "codes"])
        XCTAssertEqual(routes.connections(from: [unused, metadata]).map(\.name), ["both", "codes"])
        XCTAssertTrue(routes.connections(from: [unused]).isEmpty)
    }
}
