import Dispatch
public import Foundation
import MediaTypes
import UniformTypeIdentifiers

/// A provider of one item in one or more types, each as data or as a file.
///
/// - Note: Unlike Apple, items do not leave the process, so that `NSItemProviderRepresentationVisibility` and file
///   options have no effect.
/// - Important: Thread-safe. Load handlers and completion handlers run on a serial queue of the provider, unless a load
///   handler calls its completion on another thread.
public final class NSItemProvider: NSObject, Sendable {
    /// Receives the data of the item, or an error.
    public typealias DataCompletion = @Sendable (Data?, (any Error)?) -> Void
    /// Receives the file of the item, whether it is used in place, and an error.
    public typealias FileCompletion = @Sendable (URL?, Bool, (any Error)?) -> Void

    /// A form of the item.
    struct Representation: Sendable {
        enum Loader: Sendable {
            case data(@Sendable (@escaping DataCompletion) -> Progress?)
            case file(@Sendable (@escaping FileCompletion) -> Progress?)
            case written(FileWriter)
        }

        let typeIdentifier: String
        let loader: Loader
    }

    private struct State {
        var representations: [Representation] = []
        /// The functions that create objects without data, by their classes.
        var objects: [ObjectIdentifier: @Sendable () throws -> any NSItemProviderReading] = [:]
        var suggestedName: String?
    }

    private let state = Lock(State())
    let queue = DispatchQueue(label: "NSItemProvider")

    /// Creates a provider without an item; register its representations.
    public override init() { super.init() }

    /// Creates a provider of a file, with the type of its extension; nil if the file does not exist.
    public init?(contentsOf fileURL: URL!) {
        guard let fileURL, FileManager.default.fileExists(atPath: fileURL.path) else { return nil }
        super.init()
        suggestedName = fileURL.deletingPathExtension().lastPathComponent
        let type = UTType(filenameExtension: fileURL.pathExtension) ?? .data
        registerFileRepresentation(forTypeIdentifier: type.identifier, fileOptions: [], visibility: .all) {
            completion in
            completion(fileURL, false, nil)
            return nil
        }
    }

    /// The name for the file of the item, without extension.
    public var suggestedName: String? {
        get { state.withLock { $0.suggestedName } }
        set { state.withLock { $0.suggestedName = newValue } }
    }

    // MARK: Types

    /// The types of the item, in the order of their registration: the best one first.
    public var registeredTypeIdentifiers: [String] { representations.map(\.typeIdentifier) }

    var representations: [Representation] { state.withLock { $0.representations } }

    /// Whether a type of the item is the given type, or conforms to it.
    public func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
        representation(conformingTo: typeIdentifier) != nil
    }

    /// Returns the first form with a type that conforms to another; nil if there is none.
    func representation(conformingTo typeIdentifier: String) -> Representation? {
        representations.first { Self.conforms($0.typeIdentifier, to: typeIdentifier) }
    }

    static func conforms(_ typeIdentifier: String, to other: String) -> Bool {
        guard let type = UTType(typeIdentifier), let other = UTType(other) else { return false }
        return type.conforms(to: other)
    }

    // MARK: Registration

    /// Registers the item as data of a type.
    ///
    /// - Parameter loadHandler: Runs at each load. It calls its completion with the data, or with an error.
    @preconcurrency
    public func registerDataRepresentation(
        forTypeIdentifier typeIdentifier: String, visibility: NSItemProviderRepresentationVisibility,
        loadHandler: @escaping @Sendable (@escaping DataCompletion) -> Progress?
    ) {
        register(typeIdentifier, .data(loadHandler))
    }

    /// Registers the item as a file of a type.
    ///
    /// - Parameter loadHandler: Runs at each load. It calls its completion with the file, which is copied before the
    ///   completion returns, or with an error.
    @preconcurrency
    public func registerFileRepresentation(
        forTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions,
        visibility: NSItemProviderRepresentationVisibility,
        loadHandler: @escaping @Sendable (@escaping FileCompletion) -> Progress?
    ) {
        register(typeIdentifier, .file(loadHandler))
    }

    /// Registers the item as a file that is written at each load.
    package func registerFile(forTypeIdentifier typeIdentifier: String, writer: FileWriter) {
        register(typeIdentifier, .written(writer))
    }

    /// Registers a function that creates the item as an object of a class without data.
    package func registerObject<Object: NSItemProviderReading>(
        ofClass: Object.Type, load: @escaping @Sendable () throws -> Object
    ) {
        state.withLock { $0.objects[ObjectIdentifier(ofClass)] = load }
    }

    private func register(_ typeIdentifier: String, _ loader: Representation.Loader) {
        let representation = Representation(typeIdentifier: typeIdentifier, loader: loader)
        state.withLock { $0.representations.append(representation) }
    }

    /// Returns the function that creates an object of a class without data; nil if there is none.
    func objectLoader(
        of objectClass: any NSItemProviderReading.Type
    ) -> (@Sendable () throws -> any NSItemProviderReading)? {
        state.withLock { $0.objects[ObjectIdentifier(objectClass)] }
    }
}

/// Which processes can see a representation. Has no effect.
public enum NSItemProviderRepresentationVisibility: Int, Sendable, Hashable {
    case all = 0
    case team = 1
    case group = 2
    case ownProcess = 3
}

/// How a file is provided. Has no effect: clients receive copies.
public struct NSItemProviderFileOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let openInPlace = NSItemProviderFileOptions(rawValue: 1 << 0)
}

extension NSItemProvider {
    /// The domain of the errors of loads.
    public static let errorDomain = "NSItemProviderErrorDomain"

    /// The codes of the errors of loads.
    public enum ErrorCode: Int, Sendable, Hashable {
        case unknownError = -1
        /// The item does not have the requested type.
        case itemUnavailableError = -1000
        case unexpectedValueClassError = -1100
        /// The item has no form that can be converted to the requested one.
        case unavailableCoercionError = -1200
    }

    static func error(_ code: ErrorCode, _ message: String) -> NSError {
        NSError(domain: errorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: message])
    }
}
