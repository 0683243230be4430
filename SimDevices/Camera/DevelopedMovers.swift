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

        init(_ picture: AnyObject, _ plate: FramePlate) {
            self.picture = picture
            self.plate = plate
            raw = .allocate(capacity: 1)
            raw.initialize(to: plate.raw)
        }

        deinit { raw.deallocate() }
    }

    /// Memory that plates are cut from, one after the other, and that is used again when all are forgotten.
    private struct Arena {
        private static let blockSize = 8 << 20

        private var blocks: [SceneMemory] = []
        /// The block that is cut from, and what of it is taken.
        private var index = 0
        private var taken = 0

        mutating func plate(_ width: Int, _ height: Int) -> FramePlate {
            let byteCount = FramePlate.byteCount(width: width, height: height, isComposed: false, isDeveloped: true)
            while index < blocks.count, blocks[index].byteCount - taken < byteCount {
                index += 1
                taken = 0
            }
            if index == blocks.count { blocks.append(SceneMemory(byteCount: max(byteCount, Self.blockSize))) }
            defer { taken += byteCount }
            return FramePlate(
                width: width, height: height, isComposed: false, isDeveloped: true, in: blocks[index], at: taken)
        }

        mutating func forget() { (index, taken) = (0, 0) }
    }

    /// Working memory for pictures up to a size.
    private final class Bench {
        let composed: FramePlate
        let coverage: SceneMemory
        let scratch: UnsafeMutableRawPointer

        init(width: Int, height: Int) {
            composed = FramePlate(width: width, height: height, isDeveloped: false)
            coverage = SceneMemory(byteCount: composed.stride * height)
            // A near thing may be wider than the picture.
            scratch = .allocate(byteCount: Int(csim_scratch_size(Int32(width))), alignment: 64)
        }

        deinit { scratch.deallocate() }
    }

    /// How many pictures are kept at least; the street has about a hundred.
    private static let capacity = 192

    private var entries: [Key: Entry] = [:]
    private var arena = Arena()
    private var bench: Bench?

    /// Makes room before a frame where there are too many pictures.
    func forgetMany() {
        if entries.count > Self.capacity { clear() }
    }

    /// Forgets all, as when the exposure changes.
    func clear() {
        entries.removeAll(keepingCapacity: true)
        arena.forget()
    }

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
        let (width, height) = (soft?.width ?? Int(layer.width), soft?.height ?? Int(layer.height))
        let entry = Entry(picture, arena.plate(width, height))
        let bench = bench(width, height)
        var plate = entry.plate.raw
        let composed = bench.composed.raw
        (plate.green, plate.red, plate.blue) = (composed.green, composed.red, composed.blue)
        if soft != nil {
            csim_compose_soft(&plate, &layer)
        } else {
            var alone = layer
            (alone.x, alone.y, alone.skew) = (0, 0, 0)
            csim_compose_group(&plate, &alone, 1, bench.coverage.bytes())
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
        // Large enough for most of what comes later.
        let bench = Bench(width: max(width, known?.width ?? 1024), height: max(height, known?.height ?? 512))
        self.bench = bench
        return bench
    }
}
