extension String {
    /// The path of the enclosing folder as it is written, without its last component; empty if there is only one.
    ///
    /// Foundation's `deletingLastPathComponent` of strings traps for a path of one character.
    package var parentPath: String {
        let path = self[..<(lastIndex { $0 != "/" }.map(index(after:)) ?? startIndex)]
        guard let separator = path.lastIndex(of: "/") else { return path.isEmpty && !isEmpty ? "/" : "" }
        let parent = path[..<separator]
        return parent.isEmpty ? "/" : String(parent)
    }
}
