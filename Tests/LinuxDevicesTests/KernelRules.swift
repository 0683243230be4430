import CLinuxDevices
import XCTest

@testable import LinuxDevices

/// The rules of the kernel on which the backend relies, as raw requests.
///
/// The tests check them with the fake kernel in each run, and with vivid in the lab, so that both behave in the same
/// way.
struct KernelRules {
    let kernel: any KernelCalls
    let path: String
    /// Captures one frame, for devices that do not capture frames themselves.
    let expose: () -> Void

    func check(file: StaticString = #filePath, line: UInt = #line) throws {
        let node = try V4L2Node(path, kernel: kernel)
        let other = try V4L2Node(path, kernel: kernel)
        let type = try XCTUnwrap(try node.capability().captureType)
        /// Asserts that `body` fails with the error `number`, or succeeds if it is 0.
        func expect(_ what: String, _ number: Int32, _ body: () throws -> Void) {
            do {
                try body()
                XCTAssertEqual(0, number, "\(what) succeeded", file: file, line: line)
            } catch {
                XCTAssertEqual((error as? KernelError)?.number, number, "\(what): \(error)", file: file, line: line)
            }
        }

        var format = v4l2_format()
        format.type = type
        expect("the current format", 0) { try node.request(clinuxdevices_VIDIOC_G_FMT, "G_FMT", &format) }
        expect("setting it again", 0) { try node.request(clinuxdevices_VIDIOC_S_FMT, "S_FMT", &format) }
        var wrong = v4l2_format()
        wrong.type = 77
        expect("an unknown type", EINVAL) { try node.request(clinuxdevices_VIDIOC_G_FMT, "G_FMT", &wrong) }

        XCTAssertFalse(try node.isInUseByAnother(type), file: file, line: line)
        var request = v4l2_requestbuffers()
        (request.count, request.type, request.memory) = (3, type, V4L2_MEMORY_MMAP.rawValue)
        expect("buffers", 0) { try node.request(clinuxdevices_VIDIOC_REQBUFS, "REQBUFS", &request) }
        XCTAssertEqual(request.count, 3, file: file, line: line)
        XCTAssertTrue(try other.isInUseByAnother(type), "reported to another file descriptor", file: file, line: line)
        expect("a format while buffers are allocated", EBUSY) {
            try node.request(clinuxdevices_VIDIOC_S_FMT, "S_FMT", &format)
        }

        func buffer(_ index: UInt32) -> v4l2_buffer {
            var buffer = v4l2_buffer()
            (buffer.index, buffer.type, buffer.memory) = (index, type, V4L2_MEMORY_MMAP.rawValue)
            return buffer
        }
        var dequeued = buffer(0)
        expect("dequeueing before streaming", EINVAL) {
            try node.request(clinuxdevices_VIDIOC_DQBUF, "DQBUF", &dequeued)
        }
        for index in 0..<UInt32(3) {
            var queued = buffer(index)
            expect("queueing", 0) { try node.request(clinuxdevices_VIDIOC_QBUF, "QBUF", &queued) }
        }
        var queuedTwice = buffer(1)
        expect("queueing twice", EINVAL) { try node.request(clinuxdevices_VIDIOC_QBUF, "QBUF", &queuedTwice) }
        var missing = buffer(31)
        expect("a missing buffer", EINVAL) { try node.request(clinuxdevices_VIDIOC_QBUF, "QBUF", &missing) }
        var usedByOther = buffer(0)
        expect("a buffer of another file descriptor", EBUSY) {
            try other.request(clinuxdevices_VIDIOC_QBUF, "QBUF", &usedByOther)
        }

        var idle = [PolledDescriptor(node.descriptor, .readable)]
        try kernel.wait(&idle)
        XCTAssertTrue(
            idle[0].occurred.contains(.failed), "polling before streaming is an error", file: file, line: line)

        var streamed = type
        expect("streaming", 0) { try node.request(clinuxdevices_VIDIOC_STREAMON, "STREAMON", &streamed) }
        var early = v4l2_requestbuffers()
        (early.count, early.type, early.memory) = (2, type, V4L2_MEMORY_MMAP.rawValue)
        expect("buffers while streaming", EBUSY) {
            try node.request(clinuxdevices_VIDIOC_REQBUFS, "REQBUFS", &early)
        }

        var times: [Int64] = []
        for number in 0..<UInt32(3) {
            expose()
            var polled = [PolledDescriptor(node.descriptor, .readable)]
            try kernel.wait(&polled)
            XCTAssertEqual(polled[0].occurred, .readable, file: file, line: line)
            var filled = buffer(0)
            expect("dequeueing", 0) { try node.request(clinuxdevices_VIDIOC_DQBUF, "DQBUF", &filled) }
            XCTAssertEqual(filled.index, number, "buffers are filled in the order of queueing", file: file, line: line)
            let clock = filled.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
            XCTAssertEqual(clock, UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC), file: file, line: line)
            XCTAssertEqual(filled.flags & UInt32(V4L2_BUF_FLAG_DONE | V4L2_BUF_FLAG_QUEUED), 0, file: file, line: line)
            XCTAssertEqual(filled.bytesused, filled.length, "a complete frame", file: file, line: line)
            times.append(Int64(filled.timestamp.tv_sec) * 1_000_000_000 + Int64(filled.timestamp.tv_usec) * 1000)
        }
        XCTAssertEqual(times, times.sorted(), file: file, line: line)
        // vivid's timestamp is the end of the frame's nominal time, which may be slightly in the future.
        XCTAssertLessThan(abs(times[2] - kernel.monotonicNanoseconds), 500_000_000, file: file, line: line)
        expect("dequeueing from an empty queue", EAGAIN) {
            var filled = buffer(0)
            try node.request(clinuxdevices_VIDIOC_DQBUF, "DQBUF", &filled)
        }
        var requeued = buffer(0)
        expect("queueing again", 0) { try node.request(clinuxdevices_VIDIOC_QBUF, "QBUF", &requeued) }
        XCTAssertNotEqual(
            request.capabilities & UInt32(V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS), 0, "videobuf2 reports it", file: file,
            line: line)
        try checkMoreBuffers(node, type, expect)
        expect("stopping", 0) { try node.request(clinuxdevices_VIDIOC_STREAMOFF, "STREAMOFF", &streamed) }
        expect("stopping twice", 0) { try node.request(clinuxdevices_VIDIOC_STREAMOFF, "STREAMOFF", &streamed) }

