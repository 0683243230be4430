import ArgumentParser
import MediaTypes

/// A length of time on the command line: `10s`, `1.5s`, `250ms`, `2min` or `1h`.
struct Seconds: CustomStringConvertible {
    let time: CMTime

    init(time: CMTime) { self.time = time }

    /// - Throws: `ValidationError` with what would be right.
    init(argument: String) throws {
        let units: [(suffix: String, nanoseconds: Double)] = [("ms", 1e6), ("min", 60e9), ("s", 1e9), ("h", 3600e9)]
        let forms = "a number with a unit, as 10s, 250ms, 2min or 1h"
        guard let unit = units.first(where: { argument.hasSuffix($0.suffix) }),
            let number = Double(argument.dropLast(unit.suffix.count)), number.isFinite
        else { throw ValidationError("a length of time is \(forms)") }
        guard number >= 0 else { throw ValidationError("a length of time is positive: \(forms)") }
        guard number * unit.nanoseconds < 1e18 else {
            throw ValidationError("a length of time is less than 30 years: \(forms)")
        }
        time = CMTime(value: Int64((number * unit.nanoseconds).rounded()), timescale: 1_000_000_000)
    }

    var description: String { "\(plainNumber(time.seconds))s" }

    /// Refuses a recording of no time.
    static func requireSome(_ duration: Seconds?) throws {
        if let duration, duration.time <= .zero { throw ValidationError("--duration must be longer than nothing") }
    }
}

/// A picture size on the command line: `1920x1080`.
struct PictureSize: Hashable {
    let width: Int32
    let height: Int32

    /// - Throws: `ValidationError` with what would be right.
    init(argument: String) throws {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int32($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else {
            throw ValidationError("a size is a width and a height, as 1920x1080")
        }
        self.width = width
        self.height = height
    }
}
