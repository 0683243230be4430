import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// The table of `obscura devices`.
struct DeviceTable {
    let table: TextTable

    private static let header = ["ID", "NAME", "POSITION", "KIND", "SIZES AND RATES"]
    /// The largest number of sizes that are listed individually; of more, only the smallest and the largest are listed.
    private static let listedSizeCount = 3

    /// Creates the table of some devices.
    ///
    /// - Parameter columns: The width of the output in characters; nil if it is not limited.
    init(_ devices: [AVCaptureDevice], columns: Int?) {
        let rows =
            [Self.header]
            + devices.map { device in
                let descriptor = device.hardware.descriptor
                return [
                    device.uniqueID, device.localizedName,
                    descriptor.position == .unspecified ? "-" : descriptor.position.rawValue, descriptor.kind.shortName,
                    Self.formats(of: device),
                ]
            }
        table = TextTable(rows, columns: columns) { row in row.dropFirst().filter { $0 != "-" }.joined(separator: ", ")
        }
    }

    /// Returns a summary of all formats of a device: `640x480 to 1920x1080, 5-30 fps`.
    private static func formats(of device: AVCaptureDevice) -> String {
        var parts: [String] = []
        var sizes: [String: CMVideoDimensions] = [:]
        var audio: [AudioStreamFormat] = []
        for format in device.formats {
            switch format.stream {
            case .video(let video): sizes["\(video.dimensions.width)x\(video.dimensions.height)"] = video.dimensions
            case .audio(let stream): audio.append(stream)
            }
        }
        let names = sizes.sorted { ($0.value.pixelCount, $0.value.width) < ($1.value.pixelCount, $1.value.width) }
            .map(\.key)
        if let smallest = names.first, let largest = names.last {
            parts.append(
                names.count <= listedSizeCount ? names.joined(separator: ", ") : "\(smallest) to \(largest)")
            parts.append("\(FrameRateRanges(of: device.formats)) fps")
        }
        if !audio.isEmpty {
            let rates = Set(audio.map(\.sampleRate)).sorted().map(plainNumber).joined(separator: ", ")
            let channels = Set(audio.map(\.channelCount)).sorted().map { "\($0)" }.joined(separator: ", ")
            parts.append("\(rates) Hz, \(channels) \(channels == "1" ? "channel" : "channels")")
        }
        if device.formats.contains(where: { !$0.supportedDepthDataFormats.isEmpty }) { parts.append("depth") }
        return parts.joined(separator: ", ")
    }
}

extension CMVideoDimensions {
    fileprivate var pixelCount: Int64 { Int64(width) * Int64(height) }
}
