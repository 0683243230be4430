import AVFoundation

/// Detects faces and reads codes in the frames of a session.
public final class MetadataReader: NSObject, @unchecked Sendable {
    // SAFETY: the results are used on the main thread; the output is a constant.
    private static let types: [AVMetadataObject.ObjectType] = [.face, .qr, .ean13, .ean8, .upce, .code128]

    /// The texts of the visible codes.
    public private(set) var codes: [String] = []
    /// The bounds of the visible faces in unrotated frames of the camera, between 0 and 1.
    public private(set) var faces: [CGRect] = []
    let output = AVCaptureMetadataOutput()

    public override init() {
        super.init()
        output.setMetadataObjectsDelegate(self, queue: .main)
    }

    /// Selects the types that the camera of the session supports.
    func selectTypes() {
        let available = output.availableMetadataObjectTypes
        output.metadataObjectTypes = Self.types.filter { available.contains($0) }
    }
}

extension MetadataReader: AVCaptureMetadataOutputObjectsDelegate {
    /// Stores the texts of codes and the bounds of faces.
    public func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection
    ) {
        codes = metadataObjects.compactMap { ($0 as? AVMetadataMachineReadableCodeObject)?.stringValue }
        faces = metadataObjects.filter { $0.type == .face }.map(\.bounds)
    }
}
