import CaptureHAL
import Foundation

extension PHPhotoLibrary {
    /// Runs a change block, then applies all requested changes, or none if an error occurs.
    ///
    /// Changes are applied in the order of the calls. If the authorization status is not determined, the user is asked
    /// first.
    /// - Parameters:
    ///   - changeBlock: A block that creates change requests. It runs on a serial queue of the library.
    ///   - completionHandler: Runs once, on the same queue, after the change observers. If the changes fail, its error
    ///     is a `PHPhotosError`.
    @preconcurrency
    public func performChanges(
        _ changeBlock: @escaping @Sendable () -> Void,
        completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
    ) {
        let work: @Sendable () -> Void = { [worker] in
            worker.submit {
                var failure: PHPhotosError?
                do throws(PHPhotosError) {
                    try self.applyChanges(changeBlock)
                } catch {
                    failure = error
                }
                guard let completionHandler else { return }
                self.system.run { completionHandler(failure == nil, failure) }
            }
        }
        if status(for: .addOnly) == .notDetermined {
            authorization.request(.photoLibraryAdditions) { _ in work() }
        } else {
            work()
        }
    }

    /// Runs a change block and waits until the requested changes are applied.
    ///
    /// - Throws: `PHPhotosError` if the changes fail. Nothing is changed in this case.
    @preconcurrency
    public func performChanges(_ changeBlock: @escaping @Sendable () -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            performChanges(changeBlock) { _, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Runs a change block on the current thread and applies the requested changes before it returns.
    ///
    /// - Throws: `PHPhotosError` if the changes fail. Nothing is changed in this case.
    /// - Note: Unlike Apple, the user is not asked for authorization: without it the changes are refused.
    public func performChangesAndWait(_ changeBlock: () -> Void) throws {
        try applyChanges(changeBlock)
    }

    /// Runs a change block of the user or another app, regardless of the authorization of the app.
    ///
    /// - Throws: `PHPhotosError` if the changes fail. Nothing is changed in this case.
    package func performUserChanges(_ changeBlock: () -> Void) throws {
        try applyChanges(asUser: true, changeBlock)
    }

    private func applyChanges(asUser: Bool = false, _ changeBlock: () -> Void) throws(PHPhotosError) {
        if ChangeBlock.current != nil {
            misuse.report(.internalInconsistency, "changes cannot be performed inside a change block")
            throw PHPhotosError(.operationInterrupted, "changes cannot be performed inside a change block")
        }
        if !asUser { try requireAuthorization(to: .addOnly) }
        let block = ChangeBlock(in: self)
        // The block may run on a thread of another system, but its fetches must use this library.
        var changes: [PendingChange] = []
        system.run { changes = block.run(changeBlock) }
        let store = try self.store()
        let outcome: ChangeOutcome
        do throws(PHPhotosError) {
            if let failure = block.failure { throw failure }
            if !asUser, !changes.allSatisfy(\.onlyAdds) { try requireAuthorization(to: .readWrite) }
            outcome = try apply(changes, reserved: block.reserved, in: store)
        } catch {
            store.release(block.reserved)
            CaptureLog.write(.library, .error, clock, "a change failed and was undone: \(error.message)")
            if error.code == .libraryVolumeOffline { notifyUnavailable() }
            throw error
        }
        CaptureLog.write(
            .library, .info, clock,
            "\(outcome.inserted.count) inserted, \(outcome.updated.count) updated, \(outcome.deleted.count) deleted")
        if !asUser { selectCreated(outcome.inserted) }
        notify(outcome)
        finishPhotosLater(in: store)
    }

    /// Applies changes, and records that they need not be reported as changes of another process.
    func apply(
        _ changes: [PendingChange], reserved: [String], in store: LibraryStore
    ) throws(PHPhotosError) -> ChangeOutcome {
        state.withLock { $0.reported.pendingCount += 1 }
        var number: Int64?
        defer {
            state.withLock { state in
                state.reported.pendingCount -= 1
                state.reported.appliedCount += 1
                if let number, state.hasObservers { state.reported.own.insert(number) }
            }
        }
        listUnlistedResults()
        let outcome = try store.apply(changes, reserved: reserved, at: clock.date(at: clock.now))
        number = outcome.change
        return outcome
    }

    private func requireAuthorization(to accessLevel: PHAccessLevel) throws(PHPhotosError) {
        let action = accessLevel == .addOnly ? "add to" : "change"
        switch status(for: accessLevel) {
        case .authorized, .limited: return
        case .restricted:
            throw PHPhotosError(.accessRestricted, "this program is not permitted to \(action) the photo library")
        case .denied, .notDetermined:
            throw PHPhotosError(
                .accessUserDenied, "the user has not allowed this program to \(action) the photo library")
        }
    }
}
