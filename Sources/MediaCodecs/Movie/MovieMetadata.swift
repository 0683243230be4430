package import Foundation
package import MediaTypes

/// The metadata of a movie; only properties that are set are written.
package struct MovieMetadata: Sendable, Hashable {
    /// The beginning of the recording in seconds since 1970-01-01 00:00 UTC, for the headers' creation times.
    package var creationSecondsSince1970: Int64?
    /// The beginning of the recording in ISO 8601 format with the time zone: `2026-11-21T02:41:00+0000`.
    package var creationDate: String?
    /// The manufacturer of the camera.
    package var make: String?
    /// The name of the camera.
    package var model: String?
    /// The software that created the movie.
    package var software: String?
    /// The location according to ISO 6709, Annex H: `+48.8577+002.2950+035.000/`.
    package var location: String?
    /// Additional entries with QuickTime metadata keys (`mdta`), in order.
    package var custom: [Entry]
    /// The chapters in order of time.
    package var chapters: [Chapter]

    /// A metadata item.
    package struct Entry: Sendable, Hashable {
        /// The value, with one of the well-known types of QuickTime metadata (QTFF, "Well-Known Types").
        package enum Value: Sendable, Hashable {
            case text(String)
            case integer(Int64)
            case real(Double)
            /// Bytes of another type, such as 13 for JPEG; 0 for an unspecified type.
            case data(Data, type: UInt32)
        }

        /// A reverse-domain name, such as `com.example.take`.
        package var key: String
        /// The value.
        package var value: Value

        /// Creates an item.
        package init(key: String, value: Value) {
            self.key = key
            self.value = value
        }

        /// Creates an item with a text.
        package init(key: String, value: String) { self.init(key: key, value: .text(value)) }
    }

    /// A chapter of a movie.
    package struct Chapter: Sendable, Hashable {
        /// The start on the movie's timeline.
        package var start: CMTime
        /// The title.
        package var title: String

        /// Creates a chapter.
        package init(start: CMTime, title: String) {
            self.start = start
            self.title = title
        }
    }

    /// Creates metadata.
    package init(
        creationSecondsSince1970: Int64? = nil, creationDate: String? = nil, make: String? = nil,
        model: String? = nil, software: String? = nil, location: String? = nil, custom: [Entry] = [],
        chapters: [Chapter] = []
    ) {
        self.creationSecondsSince1970 = creationSecondsSince1970
        self.creationDate = creationDate
        self.make = make
        self.model = model
        self.software = software
        self.location = location
        self.custom = custom
        self.chapters = chapters
    }

    /// An upper bound of the size in bytes of the metadata in a file, without chapters.
    package var byteCount: Int {
        let texts = [creationDate, make, model, software, location].compactMap { $0?.utf8.count }
        let values = custom.map { entry in
            switch entry.value {
            case .text(let text): entry.key.utf8.count + text.utf8.count
            case .integer, .real: entry.key.utf8.count + 8
            case .data(let data, _): entry.key.utf8.count + data.count
            }
        }
        // Four boxes per entry, and the longest of the standard keys.
        return (texts + values).reduce(0) { $0 + $1 + 96 }
    }

    /// Seconds since 1904-01-01, the epoch of ISO/IEC 14496-12, 8.2.2.3; 0 if not set.
    var creationTime: UInt64 {
        guard let seconds = creationSecondsSince1970 else { return 0 }
        return UInt64(max(0, seconds + 2_082_844_800))
    }
}
