/// The screen uses the controller by the protocol.
extension CameraController: CameraControls {}
