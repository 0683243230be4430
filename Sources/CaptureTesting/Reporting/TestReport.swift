import CaptureSimulation
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import SimDevices

/// The folder with the report of a failed test: event logs, last frames and files of its simulated systems.
struct TestReport {
    /// The folder of the report. Its parent is the folder that `OBSCURA_REPORTS` names or, if the variable is not set,
    /// `obscura-reports` in the temporary folder.
    let folder: URL

    /// The folder that the environment variable `OBSCURA_REPORTS` names, which contains the reports of all tests; nil
    /// if the variable is not set or is empty.
    static var namedFolder: URL? {
        let path = ProcessInfo.processInfo.environment["OBSCURA_REPORTS"] ?? ""
        return path.isEmpty ? nil : URL(fileURLWithPath: path, isDirectory: true)
    }

    /// The name of the test.
    let name: String
    /// Warnings about faults of the app that raise no exception, such as a delegate that was released.
    let warnings: [String]

    /// Creates a report of a test, without writing it.
    init(test name: String, warnings: [String] = []) {
        self.name = name
        self.warnings = warnings
        let base =
            Self.namedFolder
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("obscura-reports", isDirectory: true)
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "._-"))
        let words = name.components(separatedBy: allowed.inverted).filter { !$0.isEmpty }
        var folderName = words.joined(separator: "-")
        if folderName.utf8.count > 120 {
            // The FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo) distinguishes long names with the same prefix.
            let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            folderName = "\(folderName.prefix(100))-\(String(hash, radix: 16))"
        }
        folder = base.appendingPathComponent(folderName, isDirectory: true)
    }

    /// The warnings of the test, and the sentence that names the folder, for the message of a failure.
    var message: String {
        warnings.map { "Warning: \($0). " }.joined()
            + "The event log, the last frames and the files of the test are in \(folder.path)"
    }

    /// Writes the report of closed systems and replaces the report of an earlier run of the test.
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
            #if Everything || Scenarios
            try writePage(of: record, to: folder)
            #endif
            try moveFiles(of: record, in: folder)
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
    private func moveFiles(of record: SystemRecord, in folder: URL) throws {
        guard let files = record.closedFolder else { return }
        let target = folder.appendingPathComponent("files", isDirectory: true)
        do {
            try FileManager.default.moveItem(at: files, to: target)
        } catch {
            // Moving fails if the target is in another file system.
            try FileManager.default.copyItem(at: files, to: target)
            try FileManager.default.removeItem(at: files)
        }
    }
}
