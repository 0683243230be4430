package import Foundation

/// The format of a timed metadata track: the keys of its samples (`mebx`, "Boxed Timed Metadata").
package struct TimedMetadataFormat: Sendable, Hashable {
    /// A key of timed metadata.
    package struct Key: Sendable, Hashable {
        /// The namespace of the name; `mdta` for reverse-domain names.
        package var namespace: String
        /// The name.
        package var name: String
        /// A well-known type of QuickTime metadata (QTFF, "Well-Known Types"): 1 UTF-8, 66 a signed 16-bit integer.
        package var dataType: UInt32
        /// The number by which samples refer to the key, unique in the format; not 0.
        package var localID: UInt32

        /// Creates a key.
        package init(namespace: String = "mdta", name: String, dataType: UInt32, localID: UInt32) {
            self.namespace = namespace
            self.name = name
            self.dataType = dataType
            self.localID = localID
        }
    }

    /// The keys in order.
    package var keys: [Key]

    /// Creates a format.
    package init(keys: [Key]) { self.keys = keys }

    /// The orientation of video as an EXIF orientation, from 1 to 8.
    package static let videoOrientation = TimedMetadataFormat(
        keys: [Key(name: "com.apple.quicktime.video-orientation", dataType: 66, localID: 1)])

    /// A sample without items: a box with the invalid local ID 0, which readers skip.
    package static let emptySample = Data([0, 0, 0, 8, 0, 0, 0, 0])

    /// Returns the bytes of a sample.
    ///
    /// - Parameter values: The index of each key in `keys`, and the bytes of its value.
    package func sample(_ values: [(key: Int, value: Data)]) -> Data {
        var builder = BoxBuilder()
        for (key, value) in values {
            builder.unsigned32(UInt32(8 + value.count))
            builder.unsigned32(keys[key].localID)
            builder.data(value)
        }
        return Data(builder.bytes)
    }

    /// Returns a sample with an EXIF orientation.
    package static func videoOrientationSample(_ orientation: Int16) -> Data {
        videoOrientation.sample([(0, withUnsafeBytes(of: orientation.bigEndian) { Data($0) })])
    }

    func appendSampleEntry(to builder: inout BoxBuilder) {
        builder.box("mebx") { mebx in
            mebx.zeros(6)
            mebx.unsigned16(1)
            mebx.box("keys") { list in
                for key in keys {
                    // The local ID is stored as the box's type.
                    list.box(key.localID.fourCharacters) { entry in
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
