import CaptureSimulation
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import SimDevices

/// The folder with the evidence of a failed test: event logs, last frames and files of its simulated systems.
struct TestReport {
    /// The folder, in `OBSCURA_REPORTS` if that is set, else in `obscura-reports` of the temporary folder.
    let folder: URL

    /// The folder for the reports of all tests that `OBSCURA_REPORTS` names; nil if it is not set.
    static var namedFolder: URL? {
        let path = ProcessInfo.processInfo.environment["OBSCURA_REPORTS"] ?? ""
        return path.isEmpty ? nil : URL(fileURLWithPath: path, isDirectory: true)
    }

    /// Creates a report of a test, without writing it.
    init(test name: String) {
        let base =
            Self.namedFolder
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("obscura-reports", isDirectory: true)
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "._-"))
        let words = name.components(separatedBy: allowed.inverted).filter { !$0.isEmpty }
        var folderName = words.joined(separator: "-")
        if folderName.utf8.count > 120 {
            // FNV-1a (G. Fowler, L. Noll, K.-P. Vo) distinguishes long names that begin equally.
            let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            folderName = "\(folderName.prefix(100))-\(String(hash, radix: 16))"
        }
        folder = base.appendingPathComponent(folderName, isDirectory: true)
    }

    /// The sentence of a failure that names the folder.
    var message: String { "The event log, the last frames and the files of the test are in \(folder.path)" }

    /// Writes the report of closed systems. It replaces that of an earlier run of the test.
    ///
    /// - Throws: Errors of the file system.
    func write(_ records: [SystemRecord]) throws {
        if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
        for (index, record) in records.enumerated() {
            let folder =
                records.count == 1
                ? folder : folder.appendingPathComponent("system-\(index + 1)", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let lines = ["# \(record.summary)"] + record.events
            try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: folder.appendingPathComponent("events.log"))
            for frame in record.frames { try write(frame, to: folder) }
            try keepFiles(of: record, in: folder)
        }
    }

    private func write(_ frame: StreamHistory.Frame, to folder: URL) throws {
        let name = "\(frame.deviceID)-\(frame.sequenceNumber)"
        switch frame.payload {
        case .pixels(let pixels):
            try PNGCodec().encode(pixels).write(to: folder.appendingPathComponent("\(name).png"))
        case .compressed(let data, let codec):
            let suffix = codec == kCMVideoCodecType_JPEG ? "jpg" : "bin"
            try data.dataBytes().write(to: folder.appendingPathComponent("\(name).\(suffix)"))
        }
    }

    /// Moves the files of a closed system into the report.
    private func keepFiles(of record: SystemRecord, in folder: URL) throws {
        guard let files = record.closedFolder else { return }
        let target = folder.appendingPathComponent("files", isDirectory: true)
        do {
            try FileManager.default.moveItem(at: files, to: target)
        } catch {
            // In another file system.
            try FileManager.default.copyItem(at: files, to: target)
            try FileManager.default.removeItem(at: files)
        }
    }
}
