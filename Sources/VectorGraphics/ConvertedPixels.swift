import MediaTypes

/// The memory of a bitmap context in a layout in which cairo cannot draw.
///
/// Cairo draws in a bitmap of its own. As the client may read and write the memory between two drawing operations, the
/// drawn part is converted before and after each operation, once the client has the address of the memory.
///
/// Confined, like the context.
final class ConvertedPixels {
    let memory: UnsafeMutableRawPointer
    let bytesPerRow: Int
    /// Whether the client has the address. Until then, only cairo's bitmap is up to date.
    private(set) var isShared: Bool
    private let layout: BitmapLayout
    private let ownsMemory: Bool

    /// Uses the caller's memory, or zeroed memory that it allocates.
    init(data: UnsafeMutableRawPointer?, byteCount: Int, bytesPerRow: Int, layout: BitmapLayout) {
        memory = data ?? .allocate(byteCount: byteCount, alignment: 16)
        if data == nil { memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }
        (isShared, ownsMemory) = (data != nil, data == nil)
        (self.bytesPerRow, self.layout) = (bytesPerRow, layout)
    }

    deinit { if ownsMemory { memory.deallocate() } }

    /// Returns the memory with all that was drawn, for the client.
    func share(_ bitmap: CairoBitmap) -> UnsafeMutableRawPointer {
        if !isShared {
            write(bitmap, columns: 0..<bitmap.width, rows: 0..<bitmap.height)
            isShared = true
        }
        return memory
    }

    /// Converts pixels of the memory to those of cairo's bitmap.
    func read(into bitmap: CairoBitmap, columns: Range<Int>, rows: Range<Int>) {
        for row in rows {
            let source = (memory + row * bytesPerRow).assumingMemoryBound(to: UInt8.self)
            let target = (bitmap.pixels + row * bitmap.bytesPerRow).assumingMemoryBound(to: UInt8.self)
            switch layout.components {
            case .color(let red, let green, let blue, let alpha):
                for start in stride(from: columns.lowerBound * 4, to: columns.upperBound * 4, by: 4) {
                    target[start] = source[start + blue]
                    target[start + 1] = source[start + green]
                    target[start + 2] = source[start + red]
                    target[start + 3] = source[start + alpha]
                }
            case .gray:
                for column in columns {
                    (target + column * 4).update(repeating: source[column], count: 3)
                    target[column * 4 + 3] = 255
                }
            case .alpha:
                for column in columns {
                    (target + column * 4).update(repeating: 0, count: 3)
                    target[column * 4 + 3] = source[column]
                }
            }
        }
    }

    /// Converts pixels of cairo's bitmap to those of the memory. Unused bytes are 255.
    func write(_ bitmap: CairoBitmap, columns: Range<Int>, rows: Range<Int>) {
        let hasAlpha = layout.hasAlpha
        for row in rows {
            let source = (bitmap.pixels + row * bitmap.bytesPerRow).assumingMemoryBound(to: UInt8.self)
            let target = (memory + row * bytesPerRow).assumingMemoryBound(to: UInt8.self)
            switch layout.components {
            case .color(let red, let green, let blue, let alpha):
                for start in stride(from: columns.lowerBound * 4, to: columns.upperBound * 4, by: 4) {
                    target[start + blue] = source[start]
                    target[start + green] = source[start + 1]
                    target[start + red] = source[start + 2]
                    target[start + alpha] = hasAlpha ? source[start + 3] : 255
                }
            case .gray:
                // 0.30 R + 0.59 G + 0.11 B: ISO 32000-1 (PDF), 10.3.3, conversion between DeviceRGB and DeviceGray.
                for column in columns {
                    let blue = Int(source[column * 4])
                    let green = Int(source[column * 4 + 1])
                    let red = Int(source[column * 4 + 2])
                    let sum: Int = 77 * red + 151 * green + 28 * blue
                    target[column] = UInt8((sum + 128) >> 8)
                }
            case .alpha:
                for column in columns { target[column] = source[column * 4 + 3] }
            }
        }
    }
}
