import Foundation

/// The changes requested by a change block, in order.
final class ChangeBlock: @unchecked Sendable {
    // SAFETY: only the thread that runs the block uses it until the block has returned.
    @TaskLocal static var current: ChangeBlock?

    let library: PHPhotoLibrary
    private var requests: [() -> PendingChange] = []
    /// The identifiers of the objects that the block creates, in order.
    private(set) var reserved: [String] = []
    /// Why an identifier could not be reserved. The block's changes then fail.
    private(set) var failure: PHPhotosError?

    init(in library: PHPhotoLibrary) {
        self.library = library
    }

    /// Runs `body` and returns the requested changes in their final state.
    func run(_ body: () -> Void) -> [PendingChange] {
        Self.$current.withValue(self) { body() }
        return requests.map { $0() }
    }

    /// Creates and reserves the identifier of a new object.
    ///
    /// - Returns: An empty string if reserving failed; `failure` is then set.
    func makeIdentifier(of kind: PHPhotoLibrary.ObjectKind) -> String {
        do throws(PHPhotosError) {
            let identifier = try library.makeIdentifier(of: kind)
            reserved.append(identifier)
            return identifier
        } catch {
            failure = failure ?? error
            return ""
        }
    }

    /// Adds a request.
    ///
    /// - Parameter change: Returns the requested change. Called after the block has returned.
    func add(_ change: @escaping () -> PendingChange) {
        requests.append(change)
    }

    /// Returns the current change block. Reports misuse of `method` if there is none.
    static func current(for method: String) -> ChangeBlock? {
        if current == nil {
            PHPhotoLibrary.shared().misuse.report(
                .internalInconsistency,
                "\(method) can only be called from inside of -[PHPhotoLibrary performChanges:completionHandler:]"
                    + " or -[PHPhotoLibrary performChangesAndWait:error:]")
        }
        return current
    }

    /// Returns the current change block. Reports misuse of `method` and returns nil if there is none, or if an object
    /// belongs to another library.
    static func current(for method: String, using objects: [PHObject]) -> ChangeBlock? {
        guard let block = current(for: method), block.accepts(objects, method) else { return nil }
        return block
    }

    /// Whether all objects belong to the library of the block. Reports misuse of `method` otherwise.
    func accepts(_ objects: [PHObject], _ method: String) -> Bool {
        let messages = objects.lazy.compactMap { [library] object -> String? in
            guard let owner = (object as? PHAsset)?.library ?? (object as? PHCollection)?.library else {
                return nil
            }
            return library.system.rejectionReason(
                joining: "the \(type(of: object))", of: owner.system, to: "the change block")
        }
        guard let message = messages.first else { return true }
        library.misuse.report(.invalidArgument, "\(method) \(message)")
        return false
    }
}
