import XCTest

@testable import ThreeA

final class DelayLineTests: XCTestCase {
    func testAValueTakesEffectAfterTheLag() {
        for lag in 0...4 {
            var line = DelayLine(lag: lag, value: 0)
            let output = (1...10).map { line.advance($0) }
            XCTAssertEqual(output, (1...10).map { max(0, $0 - lag) }, "\(lag)")
        }
    }
}
