public import Foundation

/// Positions in the sections of tables and collections: index paths with two indexes.
extension IndexPath {
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The index of the section. The path must have two indexes.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The index of the item in its section. The path must have two indexes.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The index of the row in its section. The path must have two indexes.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
