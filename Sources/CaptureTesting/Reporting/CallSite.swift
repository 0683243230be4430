import Foundation
import Runtime

/// The location in the code of an app or test that called this package.
struct CallSite: Sendable {
    /// A function with a line of its source file.
    struct Line: Sendable {
        let function: String
        let path: String
        let number: Int
    }

    private let backtrace: Backtrace?

    /// Captures the call stack of the current thread.
    init() { backtrace = try? Backtrace.capture() }

    /// Finds the innermost line that belongs neither to this package nor to the system.
    ///
    /// Requires debug information, which SwiftPM generates by default in both configurations. Reading it takes a few
    /// milliseconds. Optimized code can lack the frames of functions that were inlined or that end with the call.
    ///
    /// - Returns: The line; nil if there is none.
    func line() -> Line? {
        guard let frames = backtrace?.symbolicated()?.frames else { return nil }
        for frame in frames {
            guard let symbol = frame.symbol, let source = symbol.sourceLocation, source.line > 0,
                Self.isClientCode(source.path)
            else { continue }
            return Line(function: symbol.name, path: source.path, number: source.line)
        }
        return nil
    }

    /// The folders of the sources of this package.
    private static let packageFolders: [String] = {
        // This file is Sources/CaptureTesting/Reporting/CallSite.swift.
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return ["Sources", "SimDevices"].map { root.appendingPathComponent($0, isDirectory: true).path + "/" }
    }()

    /// Returns whether a file contains code of an app or test. The source files of the standard library do not exist on
    /// this machine.
    private static func isClientCode(_ path: String) -> Bool {
        !packageFolders.contains { path.hasPrefix($0) } && !path.contains("DiscoveredTests.derived/")
            && !path.contains("/swift-generated-sources/") && FileManager.default.fileExists(atPath: path)
    }
}
