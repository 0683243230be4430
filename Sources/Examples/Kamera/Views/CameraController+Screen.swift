/// The screen uses the controller through this protocol.
extension CameraController: CameraControls {}
