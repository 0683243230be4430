import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import RecordedDevices

final class TraceReadingTests: XCTestCase {
    private func record(_ folder: URL, storage: any CaptureStorage = DiskStorage(), finishing: Bool = true) throws {
        let clock = SimClock()
        let recorder = try TraceRecorder(
            SimHost(scene: .grey, clock: clock), to: folder, clock: clock, storage: storage)
        let client = TraceClient(recorder, clock)
        let camera = try XCTUnwrap(client.open(SimHost.camera))
        let microphone = try XCTUnwrap(client.open(SimHost.microphone))
        let stream = try XCTUnwrap(client.stream(camera, SimHost.camera))
        let audioStream = try XCTUnwrap(client.stream(microphone, SimHost.microphone))
        client.start(stream, "video")
        client.start(audioStream, "audio")
        clock.advance(by: .milliseconds(300))
        camera.close()
        microphone.close()
        if finishing { try recorder.finish() }
    }

    private func index(_ folder: URL) throws -> [String] {
        let text = try String(contentsOf: folder.appendingPathComponent(TraceFolder.index), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func write(_ lines: [String], _ folder: URL) throws {
        try Data(lines.joined(separator: "\n").utf8).write(to: folder.appendingPathComponent(TraceFolder.index))
    }

    private func assertRejected(_ folder: URL, _ message: String, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertThrowsError(try Trace(folder: folder), file: file, line: line) { error in
            let error = error as? DeviceError
            XCTAssertEqual(error?.code, .invalidSource, file: file, line: line)
            XCTAssertTrue(error?.message.contains(message) == true, "\(error?.message ?? "")", file: file, line: line)
        }
    }

    /// Returns the line with another value of a field.
    private func replacing(_ name: String, by value: String, in line: String) -> String {
        line.split(separator: " ").map { $0.hasPrefix("\(name)=") ? "\(name)=\(value)" : String($0) }
            .joined(separator: " ")
    }

    func testDeviceDescriptorsAreRecordedWithTheirConstituents() throws {
        let folder = try traceFolder()
        try record(folder)
        let clock = SimClock()
        let trace = try TraceHost(path: folder.path, clock: clock)
        let host = try SimHost(scene: .grey, clock: clock)
        // A trace contains no RAW samples and no mattes.
        let expected = host.devices.map { device in
            var descriptor = device.descriptor
            descriptor.stills?.deliversRAW = false
            descriptor.stills?.mattes = []
            return descriptor
        }
        XCTAssertEqual(trace.devices.map(\.descriptor), expected)
        XCTAssertTrue(trace.devices.contains { $0.descriptor.constituentIDs.count == 3 })
    }

    // MARK: Lines

    func testAWrittenLineIsReadUnchanged() throws {
        var line = TraceLine(-1_500_000_001, "set", "o0")
        line.add("plain", "number(1.0)")
        line.add("quoted", "two \"words\" \\ and\na line, ümläut \u{301} = \u{7F}")
        line.add("empty", "")
        XCTAssertTrue(line.text.hasPrefix("-1.500000001 set o0 plain=number(1.0) quoted=\""))
        XCTAssertFalse(line.text.contains("\n"))
        let parsed = try TraceLine(text: line.text)
        XCTAssertEqual(parsed.text, line.text)
        XCTAssertEqual(parsed.fields.map(\.value), line.fields.map(\.value))
    }

    func testAMalformedLineIsRejected() {
        for text in [
            "", " ", "1.0 set o0", "0.000000000 set", "0.000000000  set o0", "0.000000000 set o0 ",
            "0.000000000 set o0 a", "0.000000000 set o0 a=1 a=2", "0.000000000 set o0 a=\"x",
            "0.000000000 set o0 a=x\"y\"",
            "0.000000000 set o0 a=\"x\"y", "0.000000000 set o0 a=\"\\n\"", "0.000000000 set o0 a=\"\\u{110000}\"",
            "0.000000000 set\to0 x", "00.000000000 set o0", "1e3 set o0", "0.000000000 set o0 a=\u{FC}",
        ] {
            XCTAssertThrowsError(try TraceLine(text: text), text)
        }
    }

    func testWrittenValuesAreReadUnchanged() {
        func assertRoundTrip<Value: TraceValue & Equatable>(_ values: [Value], _ invalidTexts: [String]) {
            for value in values {
                XCTAssertEqual(Value(traceText: value.traceText), value, value.traceText)
            }
            for text in invalidTexts { XCTAssertNil(Value(traceText: text), text) }
        }
        assertRoundTrip(
            [
                CMTime(value: 1, timescale: 30), CMTime(value: -7, timescale: 600), .indefinite, .positiveInfinity,
                .negativeInfinity, CMTime(value: 1, timescale: 3, flags: [.valid, .hasBeenRounded], epoch: 2),
            ], ["1", "1/0", "1/-3", "1/30@", "01/30", "1/30~~", "nan"])
        XCTAssertEqual(CMTime(traceText: "invalid")?.isValid, false)
        assertRoundTrip(
            [ControlValue.flag(true), .integer(-3), .number(0.1 + 0.2), .point(x: 0.25, y: 1)],
            ["flag(1)", "number()", "point(1.0)", "number(1.0", "text(x)"])
        assertRoundTrip(
            [
                ControlRange.flag(default: false), .options([3, 1, 2], default: 1), .options([], default: 0),
                .number(1...8, step: 0.5, default: 2), .point(defaultX: 0.5, defaultY: 0.5),
            ], ["number(8.0..1.0;0.0;1.0)", "options(1,x;1)", "number(1.0..2.0)"])
        for code in [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_32ARGB, 0x6A70_6567] {
            XCTAssertEqual(TraceCode(traceText: TraceCode(code).traceText)?.code, code)
        }
        XCTAssertNil(TraceCode(traceText: "0x34323076"), "a printable code must be written as its characters")
        let blob = TraceBlob(coding: .delta, offset: 12, storedCount: 3, count: 40, checksum: 0xABC)
        assertRoundTrip(
            [blob], ["delta:12+3:40:abc", "raw:0+3:4:0000000000000abc", "zlib:0+1:99999999:0000000000000abc"])
    }

    func testOtherSpellingsOfValuesAreRejected() {
        XCTAssertNotNil(CMVideoDimensions(traceText: "640x480"))
        for text in ["+640x0480", "0640x480", "-0x480"] { XCTAssertNil(CMVideoDimensions(traceText: text), text) }
        XCTAssertNotNil(TraceRange(traceText: "1.0..8.0"))
        for text in ["1..8", "1.0..8", "0x1p0..8.0"] { XCTAssertNil(TraceRange(traceText: text), text) }
        for text in ["number(1)", "number(1.00)", "option(+1)", "option(01)", "point(0.5,1)"] {
            XCTAssertNil(ControlValue(traceText: text), text)
        }
        for text in [
            "number(1..8;0;1)", "number(1.0..8.0;0;1.0)", "number(1.0..8.0;0.0;1)", "options(0,1;+1)",
            "options(1,0;0)", "options(0,0,1;0)",
        ] {
            XCTAssertNil(ControlRange(traceText: text), text)
        }
    }

    func testPackedBytesOfAllPixelFormatsUnpackUnchanged() throws {
        var generator = SplitMix64(seed: 5)
        for (code, size) in [
            (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, (37, 23)), (kCVPixelFormatType_32BGRA, (5, 3)),
            (kCVPixelFormatType_422YpCbCr8_yuvs, (11, 2)), (kCVPixelFormatType_420YpCbCr8Planar, (64, 48)),
            (kCVPixelFormatType_OneComponent8, (1, 1)),
        ] {
            let pixels = try XCTUnwrap(CVPixelBuffer(width: size.0, height: size.1, pixelFormat: code))
            for (index, _) in pixels.planes.enumerated() {
                pixels.withPlane(index) { plane in
                    for offset in 0..<plane.bytesPerRow * plane.height {
                        plane.baseAddress.storeBytes(
                            of: UInt8(truncatingIfNeeded: offset / 3 &+ Int(generator.next() & 3)),
                            toByteOffset: offset,
                            as: UInt8.self)
                    }
                }
            }
            let bytes = pixels.packedBytes()
            let rows = pixels.format.packedRows(width: size.0, height: size.1)
            for skipsCompression in [false, true] {
                let packing = TracePacking(bytes, rows: rows, skipsCompression: skipsCompression)
                let blob = TraceBlob(
                    coding: packing.coding, offset: 0, storedCount: packing.stored.count, count: bytes.count,
                    checksum: TracePacking.checksum(bytes))
                XCTAssertEqual(TracePacking.unpack(packing.stored, blob, rows: rows), bytes)
                var damaged = packing.stored
                damaged[damaged.count - 1] ^= 0x55
                XCTAssertNil(TracePacking.unpack(damaged, blob, rows: rows))
            }
            let copy = try XCTUnwrap(CVPixelBuffer(width: size.0, height: size.1, pixelFormat: code))
            copy.fill(packed: bytes)
            XCTAssertEqual(copy.packedBytes(), bytes)
        }
    }

    // MARK: Files

    func testEachEventIsWrittenAsTheLineItWasReadFrom() throws {
        let folder = try traceFolder()
        try record(folder)
        let trace = try Trace(folder: folder)
        XCTAssertEqual(trace.warnings, [])
        let lines = try index(folder)
        XCTAssertEqual(lines.first, "obscura-trace 1")
        XCTAssertEqual(Array(lines.dropFirst().dropLast()), trace.lines)
    }

    func testAnIncompleteLastLineIsIgnoredWithAWarning() throws {
        let folder = try traceFolder()
        try record(folder, finishing: false)
        let lines = try index(folder)
        let text = Data(lines.joined(separator: "\n").utf8)
        // Truncate the last line to each length, from one byte to all bytes without the newline.
        let lastLine = Data(lines[lines.count - 2].utf8)
        for length in 1...lastLine.count {
            let byteCount = text.count - 1 - lastLine.count + length
            try text.prefix(byteCount).write(to: folder.appendingPathComponent(TraceFolder.index))
            let trace = try Trace(folder: folder)
            XCTAssertEqual(trace.events.count, lines.count - 3)
            XCTAssertEqual(trace.warnings.count, 2, "incomplete line, and not finished")
            XCTAssertTrue(trace.warnings[0].contains("trace.txt:\(lines.count - 1): the last line is incomplete"))
        }
        // A file system can leave zeros after a power loss.
        try (text + Data(count: 300)).write(to: folder.appendingPathComponent(TraceFolder.index))
        XCTAssertEqual(try Trace(folder: folder).warnings.count, 2)
    }

    func testAnInvalidLastLineWithANewlineIsRejected() throws {
        let folder = try traceFolder()
        try record(folder)
        var lines = try index(folder)
        // The text after the last newline is empty.
        lines.insert(lines[lines.count - 2], at: lines.count - 1)
        try write(lines, folder)
        assertRejected(folder, "trace.txt:\(lines.count - 1): there is another line after the end")
    }

    func testAnInvalidTraceIsRejectedWithFileAndLine() throws {
        let folder = try traceFolder()
        assertRejected(folder, "trace.txt")
        try record(folder)
        let validLines = try index(folder)
        func assertLine(
            _ line: Int, changedBy change: (String) -> String?, isRejectedWith message: String, at: UInt = #line
        ) throws {
            var lines = validLines
            if let changed = change(lines[line - 1]) { lines[line - 1] = changed } else { lines.remove(at: line - 1) }
            try write(lines, folder)
            assertRejected(folder, message, line: at)
        }
        func assertLine(
            _ line: Int, replacing old: String, by new: String, isRejectedWith message: String, at: UInt = #line
        ) throws {
            try assertLine(
                line, changedBy: { $0.replacingOccurrences(of: old, with: new) }, isRejectedWith: message, at: at)
        }
        try assertLine(1, changedBy: { _ in "obscura-trace 2" }, isRejectedWith: "trace.txt:1: this is version 2")
        try assertLine(1, changedBy: { _ in "a letter" }, isRejectedWith: "trace.txt:1: a trace must begin with")
        try assertLine(2, changedBy: { _ in nil }, isRejectedWith: "trace.txt:2: the second line must name the host")
        try assertLine(
            3, changedBy: { $0 + " more=1" }, isRejectedWith: "trace.txt:3: \"device\" has no field \"more\"")
        try assertLine(3, replacing: "angle=90", by: "angle=91", isRejectedWith: "angle=91")
        try assertLine(3, replacing: " d0 ", by: " d1 ", isRejectedWith: "found d1, expected d0")
        try assertLine(4, changedBy: { _ in nil }, isRejectedWith: "trace.txt:4: format 1 of d0 is out of order")
        try assertLine(4, replacing: "binned=no", by: "binned=maybe", isRejectedWith: "binned=maybe is not yes or no")
        let frame = try XCTUnwrap(validLines.lastIndex { $0.contains(" frame s0 ") }) + 1
        try assertLine(frame, replacing: " frame s0 ", by: " frame s9 ", isRejectedWith: "s9 is not defined")
        try assertLine(frame, replacing: "size=640x480", by: "size=640x482", isRejectedWith: "but its format requires")
        try assertLine(frame, replacing: " data=delta:", by: " data=delta:99", isRejectedWith: "but media.bin has")
        try assertLine(frame, changedBy: { "0.000000000" + $0.dropFirst(11) }, isRejectedWith: "is earlier than")
        func assertField(_ name: String, _ value: String, isRejectedWith message: String, at: UInt = #line) throws {
            try assertLine(
                frame, changedBy: { replacing(name, by: value, in: $0) },
                isRejectedWith: "trace.txt:\(frame): \(name)=\(value) \(message)", at: at)
        }
        let timestamps = [
            "9223372036854775807/1000000000", "-9223372036854775808/1000000000", "9223372036854775807/1",
            "1000000001/1", "-1000000001/1", "invalid", "+inf", "-inf", "indefinite",
        ]
        for timestamp in timestamps { try assertField("at", timestamp, isRejectedWith: "is not a timestamp") }
        for duration in ["-1/30", "9223372036854775807/1000"] {
            try assertField("duration", duration, isRejectedWith: "is not a duration")
        }
        for name in ["iso", "aperture", "lens", "zoom", "kelvin", "date"] {
            for number in ["nan", "inf", "-inf"] where validLines[frame - 1].contains(" \(name)=") {
                try assertField(name, number, isRejectedWith: "is not a finite number")
            }
        }
        for faces in ["3:0.4:0.2:0.1:0.2:0.0", "3:0.4:0.2:0.1::0.0:0.0", "3:nan:0.2:0.1:0.2::", "x:0.4:0.2:0.1:0.2::"] {
            try assertLine(
                frame, changedBy: { $0 + " faces=" + faces },
                isRejectedWith:
                    "trace.txt:\(frame): faces=\(faces) is not a comma-separated list, each element a face such as")
        }
        try assertLine(
            frame, changedBy: { "9223372036.854775807" + $0.dropFirst(11) },
            isRejectedWith: "is not between 0 and 1000000000 s")
        let start = try XCTUnwrap(validLines.firstIndex { $0.contains(" start s0") }) + 1
        try assertLine(
            start, changedBy: { _ in nil }, isRejectedWith: "s0 delivers an event although it is not running")
        var extended = validLines
        extended.insert(validLines[validLines.count - 2], at: validLines.count - 1)
        extended.insert(validLines[validLines.count - 2], at: validLines.count - 1)
        try write(extended, folder)
        assertRejected(folder, "there is another line after the end")
        try write([""], folder)
        assertRejected(folder, "the file is empty")
    }

    /// Replaces random bytes of the index: the reader either throws or reads a trace that plays, and never crashes.
    func testADamagedIndexNeverCausesACrash() throws {
        let folder = try traceFolder()
        try record(folder)
        let validIndex = try Data(contentsOf: folder.appendingPathComponent(TraceFolder.index))
        var generator = SplitMix64(seed: 11)
        var rejectionCount = 0
        for _ in 0..<(CaseSample.isComplete ? 300 : 100) {
            var damagedIndex = validIndex
            for _ in 0...Int(generator.next() % 3) {
                damagedIndex[Int(generator.next() % UInt64(damagedIndex.count))] = UInt8(
                    truncatingIfNeeded: generator.next())
            }
            try damagedIndex.write(to: folder.appendingPathComponent(TraceFolder.index))
            do throws(DeviceError) {
                let clock = SimClock()
                let client = TraceClient(try TraceHost(path: folder.path, clock: clock), clock)
                if let camera = client.open(SimHost.camera), let stream = client.stream(camera, SimHost.camera) {
                    client.start(stream, "video")
                    clock.advance(by: .milliseconds(100))
                    camera.close()
                }
            } catch {
                XCTAssertTrue(error.message.contains("trace.txt:"), error.message)
                rejectionCount += 1
            }
        }
        XCTAssertGreaterThan(rejectionCount, 30)
    }

    /// If the clock of a device jumps by seconds, its frames are recorded. If their timestamps exceed the limits of a
    /// trace, the frames are recorded as dropped.
    func testTimestampsOfADeviceWithAJumpingClockCanBeRead() throws {
        for (offset, droppedCount) in [(-2, 0), (2, 0), (-3_000_000_000, 5), (3_000_000_000, 5)] {
            let folder = try traceFolder()
            let clock = SimClock()
            let host = try SimHost(scene: .grey, clock: clock)
            try host.schedule(
                .jumpClock(by: CMTime(value: CMTimeValue(offset), timescale: 1)), uniqueID: SimHost.camera,
                at: .frame(5)
            )
            let recorder = try TraceRecorder(host, to: folder, clock: clock)
            let client = TraceClient(recorder, clock)
            let camera = try XCTUnwrap(client.open(SimHost.camera))
            let stream = try XCTUnwrap(client.stream(camera, SimHost.camera))
            client.start(stream, "video")
            clock.advance(by: .milliseconds(310))
            stream.stop()
            camera.close()
            try recorder.finish()
            let trace = try Trace(folder: folder)
            let contents = trace.events.map(\.content)
            let drops = contents.count { if case .dropped = $0 { true } else { false } }
            let frames = contents.count { if case .frame = $0 { true } else { false } }
            XCTAssertEqual(drops, droppedCount, "by \(offset) s")
            XCTAssertEqual(frames, 10 - droppedCount, "by \(offset) s")
        }
    }

    func testDamagedMediaFailsTheStreamWithFileAndLine() throws {
        let folder = try traceFolder()
        try record(folder)
        let url = folder.appendingPathComponent(TraceFolder.media)
        var media = try Data(contentsOf: url)
        media[media.count / 3] ^= 0xFF
        media[10] ^= 0xFF
        try media.write(to: url)
        let clock = SimClock()
        let client = TraceClient(try TraceHost(path: folder.path, clock: clock), clock)
        let camera = try XCTUnwrap(client.open(SimHost.camera))
        let stream = try XCTUnwrap(client.stream(camera, SimHost.camera))
        client.start(stream, "video")
        clock.advance(by: .seconds(1))
        // Changes of controls may be logged after the failure.
        let last = try XCTUnwrap(client.loggedLines.last { $0.contains("video ") })
        XCTAssertTrue(last.contains("video failed") && last.contains("trace.txt:") && last.contains("damaged"), last)
        camera.close()
    }

    // MARK: Storage

    func testAFolderWithATraceIsNotOverwritten() throws {
        let folder = try traceFolder()
        try record(folder)
        let before = try index(folder)
        XCTAssertThrowsError(try record(folder)) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .invalidSource)
            XCTAssertTrue("\(error)".contains("already exists"), "\(error)")
        }
        XCTAssertEqual(try index(folder), before)
    }

    /// Fails the first operations of the storage and every fifth of the others, until a run succeeds. The client is not
    /// affected, and the written part can be read as a trace.
    func testAFailingDiskIsReportedAndLeavesAReadableTrace() throws {
        var failures = 0
        for operation in Array(1...12) + Array(stride(from: 13, through: 800, by: CaseSample.isComplete ? 5 : 17)) {
            let folder = try traceFolder("trace-\(operation)")
            let storage = SimStorage()
            storage.inject(
                operation % 2 == 0 ? .fail(.inputOutput) : .cut(keepingByteCount: 7, .diskFull), atOperation: operation)
            do {
                try record(folder, storage: storage)
                XCTAssertGreaterThan(failures, 12)
                XCTAssertEqual(try Trace(folder: folder).warnings, [])
                return
            } catch let error as DeviceError {
                failures += 1
                XCTAssertTrue([.inputOutput, .outOfResources].contains(error.code), "\(error)")
                guard operation > 4 else { continue }
                let trace = try Trace(folder: folder)
                XCTAssertFalse(trace.warnings.isEmpty && storage.operations.count < operation)
                if operation > 5 { XCTAssertEqual(TraceSummary(trace).host, "sim") }
            }
        }
        XCTFail("no run succeeded")
    }
}
