package import KeyValueObserving

extension KeyPathTable {
    fileprivate static let capture = devices + session + outputs
}

/// A base class of this module with observable properties.
package protocol CaptureKeyPaths: KeyPathTableProviding {}

extension CaptureKeyPaths {
    package static var keyPathTables: [KeyPathTable] { KeyPathTable.capture }
}

extension AVCaptureConnection: CaptureKeyPaths {}
extension AVCaptureControl: CaptureKeyPaths {}
extension AVCaptureDataOutputSynchronizer: CaptureKeyPaths {}
extension AVCaptureDevice: CaptureKeyPaths {}
extension AVCaptureDevice.DiscoverySession: CaptureKeyPaths {}
extension AVCaptureDevice.SystemPressureState: CaptureKeyPaths {}
extension AVCaptureInput: CaptureKeyPaths {}
extension AVCaptureInput.Port: CaptureKeyPaths {}
extension AVCaptureOutput: CaptureKeyPaths {}
extension AVCapturePhotoOutputReadinessCoordinator: CaptureKeyPaths {}
extension AVCaptureSession: CaptureKeyPaths {}
extension AVCaptureSmartFramingMonitor: CaptureKeyPaths {}
extension AVCaptureTimecodeGenerator: CaptureKeyPaths {}
