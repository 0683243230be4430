package import CaptureHAL
package import Foundation
import MediaAssets
package import MediaTypes
import Synchronization

/// A call of an app's delegate, or of its completion handler, by an output; or a change of a camera that an app observes.
package enum DelegateCall: Sendable {
    case didOutputVideo(CMSampleBuffer, from: AVCaptureConnection)
    case didDropVideo(CMSampleBuffer, from: AVCaptureConnection)
    case didOutputAudio(CMSampleBuffer)
    case didStartRecording(URL)
    case didPauseRecording(URL)
    case didResumeRecording(URL)
    case didFinishRecording(URL, (any Error)?)
    /// The number is the `uniqueID` of the photo's settings.
    case willBeginPhoto(Int64)
    case willCapturePhoto(Int64)
    case didProcessPhoto(Int64, AVCapturePhoto, (any Error)?)
    case didFinishPhoto(Int64, (any Error)?)
    /// A still image output was asked for an image.
    case willCaptureStillImage(StillImage)
    /// A still image output calls its completion handler; the data are those of a JPEG file, nil for other forms.
    case didCaptureStillImage(StillImage, Data?, (any Error)?)
    /// The system pressure on a camera that a session uses has changed.
    case didChangeSystemPressure(String, SystemPressure)

    /// An image of a still image output.
    package struct StillImage: Sendable, Hashable {
        let output: ObjectIdentifier
        let number: Int
    }
}

/// The calls of delegates in a capture system, for those who log what happens to an app.
///
/// Handlers run directly before the delegate, on its queue; a late frame of a busy delegate is no call.
/// - Important: Thread-safe.
package final class DelegateCalls: Sendable {
    private let observers = Observers<DelegateCall>()
    /// Without observers, calls cost nothing and no lock is taken.
    private let isObserved = Atomic(false)

    /// The calls in a system.
    package static func of(_ system: CaptureSystem) -> DelegateCalls {
        system.component(DelegateCalls.self) { DelegateCalls() }
    }

    /// Calls a handler from now on, until the token is cancelled or released.
    package func observe(_ handler: @escaping @Sendable (DelegateCall) -> Void) -> ObserverToken {
        isObserved.store(true, ordering: .releasing)
        return observers.add(handler)
    }

    func report(_ call: @autoclosure () -> DelegateCall) {
        if isObserved.load(ordering: .acquiring) { observers.notify(call()) }
    }
}
