import CaptureHAL
public import Foundation
public import MediaTypes

/// An object detected in a frame.
///
/// Detectors, such as `AVCaptureMetadataOutput`, create objects in device coordinates; layers and outputs transform
/// them to layer coordinates and output coordinates.
open class AVMetadataObject: NSObject, @unchecked Sendable {
    // SAFETY: immutable, subclasses included.
    /// The type of the object.
    public let type: ObjectType
    /// The time of the frame, on the session's clock.
    public let time: CMTime
    /// The duration of the frame; invalid if unknown.
    public let duration: CMTime
    /// The bounding box: (0,0) … (1,1) of the unrotated frame, or the coordinates into which it was transformed.
    public let bounds: CGRect
    /// Identifies the object while it is tracked; -1 for objects that are not tracked, such as codes.
    public let objectID: Int
    /// Identifies the objects that belong together, such as the face and the body of a person; -1 if unknown.
    ///
    /// - Note: Unlike Apple, it is always -1, since only faces and codes are detected.
    public var groupID: Int { -1 }
    /// How a recording with Cinematic video focuses on the object.
    ///
    /// - Note: It is always `none`, since no backend supports Cinematic video.
    public var cinematicVideoFocusMode: AVCaptureDevice.CinematicVideoFocusMode { .none }
    /// Whether the object represents a fixed focus in Cinematic video; always false, as in other recordings.
    public var isFixedFocus: Bool { false }
    /// The port of the frame; it does not retain its input.
    private let source: AVCaptureInput.Port?

    /// The properties that all objects have.
    package struct Detection: Sendable {
        /// The time of the frame.
        package var time: CMTime
        /// The duration of the frame; invalid if unknown.
        package var duration: CMTime
        /// The bounding box in normalized coordinates of the unrotated frame.
        package var bounds: CGRect
        /// The port of the frame.
        package var port: AVCaptureInput.Port?

        /// Creates the properties.
        package init(time: CMTime, duration: CMTime = .invalid, bounds: CGRect, port: AVCaptureInput.Port?) {
            self.time = time
            self.duration = duration
            self.bounds = bounds
            self.port = port
        }
    }

    /// Creates an object.
    package init(_ type: ObjectType, _ detection: Detection, objectID: Int = -1) {
        self.type = type
        self.objectID = objectID
        time = detection.time
        duration = detection.duration
        bounds = detection.bounds
        source = detection.port
    }

    /// Whether the object was detected in the frames of the connection's input.
    package func originatesFrom(_ connection: AVCaptureConnection) -> Bool {
        guard let input = source?.ownerIfAlive else { return false }
        return connection.inputPorts.contains { $0.ownerIfAlive === input }
    }

    /// Returns the object in other coordinates.
    package func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        AVMetadataObject(type, detection(in: geometry), objectID: objectID)
    }

    /// Returns the properties in other coordinates.
    func detection(in geometry: FrameGeometry) -> Detection {
        Detection(
            time: time, duration: duration, bounds: bounds.applying(geometry.fromDevice), port: source)
    }
}

extension AVMetadataObject {
    /// A type of object that can be detected.
    public struct ObjectType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let face = ObjectType(rawValue: "face")
        public static let humanBody = ObjectType(rawValue: "humanBody")
        public static let humanFullBody = ObjectType(rawValue: "humanFullBody")
        public static let catBody = ObjectType(rawValue: "catBody")
        public static let catHead = ObjectType(rawValue: "catHead")
        public static let dogBody = ObjectType(rawValue: "dogBody")
        public static let dogHead = ObjectType(rawValue: "dogHead")
        public static let salientObject = ObjectType(rawValue: "salientObject")
        /// The subject of autofocus tracking, which no backend supports.
        public static let focusTrackedObject = ObjectType(rawValue: "focusTrackedObject")
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
