import CLinuxDevices
import Foundation
import XCTest

@testable import LinuxDevices

/// The parts of the vivid driver that V4L2 headers do not declare: its own controls, and unplugging.
enum Vivid {
    /// Sets a control by name. The headers declare no IDs for vivid's own controls.
    static func set(_ name: String, _ value: Int32, path: String) throws {
        let node = try V4L2Node(path, kernel: LinuxKernel())
        var query = v4l2_query_ext_ctrl()
        while true {
            query.id |= UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
            try node.request(clinuxdevices_VIDIOC_QUERY_EXT_CTRL, "QUERY_EXT_CTRL", &query)
            if text(query.name) == name { break }
        }
        var control = v4l2_control(id: query.id, value: value)
        try node.request(clinuxdevices_VIDIOC_S_CTRL, "S_CTRL", &control)
    }

    /// Unbinds the driver, which removes both cameras as if they were unplugged.
    static func unplug() throws { try write("vivid.0", to: "/sys/bus/platform/drivers/vivid/unbind") }
    /// Binds the driver again. The cameras can get other device numbers.
    static func plug() throws { try write("vivid.0", to: "/sys/bus/platform/drivers/vivid/bind") }

    private static func write(_ text: String, to path: String) throws {
        let file = try XCTUnwrap(fopen(path, "w"), path)
        fputs(text, file)
        XCTAssertEqual(fclose(file), 0, path)
    }
}
