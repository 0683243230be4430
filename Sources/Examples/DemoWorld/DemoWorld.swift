public import AVFoundation
public import CaptureSimulation
public import Photos

/// An error that ends a demo.
public struct DemoFailure: Error, CustomStringConvertible {
    public let description: String

    /// Creates a failure with a message for the user.
    public init(_ description: String) { self.description = description }
}

/// The devices, the clock and the results folder of a demo. The devices are simulated and run in virtual time, or
/// `OBSCURA_BACKEND` selects other ones, such as those of the machine, which run in real time.
///
/// - Important: Confined to the main thread.
public struct DemoWorld {
    /// The simulated system; nil with other devices.
    public let simulated: SimulatedSystem?
    /// The folder of the results.
    public let folder: URL

    /// Whether demos use a simulated system: `OBSCURA_BACKEND` is absent, empty or `sim`.
    public static var isSimulated: Bool { ["", "sim"].contains(backend) }

    private static var backend: String { ProcessInfo.processInfo.environment["OBSCURA_BACKEND"] ?? "" }

    /// Creates the system, and the folder if it does not exist. Results of an earlier run are removed.
    ///
    /// - Parameters:
    ///   - results: The names of the files that the demo writes.
    ///   - makeSystem: Creates the simulated system, whose devices the app then uses.
    public init(
        folder path: String, results: [String], _ makeSystem: () throws -> SimulatedSystem = { try SimulatedSystem() }
    ) throws {
        try self.init(folder: path, results: results, in: Self.isSimulated ? makeSystem() : nil)
    }

    /// Uses the devices of the process in real time, and creates the folder if it does not exist. Results of an earlier
    /// run are removed.
    public init(realTimeIn folder: String, results: [String]) throws {
        try self.init(folder: folder, results: results, in: nil)
    }

    private init(folder path: String, results: [String], in simulated: SimulatedSystem?) throws {
        self.simulated = simulated
        folder = URL(fileURLWithPath: path, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in results where FileManager.default.fileExists(atPath: url(of: name).path) {
            try FileManager.default.removeItem(at: url(of: name))
        }
        if AVCaptureDevice.default(for: .video) == nil {
            let backend = Self.backend.isEmpty ? "not set" : Self.backend
            throw DemoFailure("there is no camera (OBSCURA_BACKEND is \(backend))")
        }
    }

    /// Returns the URL of a result.
    public func url(of name: String) -> URL { folder.appendingPathComponent(name) }

    /// Advances virtual time in a simulated system; otherwise waits in real time.
    public func wait(seconds: Double) {
        if let simulated { return simulated.advance(by: .seconds(seconds)) }
        RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds))
    }

    /// Advances or waits until a condition is true, for at most ten seconds of virtual time or a minute of real time.
    ///
    /// - Parameter what: The event, for the message of the `DemoFailure` if it does not occur.
    public func wait(for what: String, until condition: () -> Bool) throws {
        // In real time, encoding can be slow on a small machine.
        let seconds = simulated == nil ? 60.0 : 10
        if let simulated {
            simulated.advance(until: condition, limit: .seconds(seconds))
        } else {
            let end = Date(timeIntervalSinceNow: seconds)
            while !condition(), end.timeIntervalSinceNow > 0 {
                RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02))
            }
        }
        guard condition() else { throw DemoFailure("\(what): nothing happened in \(Int(seconds)) s") }
    }

    /// Writes an image as a PNG file.
    public func write(_ image: CGImage?, to name: String) throws {
        guard let image,
            let file = CGImageDestinationCreateWithURL(url(of: name), "public.png", 1, nil)
        else { throw DemoFailure("\(name): there is no image") }
        CGImageDestinationAddImage(file, image, nil)
        guard CGImageDestinationFinalize(file) else { throw DemoFailure("\(name) cannot be written") }
    }

    /// Copies the newest photo or movie of the library to a result.
    public func exportNewest(_ type: PHAssetMediaType, to name: String) throws {
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        guard let asset = PHAsset.fetchAssets(with: type, options: options).lastObject,
            let resource = PHAssetResource.assetResources(for: asset).first
        else { throw DemoFailure("\(name) is not in the library") }
        let outcome = DemoResult<Result<Void, any Error>>()
        PHAssetResourceManager.default().writeData(for: resource, toFile: url(of: name), options: nil) { error in
            outcome.value = error.map { .failure($0) } ?? .success(())
        }
        try wait(for: name) { outcome.value != nil }
        try outcome.value?.get()
    }

    /// Runs a demo and ends the process: with status 0, or with status 1 after printing the error.
    public static func run(_ body: () throws -> Void) -> Never {
        do {
            try body()
            exit(0)
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }
}

/// A value that callbacks on any thread set.
public final class DemoResult<Value>: @unchecked Sendable {
    // SAFETY: the value is behind a lock.
    private let lock = NSLock()
    private var stored: Value?

    /// Creates a result without a value.
    public init() {}

    /// The last value; nil before the first.
    public var value: Value? {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }
}
