extension AVCaptureDevice {
    /// The camera that the user chose last of those that are connected; nil where there is no camera.
    ///
    /// Where the user never chose it is the default camera. Setting nil changes nothing.
    /// - Note: Unlike Apple, the choice lasts as long as the process.
    public class var userPreferredCamera: AVCaptureDevice? {
        get { DeviceRegistry.current.userPreferredCamera ?? bestCamera }
        set {
            guard let newValue else { return }
            DeviceRegistry.current.prefer(newValue)
        }
    }

    /// The camera that suits best now: the user's choice unless it is suspended, else the default one.
    public class var systemPreferredCamera: AVCaptureDevice? {
        if let chosen = DeviceRegistry.current.userPreferredCamera, !chosen.isSuspended { return chosen }
        return bestCamera
    }

    /// The default camera, or where that is suspended one that is not.
    private static var bestCamera: AVCaptureDevice? {
        let cameras = DeviceRegistry.current.devices.filter { $0.hasMediaType(.video) }
        let standard = `default`(for: .video)
        return [standard].compactMap { $0 }.first { !$0.isSuspended } ?? cameras.first { !$0.isSuspended } ?? standard
            ?? cameras.first
    }
}
