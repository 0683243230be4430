import CSimKernels

/// What moves, developed once for each of its pictures while light and exposure stay as they are.
///
/// Confined to the turn of the stream's source.
final class DevelopedMovers {
    private struct Key: Hashable {
        var bitmap: ObjectIdentifier
        var red: UInt16
        var green: UInt16
        var blue: UInt16
    }

    private final class Entry {
        let plate: FramePlate
        let raw: UnsafeMutablePointer<csim_plate>
        /// Kept, so that no other bitmap gets its identity.
        let bitmap: SceneBitmap

        init(_ bitmap: SceneBitmap) {
            self.bitmap = bitmap
            plate = FramePlate(width: bitmap.width, height: bitmap.height, isComposed: false, isDeveloped: true)
            raw = .allocate(capacity: 1)
            raw.initialize(to: plate.raw)
        }

        deinit { raw.deallocate() }
    }

    private var entries: [Key: Entry] = [:]

    /// Forgets all, as when the exposure changes.
    func clear() { entries.removeAll(keepingCapacity: true) }

    /// Gives a mover its developed picture.
    ///
    /// - Parameter frame: With tables and exposures; only a copy is changed.
    func develop(_ layer: inout csim_layer, _ bitmap: SceneBitmap, _ frame: csim_frame) {
        let key = Key(
            bitmap: ObjectIdentifier(bitmap), red: layer.redScale, green: layer.greenScale, blue: layer.blueScale)
        if let known = entries[key] {
            layer.developed = UnsafePointer(known.raw)
            return
        }
        let entry = Entry(bitmap)
        let composed = FramePlate(width: bitmap.width, height: bitmap.height, isDeveloped: false)
        var plate = entry.plate.raw
        (plate.green, plate.red, plate.blue) = (composed.raw.green, composed.raw.red, composed.raw.blue)
        var alone = layer
        (alone.x, alone.y, alone.skew, alone.soft) = (0, 0, 0, nil)
        var coverage = [UInt8](repeating: 0, count: composed.stride * composed.height)
        csim_compose_group(&plate, &alone, 1, &coverage)
        // A near thing may be wider than the picture.
        let scratch = UnsafeMutableRawPointer.allocate(
            byteCount: Int(csim_scratch_size(Int32(bitmap.width))), alignment: 64)
        defer { scratch.deallocate() }
        var frame = frame
        frame.scratch = scratch
        withUnsafePointer(to: &plate) { plate in
            frame.plate = plate
            csim_develop(&frame)
        }
        entries[key] = entry
        layer.developed = UnsafePointer(entry.raw)
    }
}
