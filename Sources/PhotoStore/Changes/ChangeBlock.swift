import Foundation

/// What one change block asks for, in order.
final class ChangeBlock: @unchecked Sendable {
    // SAFETY: it is used on the thread that runs the block, and by nobody else before the block has returned.
    @TaskLocal static var current: ChangeBlock?

    let library: PHPhotoLibrary
    private var requests: [() -> PendingChange] = []
    /// The identifiers of what the block creates, in order.
    private(set) var reserved: [String] = []
    /// Why an identifier could not be had: the block's changes cannot be made.
    private(set) var failure: PHPhotosError?

    init(in library: PHPhotoLibrary) {
        self.library = library
    }

    /// Runs `body` and gives the changes that it asked for, each as its request stands at the end.
    func run(_ body: () -> Void) -> [PendingChange] {
        Self.$current.withValue(self) { body() }
        return requests.map { $0() }
    }

    /// The identifier of an object that the block creates; nobody else gets the same.
    ///
    /// - Returns: Nothing of use where `failure` is set.
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

    /// - Parameter change: Asked when the block has ended.
    func add(_ change: @escaping () -> PendingChange) {
        requests.append(change)
    }

    /// The block that runs here; where none does, that is reported as misuse.
    static func expected(for method: String) -> ChangeBlock? {
        if current == nil {
            PHPhotoLibrary.shared().misuse.report(
                .internalInconsistency,
                "\(method) can only be called from inside of -[PHPhotoLibrary performChanges:completionHandler:]"
                    + " or -[PHPhotoLibrary performChangesAndWait:error:]")
        }
        return current
    }
}
