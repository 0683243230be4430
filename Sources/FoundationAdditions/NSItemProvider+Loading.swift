import Dispatch
public import Foundation
import MediaTypes
import Synchronization
public import UniformTypeIdentifiers

extension NSItemProvider {
    /// Writes a file of the item and removes it, through the storage of its owner.
    package struct FileWriter: Sendable {
        /// Writes the file, or the folder of a type with several files, into an existing folder and returns its location.
        let write: @Sendable (_ folder: URL) throws -> URL
        /// Removes what was written, unless the client has moved it.
        let remove: @Sendable (URL) -> Void

        package init(
            write: @escaping @Sendable (_ folder: URL) throws -> URL, remove: @escaping @Sendable (URL) -> Void
        ) {
            (self.write, self.remove) = (write, remove)
        }
    }

    // MARK: Data

    /// Loads the item as data of the first registered type that conforms to a type.
    ///
    /// - Parameter completionHandler: Runs once, with the data or an error.
    /// - Returns: Progress with which the client can cancel the load; the error is then `CocoaError.userCancelled`.
    @preconcurrency @discardableResult
    public func loadDataRepresentation(
        forTypeIdentifier typeIdentifier: String, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        start { progress in
            self.loadData(typeIdentifier) { result in
                switch Self.complete(progress, result) {
                case .success(let data): completionHandler(data, nil)
                case .failure(let error): completionHandler(nil, error)
                }
            }
        }
    }

    private func loadData(_ typeIdentifier: String, then end: @escaping @Sendable (Result<Data, any Error>) -> Void) {
        guard let representation = representation(conformingTo: typeIdentifier) else {
            return end(.failure(missing(typeIdentifier)))
        }
        switch representation.loader {
        case .data(let load):
            _ = load { data, error in end(Self.result(data, error)) }
        case .file, .written:
            loadFile(representation) { result in
                end(
                    result.flatMap { url in
                        Result { try Data(contentsOf: url) }.mapError { error in
                            Self.isFolder(url)
                                ? Self.error(
                                    .unavailableCoercionError,
                                    "\(representation.typeIdentifier) is a folder of files and has no data")
                                : error
                        }
                    })
            }
        }
    }

    private static func result<Value>(_ value: Value?, _ error: (any Error)?) -> Result<Value, any Error> {
        value.map { .success($0) }
            ?? .failure(error ?? Self.error(.unknownError, "the load handler returned neither an item nor an error"))
    }

