import ArgumentParser
import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// `obscura devices`.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "Lists cameras and microphones.",
        discussion: "Prints a line for each device. --formats and --json list all formats.")

    @OptionGroup var options: SystemOptions
    @Flag(help: "List all formats of each device. (default: off)") var formats = false
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    private struct Listing: Encodable {
        struct Device: Encodable {
            var id: String
            var name: String
            var type: String
            var position: String
            var media: [String]
            /// The IDs of the constituent cameras of a virtual camera.
            var constituents: [String]?
            /// The zoom factors from which each constituent but the first is used.
            var switchOverZoomFactors: [Double]?
            var formats: [String]
            /// The depth formats; nil if the camera measures no depth.
            var depthFormats: [String]?
        }

        var backend: String
        var devices: [Device]
    }

    /// Describes the constituents of a virtual camera: `a, from zoom 2 on b`.
    private func describe(_ ids: [String], _ device: Listing.Device) -> String {
        let rest = zip(ids.dropFirst(), device.switchOverZoomFactors ?? []).map {
            ", from zoom \(plainNumber($1)) on \($0)"
        }
        return ids[0] + rest.joined()
    }

    /// Returns the distinct depth formats of all formats; nil if there are none.
    private func depthFormats(of device: AVCaptureDevice) -> [String]? {
        var found: [String] = []
        for format in device.formats.flatMap(\.supportedDepthDataFormats) where !found.contains(format.summary) {
            found.append(format.summary)
        }
        return found.isEmpty ? nil : found
    }

    private func describe(_ devices: [AVCaptureDevice]) -> [Listing.Device] {
        devices.map { device in
            let descriptor = device.hardware.descriptor
            return Listing.Device(
                id: device.uniqueID, name: device.localizedName, type: descriptor.kind.rawValue,
                position: descriptor.position.rawValue, media: descriptor.media.map(\.rawValue).sorted(),
                constituents: device.isVirtualDevice ? descriptor.constituentIDs : nil,
                switchOverZoomFactors: device.isVirtualDevice ? descriptor.switchOverZoomFactors : nil,
                formats: device.formats.map(\.summary), depthFormats: depthFormats(of: device))
        }
    }

    func run() throws {
        let command = try options.bootstrap()
        let devices = try options.selectedDevices()
        if json { return try printJSON(Listing(backend: command.backend.description, devices: describe(devices))) }
        if devices.isEmpty {
            return try printLine("there are no devices on the backend \(command.backend)\(command.missingDeviceAdvice)")
        }
        if !formats {
            return try DeviceTable(devices, columns: outputColumns).table.print()
        }
        for device in describe(devices) {
            try printLine("\(device.id)  \(device.name) (\(device.type), \(device.media.joined(separator: " and ")))")
            if let constituents = device.constituents { try printLine("    \(describe(constituents, device))") }
            for format in device.formats { try printLine("    \(format)") }
            for format in device.depthFormats ?? [] { try printLine("    depth \(format)") }
        }
    }
}

extension AVCaptureDevice.Format {
    /// The format as a short text: `1920x1080 420v 1-60 fps`.
    var summary: String {
        switch stream {
        case .video(let video):
            let code =
                switch video.encoding {
                case .pixels(let code), .compressed(let code):
                    fourCharacterText(code).trimmingCharacters(in: CharacterSet(charactersIn: "'"))
                }
            return "\(video.dimensions.width)x\(video.dimensions.height) \(code) \(FrameRateRanges(of: [self])) fps"
        case .audio(let audio):
            let channels = audio.channelCount == 1 ? "1 channel" : "\(audio.channelCount) channels"
            return "\(plainNumber(audio.sampleRate)) Hz, \(channels), \(audio.sample.rawValue)"
        }
    }
}
