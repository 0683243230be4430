import CSimKernels

/// A cache of developed moving layers. An entry is valid as long as light and exposure do not change.
///
/// Confined to the stream's generator.
final class MovingLayerCache {
    private struct Key: Hashable {
        /// Identity of the bitmap or of its blurred copy.
        var image: ObjectIdentifier
        /// The light of each channel; see `csim_layer.redScale`.
        var red: UInt16
        var green: UInt16
        var blue: UInt16
    }

    private final class Entry {
        let planes: LayerPlanes
        let raw: UnsafeMutablePointer<csim_planes>
        /// Retained so that its `ObjectIdentifier`, which is part of the key, stays unique.
        let image: AnyObject

        init(_ image: AnyObject, _ planes: LayerPlanes) {
            self.image = image
            self.planes = planes
            raw = .allocate(capacity: 1)
            raw.initialize(to: planes.raw)
        }

        deinit { raw.deallocate() }
    }

    /// Memory from which planes are allocated sequentially. It is reused after `reset()`.
    private struct Arena {
        private static let blockByteCount = 8 << 20

        private var blocks: [AlignedMemory] = []
        /// The index of the current block.
        private var index = 0
        /// The number of bytes in use in the current block.
        private var usedByteCount = 0

        mutating func planes(_ width: Int, _ height: Int) -> LayerPlanes {
            let byteCount = LayerPlanes.byteCount(width: width, height: height, isComposed: false, isDeveloped: true)
            while index < blocks.count, blocks[index].byteCount - usedByteCount < byteCount {
                index += 1
                usedByteCount = 0
            }
            if index == blocks.count { blocks.append(AlignedMemory(byteCount: max(byteCount, Self.blockByteCount))) }
            defer { usedByteCount += byteCount }
            return LayerPlanes(
                width: width, height: height, isComposed: false, isDeveloped: true, in: blocks[index],
                at: usedByteCount)
        }

        mutating func reset() { (index, usedByteCount) = (0, 0) }
    }

    /// Working memory for layers up to a size.
    private final class Workspace {
        let composed: LayerPlanes
        let coverage: AlignedMemory
        let scratch: UnsafeMutableRawPointer

        init(width: Int, height: Int) {
            composed = LayerPlanes(width: width, height: height, isDeveloped: false)
            coverage = AlignedMemory(byteCount: composed.stride * height)
            // A near object may be wider than the frame.
            scratch = .allocate(byteCount: Int(csim_scratch_size(Int32(width))), alignment: 64)
        }

        deinit { scratch.deallocate() }
    }

    /// The number of layers above which the cache is cleared; the street has about a hundred.
    private static let capacity = 192

    private var entries: [Key: Entry] = [:]
    private var arena = Arena()
    private var workspace: Workspace?

    /// Clears the cache before a frame if it is full.
    func evictIfFull() {
        if entries.count > Self.capacity { clear() }
    }

    /// Removes all entries, for example when the exposure changes.
    func clear() {
        entries.removeAll(keepingCapacity: true)
        arena.reset()
    }

    /// Attaches developed planes to a moving layer: those of its blurred copy if it has one, otherwise those of its
    /// bitmap.
    ///
    /// - Parameter frame: Provides tables and exposure.
    func develop(_ layer: inout csim_layer, _ bitmap: SceneBitmap, _ blurred: BlurredLayer?, _ frame: csim_frame) {
        let image: AnyObject = blurred ?? bitmap
        let key = Key(
            image: ObjectIdentifier(image), red: layer.redScale, green: layer.greenScale, blue: layer.blueScale)
        if let existing = entries[key] {
            layer.developed = UnsafePointer(existing.raw)
            return
        }
        let (width, height) = (blurred?.width ?? Int(layer.width), blurred?.height ?? Int(layer.height))
        let entry = Entry(image, arena.planes(width, height))
        let workspace = workspace(width, height)
        var planes = entry.planes.raw
        let composed = workspace.composed.raw
        (planes.green, planes.red, planes.blue) = (composed.green, composed.red, composed.blue)
        if blurred != nil {
            csim_compose_blurred(&planes, &layer)
        } else {
            var layerAtOrigin = layer
            (layerAtOrigin.x, layerAtOrigin.y, layerAtOrigin.skew) = (0, 0, 0)
            csim_compose_group(&planes, &layerAtOrigin, 1, workspace.coverage.bytes())
        }
        var frame = frame
        frame.scratch = workspace.scratch
        withUnsafePointer(to: &planes) { planes in
            frame.background = planes
            csim_develop_layer(&frame, &layer)
        }
        entries[key] = entry
        layer.developed = UnsafePointer(entry.raw)
    }

    private func workspace(_ width: Int, _ height: Int) -> Workspace {
        if let workspace, workspace.composed.width >= width, workspace.composed.height >= height { return workspace }
        let current = workspace?.composed
        // The minimum size fits most layers, which avoids reallocation.
        let workspace = Workspace(
            width: max(width, current?.width ?? 1024), height: max(height, current?.height ?? 512))
        self.workspace = workspace
        return workspace
    }
}
