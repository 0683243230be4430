package import Foundation

/// The keys of a track of timed metadata, and how its samples hold their values: `mebx`, "Boxed Timed Metadata".
package struct TimedMetadataFormat: Sendable, Hashable {
    package struct Key: Sendable, Hashable {
        /// The space of the name; `mdta` for reverse-domain names.
        package var namespace: String
        package var name: String
        /// A well-known type of QuickTime metadata (QTFF, "Well-Known Types"): 1 UTF-8, 66 a signed integer of 16 bits.
        package var dataType: UInt32

        package init(namespace: String = "mdta", name: String, dataType: UInt32) {
            self.namespace = namespace
            self.name = name
            self.dataType = dataType
        }
    }

    package var keys: [Key]

    package init(keys: [Key]) { self.keys = keys }

    /// The orientation of the picture as EXIF counts it, from 1 to 8.
    package static let videoOrientation = TimedMetadataFormat(
        keys: [Key(name: "com.apple.quicktime.video-orientation", dataType: 66)])

    /// The bytes of a sample.
    ///
    /// - Parameter values: The position of each key in `keys`, and its value's bytes.
    package func sample(_ values: [(key: Int, value: Data)]) -> Data {
        var builder = BoxBuilder()
        for (key, value) in values {
            builder.unsigned32(UInt32(8 + value.count))
            builder.unsigned32(UInt32(key + 1))
            builder.data(value)
        }
        return Data(builder.bytes)
    }

    /// The sample that tells an EXIF orientation.
    package static func videoOrientationSample(_ orientation: Int16) -> Data {
        videoOrientation.sample([(0, withUnsafeBytes(of: orientation.bigEndian) { Data($0) })])
    }

    func appendSampleEntry(to builder: inout BoxBuilder) {
        builder.box("mebx") { mebx in
            mebx.zeros(6)
            mebx.unsigned16(1)
            mebx.box("keys") { list in
                for (index, key) in keys.enumerated() {
                    // Samples name the key by the number that stands here as the box's type.
                    list.box(BoxBuilder.code(of: UInt32(index + 1))) { entry in
                        entry.box("keyd") { box in
                            box.code(key.namespace)
                            box.data(key.name.utf8)
                        }
                        entry.box("dtyp") { box in
                            box.unsigned32(0)
                            box.unsigned32(key.dataType)
                        }
                    }
                }
            }
        }
    }
}
