import Foundation
import XCTest

@testable import CaptureCore

final class SessionRoutesTests: XCTestCase {
    func testEachPortHasItsConnectionsInTheirOrder() {
        let ports = (0..<3).map { _ in NSObject() }
        let (picture, sound, unused) = (
            ObjectIdentifier(ports[0]), ObjectIdentifier(ports[1]), ObjectIdentifier(ports[2])
        )
        let connections: [(name: String, ports: [ObjectIdentifier])] = [
            ("preview", [picture]), ("movie", [picture, sound]), ("data", [picture]),
        ]
        let routes = SessionRoutes(connections, ports: \.ports)
        XCTAssertEqual(routes.connections(from: picture).map(\.name), ["preview", "movie", "data"])
        XCTAssertEqual(routes.connections(from: sound).map(\.name), ["movie"])
        XCTAssertTrue(routes.connections(from: unused).isEmpty)
    }
}
