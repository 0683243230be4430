import CaptureHAL
import Foundation

extension PHPhotoLibrary {
    /// Runs a change block, then makes all the changes that it asked for, or none.
    ///
    /// Changes are made in the order of the calls. Where the user has not been asked for consent, that comes first.
    /// - Parameters:
    ///   - changeBlock: Makes change requests; runs on a serial queue of the library's.
    ///   - completionHandler: Runs once, on the same queue, after the change observers, with a `PHPhotosError` where
    ///     nothing was changed.
    @preconcurrency
    public func performChanges(
        _ changeBlock: @escaping @Sendable () -> Void,
        completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
    ) {
        let work: @Sendable () -> Void = { [worker] in
            worker.submit {
                do throws(PHPhotosError) {
                    try self.makeChanges(changeBlock)
                    completionHandler?(true, nil)
                } catch {
                    completionHandler?(false, error)
                }
            }
        }
        if status(for: .addOnly) == .notDetermined {
            authorization.request(.photoLibraryAdditions) { _ in work() }
        } else {
            work()
        }
    }

    /// As above, and waits for the end.
    ///
    /// - Throws: `PHPhotosError`; nothing was changed then.
    @preconcurrency
    public func performChanges(_ changeBlock: @escaping @Sendable () -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            performChanges(changeBlock) { _, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Runs a change block on this thread and makes its changes before it returns.
    ///
    /// - Throws: `PHPhotosError`; nothing was changed then.
    /// - Note: Unlike Apple, the user is not asked for consent meanwhile: without it the changes are refused.
    public func performChangesAndWait(_ changeBlock: () -> Void) throws {
        try makeChanges(changeBlock)
    }

    private func makeChanges(_ changeBlock: () -> Void) throws(PHPhotosError) {
        if ChangeBlock.current != nil {
            misuse.report(.internalInconsistency, "changes cannot be made from inside of a change block")
            throw PHPhotosError(.operationInterrupted, "changes cannot be made from inside of a change block")
        }
        try requireConsent(to: .addOnly)
        let block = ChangeBlock(in: self)
        // The block may be on a thread that is not of its system: what it fetches must come from this library.
        let changes = system?.run { block.run(changeBlock) } ?? block.run(changeBlock)
        let store = try self.store()
        let outcome: ChangeOutcome
        do throws(PHPhotosError) {
            if let failure = block.failure { throw failure }
            if !changes.allSatisfy(\.onlyAdds) { try requireConsent(to: .readWrite) }
            outcome = try store.apply(changes, reserved: block.reserved, at: clock.date(at: clock.now))
        } catch {
            store.release(block.reserved)
            throw error
        }
        notify(outcome)
    }

    private func requireConsent(to accessLevel: PHAccessLevel) throws(PHPhotosError) {
        let what = accessLevel == .addOnly ? "add to" : "change"
        switch status(for: accessLevel) {
        case .authorized, .limited: return
        case .restricted: throw PHPhotosError(.accessRestricted, "this program may not \(what) the photo library")
        case .denied, .notDetermined:
            throw PHPhotosError(.accessUserDenied, "the user has not allowed to \(what) the photo library")
        }
    }
}