    private func missing(_ typeIdentifier: String) -> NSError {
        Self.error(
            .itemUnavailableError,
            "the item has no representation of the type \(typeIdentifier), only of: "
                + registeredTypeIdentifiers.joined(separator: ", "))
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    // MARK: Files

    /// Loads the item as a file of the first registered type that conforms to a type.
    ///
    /// - Parameter completionHandler: Runs once, with the file or an error. The file is temporary: it is removed when the
    ///   handler returns, so that the handler moves or copies it.
    /// - Returns: Progress with which the client can cancel the load; the error is then `CocoaError.userCancelled`.
    @preconcurrency @discardableResult
    public func loadFileRepresentation(
        forTypeIdentifier typeIdentifier: String, completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> Progress {
        loadInPlaceFileRepresentation(forTypeIdentifier: typeIdentifier) { url, _, error in
            completionHandler(url, error)
        }
    }

    /// Loads the item as a file. It is never used in place: the flag of the handler is false, and the file is removed as
    /// by `loadFileRepresentation`.
    @preconcurrency @discardableResult
    public func loadInPlaceFileRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
    ) -> Progress {
        start { progress in
            guard let representation = self.representation(conformingTo: typeIdentifier) else {
                return completionHandler(nil, false, self.missing(typeIdentifier))
            }
            self.loadFile(representation) { result in
                switch Self.complete(progress, result) {
                case .success(let url): completionHandler(url, false, nil)
                case .failure(let error): completionHandler(nil, false, error)
                }
            }
        }
    }

    /// Loads the item as a file that is removed when `end` returns.
    private func loadFile(
        _ representation: Representation, then end: @escaping @Sendable (Result<URL, any Error>) -> Void
    ) {
        switch representation.loader {
        case .data(let load):
            _ = load { data, error in
                self.withTemporaryFile(Self.result(data, error), end) { data, folder in
                    let url = self.location(in: folder, of: representation.typeIdentifier)
                    try data.write(to: url)
                    return url
                }
            }
        case .file(let load):
            _ = load { source, _, error in
                self.withTemporaryFile(Self.result(source, error), end) { source, folder in
                    let url = folder.appendingPathComponent(source.lastPathComponent)
                    try FileManager.default.copyItem(at: source, to: url)
                    return url
                }
            }
        case .written(let writer):
            withTemporaryFile(.success(writer), end) { writer, folder in
                try writer.write(folder)
            } remove: { writer, url in
                writer.remove(url)
            }
        }
    }

    /// Creates a file in a new temporary folder, calls `end`, and removes the folder.
    private func withTemporaryFile<Item>(
        _ item: Result<Item, any Error>, _ end: (Result<URL, any Error>) -> Void, create: (Item, URL) throws -> URL,
        remove: (Item, URL) -> Void = { _, _ in }
    ) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(Self.nextFolderName())
        // The system eventually deletes temporary files that cannot be removed here.
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            let item = try item.get()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let url = try create(item, folder)
            defer { remove(item, url) }
            end(.success(url))
        } catch {
            end(.failure(error))
        }
    }

    private static let lastFolder = Atomic(0)

    /// Returns a name that no other temporary folder has: running processes have different identifiers.
    private static func nextFolderName() -> String {
        let number = lastFolder.wrappingAdd(1, ordering: .relaxed).newValue
        return "obscura-item-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
    }

    private func location(in folder: URL, of typeIdentifier: String) -> URL {
        let url = folder.appendingPathComponent(suggestedName ?? "item")
        return UTType(typeIdentifier).map { url.appendingPathExtension(for: $0) } ?? url
    }

    // MARK: Objects

    /// Whether the item has a type from which an object of a class can be created.
    public func canLoadObject(ofClass aClass: any NSItemProviderReading.Type) -> Bool {
        objectLoader(of: aClass) != nil || readableType(of: aClass) != nil
    }

    /// Loads the item as an object of a class.
    ///
    /// - Parameter completionHandler: Runs once, with the object or an error.
    /// - Returns: Progress with which the client can cancel the load; the error is then `CocoaError.userCancelled`.
    @preconcurrency @discardableResult
    public func loadObject(
        ofClass aClass: any NSItemProviderReading.Type,
        completionHandler: @escaping @Sendable ((any NSItemProviderReading)?, (any Error)?) -> Void
    ) -> Progress {
        start { progress in
            let end: @Sendable (() throws -> any NSItemProviderReading) -> Void = { create in
                progress.completedUnitCount = 1
                do {
                    guard !progress.isCancelled else { throw CocoaError(.userCancelled) }
                    completionHandler(try create(), nil)
                } catch {
                    completionHandler(nil, error)
                }
            }
            if let load = self.objectLoader(of: aClass) { return end(load) }
            guard let type = self.readableType(of: aClass) else {
                return end {
                    throw Self.error(
                        .unavailableCoercionError,
                        "no \(aClass) can be created from: \(self.registeredTypeIdentifiers.joined(separator: ", "))")
                }
            }
            self.loadData(type) { result in
                end { try aClass.object(withItemProviderData: result.get(), typeIdentifier: type) }
            }
        }
    }

    /// Returns the type of the item from which an object of a class can be created; nil if there is none.
    private func readableType(of aClass: any NSItemProviderReading.Type) -> String? {
        let readable = aClass.readableTypeIdentifiersForItemProvider
        return registeredTypeIdentifiers.first { type in readable.contains { Self.conforms(type, to: $0) } }
    }

    // MARK: Loads

    /// Completes the progress of a load, and returns its result: an error if the client has cancelled it.
    private static func complete<Value>(
        _ progress: Progress, _ result: Result<Value, any Error>
    ) -> Result<Value, any Error> {
        progress.completedUnitCount = 1
        return progress.isCancelled ? .failure(CocoaError(.userCancelled)) : result
    }

    /// Runs a load on the queue of the provider.
    private func start(_ load: @escaping @Sendable (Progress) -> Void) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        queue.async { load(progress) }
        return progress
    }
}

extension NSItemProvider {
    /// The types of the item, the best one first.
    public var registeredContentTypes: [UTType] { registeredTypeIdentifiers.compactMap { UTType($0) } }

    /// Returns the types of the item that conform to a type, the best one first.
    public func registeredContentTypes(conformingTo contentType: UTType) -> [UTType] {
        registeredContentTypes.filter { $0.conforms(to: contentType) }
    }

    /// Loads the item as data, like `loadDataRepresentation(forTypeIdentifier:completionHandler:)`.
    @preconcurrency @discardableResult
    public func loadDataRepresentation(
        for contentType: UTType, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        loadDataRepresentation(forTypeIdentifier: contentType.identifier, completionHandler: completionHandler)
    }

    /// Loads the item as a file, like `loadInPlaceFileRepresentation(forTypeIdentifier:completionHandler:)`.
    @preconcurrency @discardableResult
    public func loadFileRepresentation(
        for contentType: UTType, openInPlace: Bool = false,
        completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
    ) -> Progress {
        loadInPlaceFileRepresentation(forTypeIdentifier: contentType.identifier, completionHandler: completionHandler)
    }
}
