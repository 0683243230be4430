package import Foundation
package import MediaTypes

/// What a movie says about itself; nothing is written that is not given.
package struct MovieMetadata: Sendable, Hashable {
    /// When the recording began, in seconds since 1970-01-01 00:00 UTC, for the headers' creation times.
    package var creationSecondsSince1970: Int64?
    /// The same for people and with its time zone, by ISO 8601: `2026-11-21T02:41:00+0000`.
    package var creationDate: String?
    package var make: String?
    package var model: String?
    package var software: String?
    /// A place by ISO 6709, Annex H: `+48.8577+002.2950+035.000/`.
    package var location: String?
    /// More entries of the QuickTime metadata keys space `mdta`, in order.
    package var custom: [Entry]
    /// In order of time.
    package var chapters: [Chapter]

    package struct Entry: Sendable, Hashable {
        /// What an entry says, by the well-known types of QuickTime metadata (QTFF, "Well-Known Types").
        package enum Value: Sendable, Hashable {
            case text(String)
            case integer(Int64)
            case real(Double)
            /// Bytes of another type, as 13 for JPEG; 0 for one that is not told.
            case data(Data, type: UInt32)
        }

        /// A reverse-domain name, as `com.example.take`.
        package var key: String
        package var value: Value

        package init(key: String, value: Value) {
            self.key = key
            self.value = value
        }

        package init(key: String, value: String) { self.init(key: key, value: .text(value)) }
    }

    package struct Chapter: Sendable, Hashable {
        /// On the movie's timeline.
        package var start: CMTime
        package var title: String

        package init(start: CMTime, title: String) {
            self.start = start
            self.title = title
        }
    }

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

    /// An upper bound of the bytes that the metadata take in a file, chapters left aside.
    package var byteCount: Int {
        let texts = [creationDate, make, model, software, location].compactMap { $0?.utf8.count }
        let values = custom.map { entry in
            switch entry.value {
            case .text(let text): entry.key.utf8.count + text.utf8.count
            case .integer, .real: entry.key.utf8.count + 8
            case .data(let data, _): entry.key.utf8.count + data.count
            }
        }
        // Four boxes an entry, and the longest key of those that are known.
        return (texts + values).reduce(0) { $0 + $1 + 96 }
    }

    /// Seconds since 1904-01-01, the epoch of ISO/IEC 14496-12, 8.2.2.3; 0 where not given.
    var creationTime: UInt64 {
        guard let seconds = creationSecondsSince1970 else { return 0 }
        return UInt64(max(0, seconds + 2_082_844_800))
    }
}
