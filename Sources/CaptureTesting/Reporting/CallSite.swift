import CaptureSimulation
import Foundation

/// The location in the code of an app or test that called this package.
struct CallSite: Sendable {
    /// The call stack of the thread that called.
    private let stack = CallStack()

    /// Finds the innermost line that belongs neither to this package nor to the system; see `CallStack.lines()`.
    ///
    /// - Returns: The line; nil if there is none.
    func line() -> CallStack.Line? { stack.lines().first { Self.isClientCode($0.path) } }

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
        // Debug information of C and of optimized code has paths in the folder of the build, which is the current one.
        let path = URL(fileURLWithPath: path).path
        return !packageFolders.contains { path.hasPrefix($0) } && !path.contains("DiscoveredTests.derived/")
            && !path.contains("/swift-generated-sources/") && FileManager.default.fileExists(atPath: path)
    }
}
