/// The order in which a thread acquires the locks that it holds together.
///
/// This is the only definition of the lock order. A thread that holds a lock may acquire only locks of later cases, so
/// that two locks of one case are never held together. Debug builds check each acquisition (`HeldLocks`) and stop with
/// the names of both locks.
///
/// A lock is a `leaf` unless its critical section needs another lock. That is the case if an operation must happen once
/// or by one thread at a time and takes locks of other objects, such as opening a device. All other code decides under
/// the lock and acts after its release.
///
/// One mutex is not of type `Lock`, and no build checks it: the worker of a virtual clock has a recursive one, held
/// while deferred work runs, such as the end of a recording. It comes after `sessionDevices`, because a session that
/// stops submits such work, and the work starts and stops no device.
package typealias LockOrder = _LockOrder

/// The definition of `LockOrder`, public because inlined code uses it.
// swift-format-ignore: NoLeadingUnderscores
public enum _LockOrder: Int, Sendable, CaseIterable {
    /// Locks of programs and tests that call the package while they hold them.
    case client

    // Creation of shared objects, once.
    /// `ProcessSystem.making`: held while a backend creates the system of the process.
    case processSystem
    /// `PHPhotoLibrary.opening`: held while the library is opened.
    case photoLibraryOpening

    // Sessions and devices.
    /// `AVCaptureSession.devices`: held while the devices of a session start and stop.
    case sessionDevices
    /// `AVCaptureDevice.opened`: held while the device opens and closes.
    case deviceOpening
    /// `TraceRecorder.wrapping`: held while a recording device is created for a device.
    case deviceWrapping
    /// Held while one frame is created and delivered: `SimStream.generatorRun`.
    case frameDelivery
    /// The state of a host or device: `TraceHost.state`, `V4L2Camera.state`, `ALSAMicrophone.state`.
    case device
    /// The streams of an open device: `stream` of `SimCamera`, `SimMicrophone` and `SimVirtualCamera`,
    /// `OpenMediaFile.state`, `OpenTraceDevice.state`.
    case openDevice
    /// The state of a stream: `SimStream.state`, `MediaFileStream.state`, `RecordingStream.state`.
    case stream
    /// `AVCaptureSession.state`: a setting of a connection and a commit exclude each other.
    case session

    // Objects that need the state of another one for a decision.
    /// `AVAssetWriter.state`: reads the options of its inputs.
    case assetWriter
    /// `AVAssetImageGenerator.renderer`, `VideoFrameLoader.state` and `SoundSource.state`: one thread at a time decodes.
    case imageGenerator
    /// `AVCapturePhotoOutput.state`: creates settings with identifiers of their own.
    case photoOutput
    /// `SampleSynchronizer.state`: fills the outbox in the order of the decisions.
    case synchronizer
    /// `AVCaptureDepthDataOutput.filtering`: one thread at a time filters.
    case depthFiltering
    /// The scenes of simulated worlds, each created once.
    case scene
    /// `CaptureSystem.components`: held while a component is created.
    case systemComponents
    /// `CMTimebase.scheduling`: held while timers are scheduled.
    case timebaseScheduling

    /// The default: no other lock is acquired except primitive ones.
    case leaf

    /// `V4L2BufferSet.state`: acquired when a client releases a frame, which may happen inside any critical section;
    /// it is held while the driver queues the buffer.
    case driverBuffers

    /// Locks that code acquires without a call to their owner, because a reference is released, or inside any critical
    /// section: storage of buffers and their pools, observations, the time of a clock, files, the orientation sensor.
    case primitive
}
