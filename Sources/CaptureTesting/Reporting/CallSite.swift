import Foundation
import Runtime

/// The place in the code of an app or test from which the package was called.
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
    /// It needs debug information, which SwiftPM builds by default in both configurations. Optimized code can lack the
    /// frames of functions that were inlined or that end with the call.
    /// - Returns: nil if there is none. It reads the debug information of the program, which takes some milliseconds.
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
    private static let ownFolders: [String] = {
        // Sources/CaptureTesting/Reporting/CallSite.swift
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return ["Sources", "SimDevices"].map { root.appendingPathComponent($0, isDirectory: true).path + "/" }
    }()

    /// Whether a file contains code of an app or test; the standard library was built in folders that do not exist here.
    private static func isClientCode(_ path: String) -> Bool {
        !ownFolders.contains { path.hasPrefix($0) } && !path.contains("DiscoveredTests.derived/")
            && !path.contains("/swift-generated-sources/") && FileManager.default.fileExists(atPath: path)
    }
}
