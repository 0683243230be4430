import CLinuxDevices

@testable import LinuxDevices

/// The functions that the fake kernel calls.
extension FakeV4L2Device {
    func close(_ descriptor: Int32) {
        subscriptions[descriptor] = nil
        events[descriptor] = nil
        if owner == descriptor { freeBuffers() }
    }

    /// Returns the memory of a plane. `describe` encodes the buffer index and the plane index in the offset.
    func memory(atOffset offset: Int) -> Memory? {
        let (buffer, plane) = (offset >> 24, (offset >> 16) & 0xff)
        guard buffers.indices.contains(buffer), buffers[buffer].planes.indices.contains(plane) else { return nil }
        return buffers[buffer].planes[plane]
    }

    /// Returns the requested events of a descriptor that have occurred, according to `vb2_core_poll`.
    func pollEvents(_ polled: PolledDescriptor) -> PolledDescriptor.Events {
        if isGone { return [.failed, .exceptional] }
        var occurred: PolledDescriptor.Events = []
        if polled.requested.contains(.exceptional), events[polled.descriptor]?.isEmpty == false {
            occurred.insert(.exceptional)
        }
        if polled.requested.contains(.readable) {
            // If no buffers are allocated, polling for frames starts file I/O (`read()`), which owns the queue.
            if buffers.isEmpty, owner == nil { owner = polled.descriptor }
            // Polling for frames is an error while the device does not stream, or if no buffer has been queued since it
            // was stopped. If all buffers have been dequeued, poll waits.
            if !isStreaming || isWaitingForBuffers {
                occurred.insert(.failed)
            } else if !filledIndices.isEmpty {
                occurred.insert(.readable)
            }
        }
        return occurred
    }

    /// Handles an ioctl request, and returns its error number (errno) or 0.
    func handleRequest(_ request: UInt, _ argument: UnsafeMutableRawPointer, _ descriptor: Int32) -> Int32 {
        if isGone { return ENODEV }
        func edit<Value>(_ type: Value.Type, _ body: (inout Value) -> Int32) -> Int32 {
            body(&argument.assumingMemoryBound(to: type).pointee)
        }
        switch request {
        case clinuxdevices_VIDIOC_QUERYCAP: return edit(v4l2_capability.self, queryCapability)
        case clinuxdevices_VIDIOC_ENUMINPUT, clinuxdevices_VIDIOC_G_INPUT, clinuxdevices_VIDIOC_S_INPUT,
            clinuxdevices_VIDIOC_QUERY_DV_TIMINGS, clinuxdevices_VIDIOC_S_DV_TIMINGS, clinuxdevices_VIDIOC_QUERYSTD,
            clinuxdevices_VIDIOC_S_STD:
            return handleInputRequest(request, argument)
        case clinuxdevices_VIDIOC_DV_TIMINGS_CAP, clinuxdevices_VIDIOC_G_EDID, clinuxdevices_VIDIOC_S_EDID,
            clinuxdevices_VIDIOC_G_TUNER, clinuxdevices_VIDIOC_G_FREQUENCY, clinuxdevices_VIDIOC_S_FREQUENCY:
            return handleReceiverRequest(request, argument)
        case clinuxdevices_VIDIOC_ENUM_FMT: return edit(v4l2_fmtdesc.self, enumerateFormat)
        case clinuxdevices_VIDIOC_ENUM_FRAMESIZES: return edit(v4l2_frmsizeenum.self, enumerateSize)
        case clinuxdevices_VIDIOC_ENUM_FRAMEINTERVALS: return edit(v4l2_frmivalenum.self, enumerateInterval)
        case clinuxdevices_VIDIOC_G_FMT: return edit(v4l2_format.self) { fill(&$0) }
        case clinuxdevices_VIDIOC_TRY_FMT: return edit(v4l2_format.self) { setFormat(&$0, descriptor, isTrial: true) }
        case clinuxdevices_VIDIOC_S_FMT: return edit(v4l2_format.self) { setFormat(&$0, descriptor, isTrial: false) }
        case clinuxdevices_VIDIOC_G_PARM, clinuxdevices_VIDIOC_S_PARM:
            return edit(v4l2_streamparm.self) { parameters(&$0, request) }
        case clinuxdevices_VIDIOC_REQBUFS: return edit(v4l2_requestbuffers.self) { requestBuffers(&$0, descriptor) }
        case clinuxdevices_VIDIOC_CREATE_BUFS: return edit(v4l2_create_buffers.self) { createBuffers(&$0, descriptor) }
        case clinuxdevices_VIDIOC_QUERYBUF: return edit(v4l2_buffer.self, queryBuffer)
        case clinuxdevices_VIDIOC_QBUF: return edit(v4l2_buffer.self) { queue(&$0, descriptor) }
        case clinuxdevices_VIDIOC_DQBUF: return edit(v4l2_buffer.self) { dequeue(&$0, descriptor) }
        case clinuxdevices_VIDIOC_STREAMON: return streamOn(descriptor)
        case clinuxdevices_VIDIOC_STREAMOFF: return streamOff(descriptor)
        case clinuxdevices_VIDIOC_QUERY_EXT_CTRL: return edit(v4l2_query_ext_ctrl.self, queryControl)
        case clinuxdevices_VIDIOC_QUERYMENU: return edit(v4l2_querymenu.self, queryMenu)
        case clinuxdevices_VIDIOC_G_CTRL: return edit(v4l2_control.self, getControl)
        case clinuxdevices_VIDIOC_S_CTRL: return edit(v4l2_control.self) { setControl(&$0, descriptor) }
        case clinuxdevices_VIDIOC_SUBSCRIBE_EVENT:
            return edit(v4l2_event_subscription.self) { subscribe(&$0, descriptor) }
        case clinuxdevices_VIDIOC_DQEVENT: return edit(v4l2_event.self) { dequeueEvent(&$0, descriptor) }
        default: return ENOTTY
        }
    }

    var type: UInt32 {
        (isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
    }

    func queryCapability(_ capability: inout v4l2_capability) -> Int32 {
        capability = v4l2_capability()
        put(card, into: &capability.card)
        put(bus, into: &capability.bus_info)
        put("fake", into: &capability.driver)
        capability.device_caps = capabilities
        capability.capabilities = capabilities | UInt32(V4L2_CAP_DEVICE_CAPS)
        return 0
    }

    func put<Characters>(_ text: String, into characters: inout Characters) {
        withUnsafeMutableBytes(of: &characters) { $0.copyBytes(from: Array(text.utf8).prefix($0.count - 1)) }
    }
}
