import CLinuxDevices

/// Controls, according to v4l2-ctrls.
extension FakeV4L2Device {
    /// Changes the description of a control with `edit`, as drivers do after a change of format or mode.
    ///
    /// - Parameter changes: The `V4L2_EVENT_CTRL_CH_…` flags of the event.
    func changeDescription(_ id: Int32, _ changes: Int32, _ edit: (inout Control) -> Void) {
        kernel.locked {
            guard let index = controls.firstIndex(where: { $0.id == UInt32(bitPattern: id) }) else { return }
            edit(&controls[index])
            var event = v4l2_event()
            event.type = UInt32(V4L2_EVENT_CTRL)
            event.id = controls[index].id
            event.u.ctrl.changes = UInt32(bitPattern: changes)
            post(event, by: nil)
        }
    }

    func queryControl(_ query: inout v4l2_query_ext_ctrl) -> Int32 {
        let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        let id = query.id & ~next
        let sorted = controls.sorted { $0.id < $1.id }
        guard
            let control = query.id & next != 0
                ? sorted.first(where: { $0.id > id }) : sorted.first(where: { $0.id == id })
        else { return EINVAL }
        query = v4l2_query_ext_ctrl()
        query.id = control.id
        query.type = control.type.rawValue
        query.minimum = control.minimum
        query.maximum = control.maximum
        query.step = control.step
        query.default_value = control.defaultValue
        query.flags = control.flags
        return 0
    }

    func queryMenu(_ query: inout v4l2_querymenu) -> Int32 {
        guard let control = controls.first(where: { $0.id == query.id }),
            control.menu.indices.contains(Int(query.index)),
            let value = control.menu[Int(query.index)]
        else { return EINVAL }
        if control.type == V4L2_CTRL_TYPE_INTEGER_MENU { query.value = value }
        return 0
    }

    func getControl(_ control: inout v4l2_control) -> Int32 {
        guard let own = controls.first(where: { $0.id == control.id }) else { return EINVAL }
        if own.flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) != 0 { return EACCES }
        control.value = Int32(own.value)
        return 0
    }

    func setControl(_ control: inout v4l2_control, _ descriptor: Int32) -> Int32 {
        guard let own = controls.first(where: { $0.id == control.id }) else { return EINVAL }
        if own.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 { return EACCES }
        if own.flags & UInt32(V4L2_CTRL_FLAG_GRABBED) != 0 { return EBUSY }
        if own.type == V4L2_CTRL_TYPE_MENU || own.type == V4L2_CTRL_TYPE_INTEGER_MENU {
            if !(own.minimum...own.maximum).contains(Int64(control.value)) { return ERANGE }
            if own.menu[Int(control.value)] == nil { return EINVAL }
        }
        if own.type == V4L2_CTRL_TYPE_BUTTON { pressed.append(own.id) }
        // Values are clamped to the range.
        let value = min(max(Int64(control.value), own.minimum), own.maximum)
        control.value = Int32(value)
        change(own.id, to: value, by: descriptor)
        return 0
    }

    /// Changes a value and posts its event. `descriptor` is the file descriptor that set it; nil if the device did.
    func change(_ id: UInt32, to value: Int64, by descriptor: Int32?) {
        guard let index = controls.firstIndex(where: { $0.id == id }), controls[index].value != value else { return }
        controls[index].value = value
        var event = v4l2_event()
        event.type = UInt32(V4L2_EVENT_CTRL)
        event.id = id
        event.u.ctrl.changes = UInt32(V4L2_EVENT_CTRL_CH_VALUE)
        event.u.ctrl.value = Int32(value)
        post(event, by: descriptor)
    }
}