        expect("streaming without buffers", 0) {
            try node.request(clinuxdevices_VIDIOC_STREAMON, "STREAMON", &streamed)
        }
        var empty = [PolledDescriptor(node.descriptor, .readable)]
        try kernel.wait(&empty)
        XCTAssertTrue(
            empty[0].occurred.contains(.failed), "polling before a buffer is queued is an error", file: file, line: line
        )
        expect("stopping", 0) { try node.request(clinuxdevices_VIDIOC_STREAMOFF, "STREAMOFF", &streamed) }

        // The mappings of freed buffers stay readable.
        var first = buffer(0)
        expect("querying a buffer", 0) { try node.request(clinuxdevices_VIDIOC_QUERYBUF, "QUERYBUF", &first) }
        let memory = try kernel.map(node.descriptor, length: Int(first.length), offset: Int(first.m.offset))
        request.count = 0
        expect("freeing mapped buffers", 0) { try node.request(clinuxdevices_VIDIOC_REQBUFS, "REQBUFS", &request) }
        XCTAssertNotNil(memory.first, file: file, line: line)
        XCTAssertFalse(try other.isInUseByAnother(type), "the device is free again", file: file, line: line)
        kernel.unmap(memory)

        checkControls(node, other, expect)
    }

    /// Checks buffers that are allocated while streaming; one of the first three is queued.
    private func checkMoreBuffers(
        _ node: V4L2Node, _ type: UInt32, _ expect: (String, Int32, () throws -> Void) -> Void
    ) throws {
        var more = v4l2_create_buffers()
        (more.memory, more.format.type) = (V4L2_MEMORY_MMAP.rawValue, type)
        expect("requesting no buffers", 0) { try node.request(clinuxdevices_VIDIOC_CREATE_BUFS, "CREATE_BUFS", &more) }
        XCTAssertEqual(more.index, 3)
        expect("the format", 0) { try node.request(clinuxdevices_VIDIOC_G_FMT, "G_FMT", &more.format) }
        more.count = 2
        expect("requesting more buffers", 0) {
            try node.request(clinuxdevices_VIDIOC_CREATE_BUFS, "CREATE_BUFS", &more)
        }
        XCTAssertEqual(more.index, 3)
        XCTAssertEqual(more.count, 2)
        for index in UInt32(3)..<5 {
            var new = v4l2_buffer()
            (new.index, new.type, new.memory) = (index, type, V4L2_MEMORY_MMAP.rawValue)
            expect("queueing a new one", 0) { try node.request(clinuxdevices_VIDIOC_QBUF, "QBUF", &new) }
        }
    }

    private func checkControls(
        _ node: V4L2Node, _ other: V4L2Node, _ expect: (String, Int32, () throws -> Void) -> Void
    ) {
        let id = UInt32(V4L2_CID_BRIGHTNESS)
        var subscription = v4l2_event_subscription()
        (subscription.type, subscription.id) = (UInt32(V4L2_EVENT_CTRL), id)
        for listener in [node, other] {
            expect("subscribing", 0) {
                try listener.request(clinuxdevices_VIDIOC_SUBSCRIBE_EVENT, "SUBSCRIBE_EVENT", &subscription)
            }
        }
        for (requested, result) in [(Int32(100), Int32(100)), (100_000, 255), (-5, 0), (128, 128)] {
            var control = v4l2_control(id: id, value: requested)
            expect("setting \(requested)", 0) { try node.request(clinuxdevices_VIDIOC_S_CTRL, "S_CTRL", &control) }
            XCTAssertEqual(control.value, result, "values are clamped to the range")
            expect("reading", 0) { try node.request(clinuxdevices_VIDIOC_G_CTRL, "G_CTRL", &control) }
            XCTAssertEqual(control.value, result)
        }
        var event = v4l2_event()
        expect("the other file descriptor receives the event", 0) {
            try other.request(clinuxdevices_VIDIOC_DQEVENT, "DQEVENT", &event)
        }
        XCTAssertEqual(event.id, id)
        expect("the file descriptor that set it receives no event", ENOENT) {
            try node.request(clinuxdevices_VIDIOC_DQEVENT, "DQEVENT", &event)
        }
        var unknown = v4l2_control(id: 1, value: 0)
        expect("an unknown control", EINVAL) { try node.request(clinuxdevices_VIDIOC_G_CTRL, "G_CTRL", &unknown) }
    }
}
