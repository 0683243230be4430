import CaptureHAL
import MediaTypes

/// The photos that the library finishes in the background.
struct UnfinishedPhotos: Sendable {
    /// Whether a timer runs that finishes the next photo.
    var isScheduled = false
    /// The assets whose photos could not be finished. They are tried again when the library is opened again.
    var failed: Set<String> = []
}

extension PHPhotoLibrary {
    /// The time from a change to the end of the processing of a photo, and between two photos.
    private static let processingTime = CMTime(value: 1, timescale: 1)

    /// Finishes the photos whose proxies the library contains, one after the other, on the worker. Called after each
    /// change: the proxies can also be those of a process that ended before it finished them.
    func finishPhotosLater(in store: LibraryStore) {
        guard nextUnfinishedAsset(in: store) != nil else { return }
        let starts = state.withLock { state in
            defer { state.unfinished.isScheduled = true }
            return !state.unfinished.isScheduled
        }
        guard starts else { return }
        clock.schedule(at: clock.now + Self.processingTime) { [weak self] in
            guard let self else { return }
            worker.submit { [weak self] in self?.finishNextPhoto(in: store) }
        }
    }

    private func nextUnfinishedAsset(in store: LibraryStore) -> String? {
        let (isAvailable, failed) = state.withLock { ($0.isAvailable, $0.unfinished.failed) }
        // If the index cannot be read now, the next change finds the proxies.
        return isAvailable ? (try? store.unfinishedAssets())?.first { !failed.contains($0) } : nil
    }

    private func finishNextPhoto(in store: LibraryStore) {
        state.withLock { $0.unfinished.isScheduled = false }
        guard let identifier = nextUnfinishedAsset(in: store) else { return }
        do throws(PHPhotosError) {
            let outcome = try apply([.finishPhoto(localIdentifier: identifier)], reserved: [], in: store)
            CaptureLog.write(.library, .info, clock, "finished the photo of \(identifier)")
            notify(outcome)
        } catch {
            state.withLock { _ = $0.unfinished.failed.insert(identifier) }
            CaptureLog.write(.library, .error, clock, error.message)
        }
        finishPhotosLater(in: store)
    }
}
