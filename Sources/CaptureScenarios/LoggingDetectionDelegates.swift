import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels

/// Logs the objects that a metadata output detects. Adds an event only if types, face IDs or texts have changed.
final class LoggingMetadataDelegate: AVCaptureMetadataOutputObjectsDelegate {
    /// The types by their names in scenario files and logs.
    static let types: [(name: String, value: AVMetadataObject.ObjectType)] = [
        ("face", .face), ("aztec", .aztec), ("codabar", .codabar), ("code-39", .code39),
        ("code-39-mod-43", .code39Mod43), ("code-93", .code93), ("code-128", .code128),
        ("data-matrix", .dataMatrix), ("ean-8", .ean8), ("ean-13", .ean13),
        ("interleaved-2-of-5", .interleaved2of5), ("itf-14", .itf14), ("pdf-417", .pdf417), ("qr", .qr),
        ("upce", .upce),
    ]

    private let log: EventLog
    private let camera: String?
    private let lastObjects = Lock<[String]>([])

    /// Creates a delegate.
    ///
    /// - Parameter camera: The ID of the camera in a session with several cameras; nil otherwise.
    init(log: EventLog, camera: String?) { (self.log, self.camera) = (log, camera) }

    func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
        from connection: AVCaptureConnection
    ) {
        let objects = metadataObjects.map(Self.text).sorted()
        let hasChanged = lastObjects.withLock { last in
            defer { last = objects }
            return last != objects
        }
        guard hasChanged else { return }
        log.note("metadata " + EventLog.prefix(camera) + (objects.isEmpty ? "none" : objects.joined(separator: ", ")))
    }

    /// Returns the type of an object, with the ID of a face or the text of a code.
    private static func text(_ object: AVMetadataObject) -> String {
        let type = types.first { $0.value == object.type }?.name ?? object.type.rawValue
        switch object {
        case let face as AVMetadataFaceObject: return "\(type) \(face.faceID)"
        case let code as AVMetadataMachineReadableCodeObject: return "\(type) \(code.stringValue ?? "without text")"
        default: return type
        }
    }
}

/// Logs the depth maps of a depth data output.
final class LoggingDepthDelegate: AVCaptureDepthDataOutputDelegate {
    private let log: EventLog
    private let camera: String?

    /// Creates a delegate.
    ///
    /// - Parameter camera: The ID of the camera in a session with several cameras; nil otherwise.
    init(log: EventLog, camera: String?) { (self.log, self.camera) = (log, camera) }

    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
        connection: AVCaptureConnection
    ) {
        log.note("depth \(EventLog.prefix(camera))\(Self.text(depthData))")
    }

    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime,
        connection: AVCaptureConnection, reason: AVCaptureOutput.DataDroppedReason
    ) {
        log.note("depth dropped \(EventLog.prefix(camera))\(reason)")
    }

    /// Returns the size of a depth map in pixels and a checksum of its values, without the padding of rows.
    static func text(_ depth: AVDepthData) -> String {
        let map = depth.depthDataMap
        let (width, height) = (CVPixelBufferGetWidth(map), CVPixelBufferGetHeight(map))
        let format = CVPixelBufferGetPixelFormatType(map)
        let isHalf = format == kCVPixelFormatType_DepthFloat16 || format == kCVPixelFormatType_DisparityFloat16
        CVPixelBufferLockBaseAddress(map, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(map, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddress(map) else { return "\(width)x\(height) without values" }
        var values = Data()
        for row in 0..<height {
            values.append(
                Data(bytes: base + row * CVPixelBufferGetBytesPerRow(map), count: width * (isHalf ? 2 : 4)))
        }
        return "\(width)x\(height) \(values.withUnsafeBytes { PixelChecksum($0) })"
    }
}
