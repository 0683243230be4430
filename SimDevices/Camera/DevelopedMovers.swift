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

    /// Working memory for pictures of one size.
    private final class Bench {
        let composed: FramePlate
        var coverage: [UInt8]
        let scratch: UnsafeMutableRawPointer

        init(width: Int, height: Int) {
            composed = FramePlate(width: width, height: height, isDeveloped: false)
            coverage = [UInt8](repeating: 0, count: composed.stride * height)
            // A near thing may be wider than the picture.
            scratch = .allocate(byteCount: Int(csim_scratch_size(Int32(width))), alignment: 64)
        }

        deinit { scratch.deallocate() }
    }

    private var entries: [Key: Entry] = [:]
    /// By size; movers have few.
    private var benches: [Int: Bench] = [:]

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
        let bench = bench(for: bitmap)
        var plate = entry.plate.raw
        let composed = bench.composed.raw
        (plate.green, plate.red, plate.blue) = (composed.green, composed.red, composed.blue)
        var alone = layer
        (alone.x, alone.y, alone.skew, alone.soft) = (0, 0, 0, nil)
        csim_compose_group(&plate, &alone, 1, &bench.coverage)
        var frame = frame
        frame.scratch = bench.scratch
        withUnsafePointer(to: &plate) { plate in
            frame.plate = plate
            csim_develop(&frame)
        }
        entries[key] = entry
        layer.developed = UnsafePointer(entry.raw)
    }

    private func bench(for bitmap: SceneBitmap) -> Bench {
        let size = bitmap.width << 32 | bitmap.height
        if let known = benches[size] { return known }
        let bench = Bench(width: bitmap.width, height: bitmap.height)
        benches[size] = bench
        return bench
    }
}
