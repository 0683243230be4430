/// The order in which a thread acquires the locks that it holds at the same time.
///
/// A thread that holds a lock may acquire only locks of later cases, so two locks of the same case are never held
/// together. Debug builds check each acquisition (`HeldLocks`). A violation stops the program with a message that names
/// both locks.
///
/// A lock is a `leaf` unless other locks are acquired while it is held. They are only acquired if an operation must run
/// only once, or on one thread at a time, and needs locks of other objects; opening a device is an example. All other
/// code makes decisions while it holds the lock and acts on them after the release.
///
/// One mutex is not a `Lock` and is not checked: the worker of a virtual clock holds a recursive mutex while it runs
/// deferred work, such as the end of a recording. Its position is after `sessionDevices`, because a session that stops
/// submits such work, and the work does not start or stop devices.
package typealias LockOrder = _LockOrder

/// The definition of `LockOrder`, public because inlined code uses it.
// swift-format-ignore: NoLeadingUnderscores
public enum _LockOrder: Int, Sendable, CaseIterable {
    /// Locks of programs and tests that call the package while they hold the lock.
    case client

    // Creation of shared objects, once.
    /// Held while a backend creates the capture system of the process.
    case processSystem
    /// `PHPhotoLibrary` and `AssetRows`: held while the library is opened, or a fetch is performed.
    case photoLibraryOpening

    // Sessions and devices.
    /// `AVCaptureSession`: held while the devices of a session start and stop.
    case sessionDevices
    /// `AVCaptureDevice`: held while the device is opened or closed.
    case deviceOpening
    /// `TraceRecorder`: held while a recording device is created for a device.
    case deviceWrapping
    /// `SimStream`: held while one frame is generated.
    case frameGeneration
    /// The state of a host or device: `TraceHost`, `V4L2Camera` and `ALSAMicrophone`.
    case device
    /// The streams of an open device: `DeviceStreams`, and the state of `OpenTraceDevice`.
    case openDevice
    /// The state of a stream: `SimStream`, `MediaFileStream` and `RecordingStream`.
    case stream
    /// The state of an `AVCaptureSession`: a connection is not changed while a configuration is committed.
    case session

    // Objects that read the state of other objects to make a decision.
    /// `AVAssetWriter`: reads the options of its inputs.
    case assetWriter
    /// `AVAssetImageGenerator`, `VideoFrameLoader` and `SoundSource`: held while one thread decodes.
    case imageGenerator
    /// `AVCapturePhotoOutput`: creates settings with unique identifiers.
    case photoOutput
    /// `AVCaptureDepthDataOutput`: held while one thread filters.
    case depthFiltering
    /// The scenes of simulated worlds, each created once.
    case scene
    /// `CaptureSystem`: held while a component is created.
    case systemComponents
    /// `CMTimebase`: held while timers are scheduled.
    case timebaseScheduling

    /// The default: only locks of the later cases are acquired while the lock is held.
    case leaf

    /// `V4L2BufferSet`: acquired when a client releases a frame, which may happen while any other lock is held. It is
    /// held while the driver queues the buffer.
    case driverBuffers

    /// Locks that may be acquired while any other lock is held, for example in `deinit` when a reference is released:
    /// buffers and their pools, observers, clocks, files, and the orientation sensor.
    case primitive
}
