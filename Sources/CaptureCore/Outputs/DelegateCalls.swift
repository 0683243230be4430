package import CaptureHAL
package import Foundation
package import MediaTypes
import Synchronization

/// A call of a delegate or completion handler of the app, or a change of a camera that the app can observe.
///
/// A URL is the URL of the recorded file; an integer is the `uniqueID` of the photo's settings.
package enum DelegateCall: Sendable {
    case didOutputVideo(CMSampleBuffer, from: AVCaptureConnection)
    case didDropVideo(CMSampleBuffer, from: AVCaptureConnection)
    case didOutputAudio(CMSampleBuffer)
    case didStartRecording(URL)
    case didPauseRecording(URL)
    case didResumeRecording(URL)
    case didFinishRecording(URL, (any Error)?)
    case willBeginPhoto(Int64)
    case willCapturePhoto(Int64)
    case didProcessPhoto(Int64, AVCapturePhoto, (any Error)?)
    /// No more media are added to the movie of a Live Photo.
    case didRecordLivePhoto(Int64, URL)
    /// The movie of a Live Photo is written. The times are its duration and the time of the photo in the movie.
    case didProcessLivePhoto(Int64, URL, duration: CMTime, displayTime: CMTime, (any Error)?)
    case didFinishPhoto(Int64, (any Error)?)
    /// The app requested an image from a still image output.
    case willCaptureStillImage(StillImage)
    /// A still image output calls the completion handler. The data are a JPEG file; nil for uncompressed images.
    case didCaptureStillImage(StillImage, Data?, (any Error)?)
    /// The system pressure on a camera that a session uses has changed. The string is the camera's `uniqueID`.
    case didChangeSystemPressure(String, SystemPressure)

    /// An image of a still image output.
    package struct StillImage: Sendable, Hashable {
        let output: ObjectIdentifier
        let number: Int
    }
}

/// Reports the calls of delegates in a capture system, for event logs.
///
/// Observers of a call run on its queue, directly before the call; observers of the other events run on the thread of
/// the event. A frame that is dropped because its delegate is busy is not reported.
/// - Important: Thread-safe.
package final class DelegateCalls: Sendable {
    private let observers = Observers<DelegateCall>()
    /// Whether there have been observers. Read for each call without acquiring a lock.
    private let isObserved = Atomic(false)

    /// Returns the object that reports the calls in a system.
    package static func of(_ system: CaptureSystem) -> DelegateCalls {
        system.component(DelegateCalls.self) { DelegateCalls() }
    }

    /// Passes each call to a handler, until the token is cancelled or released.
    package func observe(_ handler: @escaping @Sendable (DelegateCall) -> Void) -> ObserverToken {
        isObserved.store(true, ordering: .releasing)
        return observers.add(handler)
    }

    func report(_ call: @autoclosure () -> DelegateCall) {
        if isObserved.load(ordering: .acquiring) { observers.notify(call()) }
    }
}
