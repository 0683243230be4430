import CaptureHAL
public import Foundation
public import MediaTypes

/// Something that was seen in a picture.
///
/// Detectors make them, as those of `AVCaptureMetadataOutput`, and layers and outputs carry them from the camera's
/// coordinates into their own.
open class AVMetadataObject: NSObject, @unchecked Sendable {
    // SAFETY: constant; what a subclass adds is, too.
    /// The kind of thing.
    public let type: ObjectType
    /// The time of the picture, on the session's clock.
    public let time: CMTime
    /// How long it stands for; invalid where unknown.
    public let duration: CMTime
    /// Where it is: (0,0) … (1,1) of the unrotated picture, or the coordinates into which it was transformed.
    public let bounds: CGRect
    /// The port of the picture; it keeps nothing of its input alive.
    private let source: AVCaptureInput.Port?

    /// What all objects have.
    package struct Sighting: Sendable {
        package var time: CMTime
        package var duration: CMTime
        package var bounds: CGRect
        package var port: AVCaptureInput.Port?

        package init(time: CMTime, duration: CMTime = .invalid, bounds: CGRect, port: AVCaptureInput.Port?) {
            self.time = time
            self.duration = duration
            self.bounds = bounds
            self.port = port
        }
    }

    package init(_ type: ObjectType, _ sighting: Sighting) {
        self.type = type
        time = sighting.time
        duration = sighting.duration
        bounds = sighting.bounds
        source = sighting.port
    }

    /// Whether it was seen by the input that a connection comes from.
    func isFrom(_ connection: AVCaptureConnection) -> Bool {
        guard let input = source?.ownerIfAlive else { return false }
        return connection.inputPorts.contains { $0.ownerIfAlive === input }
    }

    /// The same in other coordinates.
    func transformed(by geometry: PictureGeometry) -> AVMetadataObject {
        AVMetadataObject(type, sighting(in: geometry))
    }

    func sighting(in geometry: PictureGeometry) -> Sighting {
        Sighting(
            time: time, duration: duration, bounds: bounds.applying(geometry.fromDevice), port: source)
    }
}

extension AVMetadataObject {
    /// A kind of thing that can be seen.
    public struct ObjectType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let face = ObjectType(rawValue: "face")
        public static let humanBody = ObjectType(rawValue: "humanBody")
        public static let catBody = ObjectType(rawValue: "catBody")
        public static let dogBody = ObjectType(rawValue: "dogBody")
        public static let salientObject = ObjectType(rawValue: "salientObject")
        public static let aztec = ObjectType(rawValue: "org.iso.Aztec")
        public static let codabar = ObjectType(rawValue: "Codabar")
        public static let code39 = ObjectType(rawValue: "org.iso.Code39")
        public static let code39Mod43 = ObjectType(rawValue: "org.iso.Code39Mod43")
        public static let code93 = ObjectType(rawValue: "com.intermec.Code93")
        public static let code128 = ObjectType(rawValue: "org.iso.Code128")
        public static let dataMatrix = ObjectType(rawValue: "org.iso.DataMatrix")
        public static let ean8 = ObjectType(rawValue: "org.gs1.EAN-8")
        public static let ean13 = ObjectType(rawValue: "org.gs1.EAN-13")
        public static let gs1DataBar = ObjectType(rawValue: "GS1DataBar")
        public static let gs1DataBarExpanded = ObjectType(rawValue: "GS1DataBarExpanded")
        public static let gs1DataBarLimited = ObjectType(rawValue: "GS1DataBarLimited")
        public static let interleaved2of5 = ObjectType(rawValue: "org.ansi.Interleaved2of5")
        public static let itf14 = ObjectType(rawValue: "org.gs1.ITF14")
        public static let microPDF417 = ObjectType(rawValue: "MicroPDF417")
        public static let microQR = ObjectType(rawValue: "MicroQR")
        public static let pdf417 = ObjectType(rawValue: "org.iso.PDF417")
        public static let qr = ObjectType(rawValue: "org.iso.QRCode")
        public static let upce = ObjectType(rawValue: "org.gs1.UPC-E")
    }
}
