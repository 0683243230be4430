import CLinuxDevices
import Glibc

/// A control as the driver describes it (VIDIOC_QUERY_EXT_CTRL).
struct V4L2Control: Sendable, Hashable {
    var id: UInt32
    /// `V4L2_CTRL_TYPE_…`.
    var type: UInt32
    var minimum: Int64
    var maximum: Int64
    var step: Int64
    var defaultValue: Int64
    /// `V4L2_CTRL_FLAG_…`.
    var flags: UInt32
    /// The entries of a menu by index: the number for an integer menu, else the index.
    var menu: [Int64: Int64] = [:]

    /// Returns the controls of a node, by id: those that are enabled and have a single number as their value.
    static func all(of node: V4L2Node) throws(KernelError) -> [UInt32: V4L2Control] {
        var controls: [UInt32: V4L2Control] = [:]
        var id: UInt32 = 0
        while true {
            var query = v4l2_query_ext_ctrl()
            query.id = id | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
            do {
                try node.request(clinuxdevices_VIDIOC_QUERY_EXT_CTRL, "VIDIOC_QUERY_EXT_CTRL", &query)
            } catch  where error.number == EINVAL || error.number == ENOTTY {
                return controls
            }
            // Prevents an endless loop if a driver does not advance.
            guard query.id > id else { return controls }
            id = query.id
            controls[id] = try V4L2Control(query, node)
        }
    }

    /// Returns the current description of a control; nil if it is disabled or its value is not a single number.
    static func query(_ id: UInt32, of node: V4L2Node) throws(KernelError) -> V4L2Control? {
        var query = v4l2_query_ext_ctrl()
        query.id = id
        try node.request(clinuxdevices_VIDIOC_QUERY_EXT_CTRL, "VIDIOC_QUERY_EXT_CTRL", &query)
        return try V4L2Control(query, node)
    }

    private init?(_ query: v4l2_query_ext_ctrl, _ node: V4L2Node) throws(KernelError) {
        let supportedTypes = [
            V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_BOOLEAN, V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU,
            V4L2_CTRL_TYPE_BUTTON, V4L2_CTRL_TYPE_BITMASK,
        ]
        guard query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0,
            supportedTypes.contains(where: { $0.rawValue == query.type }), query.minimum <= query.maximum
        else { return nil }
        (id, type, flags) = (query.id, query.type, query.flags)
        (minimum, maximum, defaultValue) = (query.minimum, query.maximum, query.default_value)
        step = Int64(clamping: query.step)
        if isMenu { menu = try Self.menu(of: self, node) }
    }

    var isMenu: Bool {
        type == V4L2_CTRL_TYPE_MENU.rawValue || type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue
    }

    private static func menu(of control: V4L2Control, _ node: V4L2Node) throws(KernelError) -> [Int64: Int64] {
        var entries: [Int64: Int64] = [:]
        for index in max(0, control.minimum)...max(0, min(control.maximum, 255)) {
            var query = v4l2_querymenu()
            query.id = control.id
            query.index = UInt32(index)
            do {
                try node.request(clinuxdevices_VIDIOC_QUERYMENU, "VIDIOC_QUERYMENU", &query)
            } catch  where error.number == EINVAL {
                continue  // Indexes of menus can have gaps.
            }
            entries[index] = control.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue ? query.value : index
        }
        return entries
    }
}
