import CSimKernels

/// What moves, developed once for each of its pictures while light and exposure stay as they are.
///
/// Confined to the turn of the stream's source.
final class DevelopedMovers {
    private struct Key: Hashable {
        /// A bitmap's, or that of its soft twin.
        var picture: ObjectIdentifier
        var red: UInt16
        var green: UInt16
        var blue: UInt16
    }

    private final class Entry {
        let plate: FramePlate
        let raw: UnsafeMutablePointer<csim_plate>
        /// Kept, so that no other picture gets its identity.
        let picture: AnyObject

        init(_ picture: AnyObject, width: Int, height: Int) {
            self.picture = picture
            plate = FramePlate(width: width, height: height, isComposed: false, isDeveloped: true)
            raw = .allocate(capacity: 1)
            raw.initialize(to: plate.raw)
        }

        deinit { raw.deallocate() }
    }

    /// Working memory for pictures up to a size.
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

    /// How many pictures are kept at least; the street has about a hundred.
    private static let capacity = 192

    private var entries: [Key: Entry] = [:]
    private var bench: Bench?

    /// Makes room before a frame where there are too many pictures.
    func forgetMany() {
        if entries.count > Self.capacity { clear() }
    }

    /// Forgets all, as when the exposure changes.
    func clear() { entries.removeAll(keepingCapacity: true) }

    /// Gives a mover, or its soft twin, its developed picture.
    ///
    /// - Parameter frame: With tables and exposures; only a copy is changed.
    func develop(_ layer: inout csim_layer, _ bitmap: SceneBitmap, _ soft: SoftLayer?, _ frame: csim_frame) {
        let picture: AnyObject = soft ?? bitmap
        let key = Key(
            picture: ObjectIdentifier(picture), red: layer.redScale, green: layer.greenScale, blue: layer.blueScale)
        if let known = entries[key] {
            layer.developed = UnsafePointer(known.raw)
            return
        }
        let (width, height) = (soft?.width ?? bitmap.width, soft?.height ?? bitmap.height)
        let entry = Entry(picture, width: width, height: height)
        let bench = bench(width, height)
        var plate = entry.plate.raw
        let composed = bench.composed.raw
        (plate.green, plate.red, plate.blue) = (composed.green, composed.red, composed.blue)
        if soft != nil {
            csim_compose_soft(&plate, &layer)
        } else {
            var alone = layer
            (alone.x, alone.y, alone.skew) = (0, 0, 0)
            csim_compose_group(&plate, &alone, 1, &bench.coverage)
        }
        var frame = frame
        frame.scratch = bench.scratch
        withUnsafePointer(to: &plate) { plate in
            frame.plate = plate
            csim_develop_layer(&frame, &layer)
        }
        entries[key] = entry
        layer.developed = UnsafePointer(entry.raw)
    }

    private func bench(_ width: Int, _ height: Int) -> Bench {
        if let bench, bench.composed.width >= width, bench.composed.height >= height { return bench }
        let known = bench?.composed
        let bench = Bench(width: max(width, known?.width ?? 0), height: max(height, known?.height ?? 0))
        self.bench = bench
        return bench
    }
}
