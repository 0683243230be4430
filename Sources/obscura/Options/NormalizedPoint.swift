import ArgumentParser
import Foundation

/// A point of a frame on the command line, from `0,0` (top left) to `1,1` (bottom right).
struct NormalizedPoint: CustomStringConvertible {
    let x: Double
    let y: Double

    init(_ point: CGPoint) { (x, y) = (Double(point.x), Double(point.y)) }

    /// Parses a point.
    ///
    /// - Throws: `ValidationError` with the expected form.
    init(argument: String) throws {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let x = parts[0], let y = parts[1], (0...1).contains(x), (0...1).contains(y) else {
            throw ValidationError("\"\(argument)\" is not a point; write x,y, each from 0 to 1, such as 0.5,0.3")
        }
        (self.x, self.y) = (x, y)
    }

    var description: String { "\(plainNumber(x)),\(plainNumber(y))" }

    /// Returns whether a device has accepted the point, within its rounding.
    func isNear(_ point: CGPoint) -> Bool { abs(Double(point.x) - x) <= 0.02 && abs(Double(point.y) - y) <= 0.02 }
}
